/** Adds missing permissions and subjects; removes extra ones on request. */
import type { Subject } from 'kubernetes-types/rbac/v1'
import {
  type Reconciled,
  reconciledBinding,
  reconciledRole,
} from '../../../engine/authorization/rbac/reconcile'
import { isJsonObject, type JsonObject, type KubeObject } from '../../../engine/core/object'
import { Failures } from '../../acting/failures'
import { DRY_RUN_FLAG, dryRunOf, RECURSIVE_FLAG } from '../../acting/flags'
import { type FileTarget, filedObjects } from '../../acting/objects'
import { Results } from '../../acting/results'
import { pathWith } from '../../client'
import type { Command, Context, FlagValues } from '../../command'
import { pathOf } from '../../discovery'
import { CommandError, StatusError } from '../../errors'
import { OUTPUT_FLAGS } from '../../output/printer'
import { pathOfTarget } from '../../targets'
import { FILE_FLAGS } from '../common-flags'

const RBAC = 'rbac.authorization.k8s.io'

export const RECONCILE: Command = {
  name: 'reconcile',
  summary:
    'Reconciles rules for RBAC role, role binding, cluster role, and cluster role binding objects',
  usage: 'auth reconcile -f FILENAME',
  examples: [
    {
      line: 'kubectl auth reconcile -f rights.yaml',
      about: 'Reconcile RBAC resources from a file',
    },
  ],
  flags: [
    ...FILE_FLAGS,
    DRY_RUN_FLAG,
    ...OUTPUT_FLAGS,
    RECURSIVE_FLAG,
    {
      name: 'remove-extra-permissions',
      type: 'on',
      about: 'If true, removes extra permissions added to roles.',
    },
    {
      name: 'remove-extra-subjects',
      type: 'on',
      about: 'If true, removes extra subjects added to rolebindings.',
    },
  ],
  async run(context, { args, flags }) {
    if (args.length > 0) throw new CommandError('no arguments are allowed')
    if (!flags.has('filename')) throw new CommandError('must specify one of -f and -k')
    const dryRun = dryRunOf(flags, context)
    const failures = new Failures()
    const results = new Results(context, flags, dryRun)
    for await (const target of filedObjects(context, flags.list('filename'), failures)) {
      if (target.resource.group !== RBAC) continue
      await failures.during(async () => {
        const found = await reconciled(context, target, flags)
        const isWritten = found.operation !== 'none' && !found.isProtected && dryRun !== 'client'
        if (isWritten) found.object = await write(context, target, found, dryRun === 'server')
        results.print(found.object, 'reconciled')
        context.err(changesText(target, found, flags))
      })
    }
    failures.throwIfAny()
    return 0
  },
}

interface Found extends Omit<Reconciled, 'operation' | 'object'> {
  operation: Reconciled['operation'] | 'create'
  object: JsonObject
}

const isRole = ({ resource }: FileTarget): boolean => resource.kind.endsWith('Role')

const removesOf = (target: FileTarget, flags: FlagValues): boolean =>
  flags.on(isRole(target) ? 'remove-extra-permissions' : 'remove-extra-subjects')

/** The desired object and its changes. */
async function reconciled(context: Context, target: FileTarget, flags: FlagValues): Promise<Found> {
  const live = await context.client.get(pathOfTarget(target)).catch((error: unknown) => {
    if (error instanceof StatusError && error.code === 404) return undefined
    throw error
  })
  const missing = listOf(target.object, isRole(target) ? 'rules' : 'subjects')
  if (live === undefined)
    return { object: target.object, operation: 'create', isProtected: false, missing, extra: [] }
  const reconcile = isRole(target) ? reconciledRole : reconciledBinding
  return reconcile(
    live as unknown as KubeObject,
    target.object as unknown as KubeObject,
    removesOf(target, flags),
  ) as unknown as Found
}

const listOf = (object: JsonObject, member: string): JsonObject[] => {
  const list = object[member]
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function itemText(item: JsonObject): string {
  if ('kind' in item) {
    const { kind, apiGroup = '', name, namespace = '' } = item as unknown as Subject
    return `{Kind:${kind} APIGroup:${apiGroup} Name:${name} Namespace:${namespace}}`
  }
  const lists = [
    ['Verbs', item.verbs],
    ['APIGroups', item.apiGroups],
    ['Resources', item.resources],
    ['ResourceNames', item.resourceNames],
    ['NonResourceURLs', item.nonResourceURLs],
  ] as const
  return `{${lists.map(([name, list]) => `${name}:[${texts(list).join(' ')}]`).join(' ')}}`
}

function changesText(
  target: FileTarget,
  { operation, isProtected, missing, extra }: Found,
  flags: FlagValues,
): string {
  if (operation === 'none') return ''
  const caveat = isProtected
    ? ', but object opted out (rbac.authorization.kubernetes.io/autoupdate: false)'
    : ''
  const what = isRole(target) ? 'rules' : 'subjects'
  const changes: [string, JsonObject[]][] = [
    [`missing ${what} added`, missing],
    [`extra ${what} removed`, removesOf(target, flags) ? extra : []],
  ]
  const lines = changes.flatMap(([title, items]) =>
    items.length === 0 ? [] : [`\t${title}:`, ...items.map((item) => `\t\t${itemText(item)}`)],
  )
  return `${[`\treconciliation required ${operation}${caveat}`, ...lines].join('\n')}\n`
}

/** Recreates bindings whose role changes: roleRef is immutable. */
async function write(
  { client }: Context,
  target: FileTarget,
  { object, operation }: Found,
  dryRun: boolean,
): Promise<JsonObject> {
  const query = { fieldManager: 'kubectl', dryRun: dryRun ? 'All' : undefined }
  const create = {
    method: 'POST',
    path: pathWith(pathOf(target.resource, target.namespace), query),
    body: object,
  }
  if (operation === 'update')
    return (
      await client.send({
        method: 'PUT',
        path: pathWith(pathOfTarget(target), query),
        body: object,
      })
    ).json
  if (operation === 'recreate') {
    await client.send({
      method: 'DELETE',
      path: pathOfTarget(target),
      ...(dryRun ? { body: { dryRun: ['All'] } } : {}),
    })
  }
  if (operation === 'create' && target.namespace && !dryRun)
    await ensureNamespace(client, target.namespace)
  return (await client.send(create)).json
}

/** If this is forbidden, the object's create reports it. */
async function ensureNamespace(client: Context['client'], name: string): Promise<void> {
  const unless =
    (...codes: number[]) =>
    (error: unknown) => {
      if (error instanceof StatusError && codes.includes(error.code)) return undefined
      throw error
    }
  if ((await client.get(`/api/v1/namespaces/${name}`).catch(unless(404))) !== undefined) return
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  await client.send({ method: 'POST', path: '/api/v1/namespaces', body }).catch(unless(403, 409))
}
