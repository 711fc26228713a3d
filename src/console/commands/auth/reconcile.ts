/** `kubectl auth reconcile`: roles and bindings get what a manifest gives, and lose nothing else unless asked. */
import type { PolicyRule, Subject } from 'kubernetes-types/rbac/v1'
import { equalJson, isJsonObject, type JsonObject } from '../../../engine/object'
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
  summary: 'Gives roles and bindings what a manifest gives.',
  usage: 'auth reconcile -f FILENAME',
  examples: [{ line: 'kubectl auth reconcile -f rights.yaml', about: 'Without taking anything away' }],
  flags: [
    ...FILE_FLAGS,
    DRY_RUN_FLAG,
    ...OUTPUT_FLAGS,
    RECURSIVE_FLAG,
    { name: 'remove-extra-permissions', type: 'on', about: 'Take away rules that the manifest does not have.' },
    { name: 'remove-extra-subjects', type: 'on', about: 'Take away subjects that the manifest does not have.' },
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
        if (found.operation !== 'none' && dryRun !== 'client') found.object = await write(context, target, found, dryRun === 'server')
        results.print(found.object, 'reconciled')
        context.err(toldChanges(found))
      })
    }
    failures.throwIfAny()
    return 0
  },
}

interface Reconciled {
  object: JsonObject
  operation: 'none' | 'create' | 'update' | 'recreate'
  changes: [title: string, lines: string[]][]
}

const isRole = ({ resource }: FileTarget): boolean => resource.kind.endsWith('Role')

/** What the object is to be, and what that changes. */
async function reconciled(context: Context, target: FileTarget, flags: FlagValues): Promise<Reconciled> {
  const live = await context.client.get(pathOfTarget(target)).catch((error: unknown) => {
    if (error instanceof StatusError && error.code === 404) return undefined
    throw error
  })
  const member = isRole(target) ? 'rules' : 'subjects'
  const wanted = listOf(target.object, member)
  const titles = isRole(target) ? ['missing rules added', 'extra rules removed'] : ['missing subjects added', 'extra subjects removed']
  if (live === undefined) return { object: target.object, operation: 'create', changes: [[titles[0] as string, wanted.map(toldItem)]] }
  const now = listOf(live, member)
  const missing = isRole(target) ? missingRules(wanted, now) : wanted.filter((item) => !now.some((one) => equalJson(one, item)))
  const extra = isRole(target) ? missingRules(now, wanted) : now.filter((item) => !wanted.some((one) => equalJson(one, item)))
  const removes = flags.on(isRole(target) ? 'remove-extra-permissions' : 'remove-extra-subjects')
  const recreate = !isRole(target) && !equalJson(live.roleRef, target.object.roleRef)
  const merged = removes ? wanted : [...now, ...missing]
  const changed = missing.length > 0 || (removes && extra.length > 0)
  const changes: [string, string[]][] = []
  if (missing.length > 0) changes.push([titles[0] as string, missing.map(toldItem)])
  if (removes && extra.length > 0) changes.push([titles[1] as string, extra.map(toldItem)])
  return {
    object: { ...(recreate ? target.object : live), [member]: merged },
    operation: recreate ? 'recreate' : changed ? 'update' : 'none',
    changes,
  }
}

const listOf = (object: JsonObject, member: string): JsonObject[] => {
  const list = object[member]
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** Of what `rules` allow, what `others` do not, a rule for each verb and resource. */
function missingRules(rules: JsonObject[], others: JsonObject[]): JsonObject[] {
  return single(rules).filter((rule) => !single(others).some((other) => covers(other, rule)))
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function single(rules: JsonObject[]): JsonObject[] {
  return rules.flatMap((rule) => {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule as unknown as Partial<PolicyRule>
    const names = texts(resourceNames)
    const ofResources = texts(apiGroups).flatMap((group) =>
      texts(resources).flatMap((resource) =>
        texts(verbs).flatMap((verb) =>
          (names.length === 0 ? [undefined] : names).map(
            (name): JsonObject => ({
              verbs: [verb],
              apiGroups: [group],
              resources: [resource],
              ...(name === undefined ? {} : { resourceNames: [name] }),
            }),
          ),
        ),
      ),
    )
    const ofPaths = texts(nonResourceURLs).flatMap((path) =>
      texts(verbs).map((verb): JsonObject => ({ verbs: [verb], nonResourceURLs: [path] })),
    )
    return [...ofResources, ...ofPaths]
  })
}

/** Whether one right includes another; `*` includes all. */
function covers(owner: JsonObject, wanted: JsonObject): boolean {
  const has = (member: string): boolean => {
    const [own, other] = [texts(owner[member]), texts(wanted[member])]
    return own.includes('*') || other.every((one) => own.includes(one))
  }
  if (texts(wanted.nonResourceURLs).length > 0) {
    const [path = ''] = texts(wanted.nonResourceURLs)
    return (
      has('verbs') && texts(owner.nonResourceURLs).some((one) => one === path || (one.endsWith('*') && path.startsWith(one.slice(0, -1))))
    )
  }
  const names = texts(owner.resourceNames)
  const named =
    names.length === 0 || (texts(wanted.resourceNames).length > 0 && texts(wanted.resourceNames).every((name) => names.includes(name)))
  return texts(owner.resources).length > 0 && has('verbs') && has('apiGroups') && has('resources') && named
}

/** A rule or subject as Go prints a struct. */
function toldItem(item: JsonObject): string {
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

function toldChanges({ operation, changes }: Reconciled): string {
  if (operation === 'none') return ''
  const lines = changes.flatMap(([title, items]) => [`\t${title}:`, ...items.map((item) => `\t\t${item}`)])
  return `${[`\treconciliation required ${operation}`, ...lines].join('\n')}\n`
}

/** Bindings whose role changes are made anew: a binding's role cannot be changed. */
async function write({ client }: Context, target: FileTarget, { object, operation }: Reconciled, dryRun: boolean): Promise<JsonObject> {
  const query = { fieldManager: 'kubectl', dryRun: dryRun ? 'All' : undefined }
  const create = { method: 'POST', path: pathWith(pathOf(target.resource, target.namespace), query), body: object }
  if (operation === 'update') return (await client.send({ method: 'PUT', path: pathWith(pathOfTarget(target), query), body: object })).json
  if (operation === 'recreate') {
    await client.send({ method: 'DELETE', path: pathOfTarget(target), ...(dryRun ? { body: { dryRun: ['All'] } } : {}) })
  }
  return (await client.send(create)).json
}
