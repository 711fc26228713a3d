import { MEDIA_TYPE } from '../../engine/core/names'
import { isJsonObject, type JsonObject } from '../../engine/core/object'
import { matchesLabels, parseLabelSelector } from '../../engine/selectors/labels'
import { Failures } from '../acting/failures'
import {
  DRY_RUN_FLAG,
  type DryRun,
  dryRunOf,
  fieldManagerFlag,
  LABELS_FLAG,
  RECURSIVE_FLAG,
  VALIDATE_FLAG,
  writeQuery,
} from '../acting/flags'
import { handoverPatch, KEEPER, keptAnnotation } from '../acting/handover'
import { kindType } from '../acting/kind-type'
import { type FileTarget, filedObjects } from '../acting/objects'
import { ListedResults, type Results } from '../acting/results'
import { retryOnConflict } from '../acting/retry-on-conflict'
import { pathWith } from '../client'
import type { Command, Context, FlagValues } from '../command'
import { pathOf } from '../discovery'
import { CommandError, StatusError } from '../errors'
import { CLIENT_SIDE_MANAGER, SERVER_SIDE_MANAGER } from '../managers'
import { OUTPUT_FLAGS } from '../output/printer'
import { pathOfTarget } from '../targets'
import { hasLastApplied, lastApplied, threeWayPatch, withLastApplied } from '../three-way'
import { APPLY_COMMANDS } from './apply-last-applied'
import { FILE_FLAGS } from './common-flags'

export const APPLY: Command = {
  name: 'apply',
  summary: 'Apply a configuration to a resource by file name or stdin',
  usage: 'apply (-f FILENAME | -k DIRECTORY)',
  examples: [
    { line: 'kubectl apply -f web.yaml', about: 'Apply the configuration in an open file' },
    {
      line: 'kubectl apply -f web.yaml --server-side',
      about: 'Apply it in the server, which tracks field ownership',
    },
    {
      line: 'kubectl apply -f web.yaml --dry-run=server',
      about: 'Submit it without persisting the resources',
    },
  ],
  flags: [
    ...FILE_FLAGS,
    DRY_RUN_FLAG,
    fieldManagerFlag(CLIENT_SIDE_MANAGER),
    ...OUTPUT_FLAGS,
    VALIDATE_FLAG,
    LABELS_FLAG,
    RECURSIVE_FLAG,
    {
      name: 'server-side',
      type: 'on',
      about: 'If true, apply runs in the server instead of the client.',
    },
    {
      name: 'force-conflicts',
      type: 'on',
      about: 'If true, server-side apply will force the changes against conflicts.',
    },
    {
      name: 'overwrite',
      type: 'on',
      default: 'true',
      about:
        'Automatically resolve conflicts between the modified and live configuration by using values from the modified configuration.',
    },
    {
      name: 'force',
      type: 'on',
      about: 'If true, immediately remove resources from API and bypass graceful deletion.',
      unavailable: 'delete the object and apply again',
    },
    {
      name: 'prune',
      type: 'on',
      unavailable: 'delete the objects by name or by label',
    },
    {
      name: 'all',
      type: 'on',
      about: 'Accepted for compatibility; it has an effect only with --prune.',
    },
    {
      name: 'wait',
      type: 'on',
      about: 'Accepted for compatibility; it has an effect only with --prune.',
    },
    {
      name: 'timeout',
      type: 'duration',
      default: '0s',
      about: 'Accepted for compatibility; it has an effect only with --prune.',
    },
    {
      name: 'grace-period',
      type: 'number',
      default: '-1',
      about: 'Accepted for compatibility; it has an effect only with --prune.',
    },
    {
      name: 'cascade',
      type: 'text',
      default: 'background',
      bare: 'background',
      about: 'Accepted for compatibility; it has an effect only with --prune.',
    },
    {
      name: 'openapi-patch',
      type: 'on',
      default: 'true',
      about: 'Accepted for compatibility; patches always follow the type of the object.',
    },
  ],
  commands: APPLY_COMMANDS,
  async run(context, { args, flags }) {
    if (args.length > 0)
      throw new CommandError(
        `Unexpected args: [${args.join(' ')}]\nSee 'kubectl apply -h' for help and examples`,
      )
    const dryRun = dryRunOf(flags, context)
    const serverSide = flags.on('server-side')
    if (flags.on('force-conflicts') && !serverSide)
      throw new CommandError('--force-conflicts only works with --server-side')
    if (dryRun === 'client' && serverSide) {
      throw new CommandError(
        "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)",
      )
    }
    if (!flags.has('filename')) throw new CommandError('must specify one of -f and -k')
    await applyFiles(context, flags, dryRun)
    return 0
  },
}

async function applyFiles(context: Context, flags: FlagValues, dryRun: DryRun): Promise<void> {
  const failures = new Failures()
  const results = new ListedResults(context, flags, dryRun)
  const selector = parseLabelSelector(flags.text('selector'))
  const targets: FileTarget[] = []
  for await (const target of filedObjects(context, flags.list('filename'), failures, {
    validate: flags.text('validate'),
  })) {
    const { labels } = isJsonObject(target.object.metadata) ? target.object.metadata : {}
    if (matchesLabels(selector, isJsonObject(labels) ? (labels as Record<string, string>) : {}))
      targets.push(target)
  }
  const applyOne = flags.on('server-side') ? serverSideApply : clientSideApply
  for (const target of targets) {
    await failures.during(async () => {
      checkName(target)
      await applyOne(context, target, flags, dryRun, results)
    })
  }
  failures.throwIfAny('first')
  if (targets.length === 0) throw new CommandError('no objects passed to apply')
  results.end()
}

/** @throws CommandError for an object without a name */
function checkName({ object, name }: FileTarget): void {
  const { generateName } = isJsonObject(object.metadata) ? object.metadata : {}
  if (name === '' && generateName)
    throw new CommandError(`from ${generateName}: cannot use generate name with apply`)
}

/** @throws StatusError, with kubectl's message for conflicts */
async function serverSideApply(
  context: Context,
  target: FileTarget,
  flags: FlagValues,
  dryRun: DryRun,
  results: Results,
): Promise<void> {
  const manager = flags.has('field-manager') ? flags.text('field-manager') : SERVER_SIDE_MANAGER
  const query = { ...writeQuery(flags, dryRun), fieldManager: manager }
  const path = pathWith(pathOfTarget(target), {
    ...query,
    force: String(flags.on('force-conflicts')),
  })
  const apply = async (): Promise<JsonObject> =>
    (
      await context.client.send({
        method: 'PATCH',
        path,
        contentType: MEDIA_TYPE.applyPatch,
        body: target.object,
      })
    ).json
  let applied = await apply().catch((error: unknown) => {
    throw error instanceof StatusError && error.reason === 'Conflict'
      ? new CommandError(`${error.message}\n${WAYS_OUT}`)
      : error
  })
  if (dryRun === 'none' && manager === SERVER_SIDE_MANAGER)
    applied = await handedOver(context, target, applied, apply)
  results.print(applied, 'serverside-applied')
}

/**
 * Moves fields from client-side apply, and applies again to remove fields that the manifest no
 * longer sets. A failure is only a warning: the manifest is applied, and a later apply retries.
 */
async function handedOver(
  { client, err }: Context,
  target: FileTarget,
  applied: JsonObject,
  applyAgain: () => Promise<JsonObject>,
): Promise<JsonObject> {
  const path = pathOfTarget(target)
  let live = applied
  let failure =
    'failed to migrate kubectl.kubernetes.io/last-applied-configuration for Server-Side Apply'
  try {
    const kept = keptAnnotation(live)
    if (kept !== undefined) {
      const call = {
        method: 'PATCH',
        path: pathWith(path, { fieldManager: KEEPER }),
        contentType: MEDIA_TYPE.applyPatch,
        body: kept,
      }
      live = (await client.send(call)).json
    }
    failure = 'server rejected managed fields migration to Server-Side Apply'
    const hand = async (): Promise<boolean> => {
      const body = handoverPatch(live, SERVER_SIDE_MANAGER)
      if (body === undefined) return false
      live = (await client.send({ method: 'PATCH', path, contentType: MEDIA_TYPE.jsonPatch, body }))
        .json
      return true
    }
    const readAgain = async (tries: number): Promise<boolean> => {
      live = await client.get(path)
      return tries < HANDOVER_TRIES
    }
    if (!(await retryOnConflict(hand, readAgain))) return live
    failure = 'failed to re-apply configuration after performing Server-Side Apply migration'
    return await applyAgain()
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    err(
      `Warning: ${failure}. This is non-fatal and will be retried next time you apply. Error: ${error.message}\n`,
    )
    return live
  }
}

/** Maximum attempts after conflicts. */
const HANDOVER_TRIES = 5

const WAYS_OUT = `Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts`

async function clientSideApply(
  context: Context,
  target: FileTarget,
  flags: FlagValues,
  dryRun: DryRun,
  results: Results,
): Promise<void> {
  const wanted = withLastApplied(target.object)
  const live = await liveObject(context, target)
  if (live === undefined) {
    results.print(
      dryRun === 'client' ? wanted : await created(context, target, wanted, flags, dryRun),
      'created',
    )
    return
  }
  if (dryRun === 'client') {
    results.print(live, 'configured')
    return
  }
  if (!hasLastApplied(live)) context.err(missingAnnotation(target))
  const type = await kindType(target.resource)
  const patch = threeWayPatch(lastApplied(live), wanted, live, type)
  if (Object.keys(patch).length === 0) {
    results.print(live, 'unchanged')
    return
  }
  results.print(
    await patched(
      context,
      target,
      patch,
      type === undefined ? MEDIA_TYPE.mergePatch : MEDIA_TYPE.strategicMergePatch,
      flags,
      dryRun,
    ),
    'configured',
  )
}

async function created(
  context: Context,
  target: FileTarget,
  body: JsonObject,
  flags: FlagValues,
  dryRun: DryRun,
): Promise<JsonObject> {
  const path = pathWith(pathOf(target.resource, target.namespace), writeQuery(flags, dryRun))
  const { json } = await context.client
    .send({ method: 'POST', path, body })
    .catch((error: unknown) => {
      throw error instanceof StatusError
        ? error.during(`error when creating ${JSON.stringify(target.source)}`)
        : error
    })
  return json
}

async function patched(
  context: Context,
  target: FileTarget,
  patch: JsonObject,
  contentType: string,
  flags: FlagValues,
  dryRun: DryRun,
): Promise<JsonObject> {
  const { source } = target
  const path = pathWith(pathOfTarget(target), writeQuery(flags, dryRun))
  const { json } = await context.client
    .send({ method: 'PATCH', path, contentType, body: patch })
    .catch((error: unknown) => {
      if (!(error instanceof StatusError)) throw error
      const quoted = JSON.stringify(source)
      throw error.during(
        `error when applying patch:\n${JSON.stringify(patch)}\nto:\n${identityOf(target)}\nfor: ${quoted}: error when patching ${quoted}`,
      )
    })
  return json
}

async function liveObject(context: Context, target: FileTarget): Promise<JsonObject | undefined> {
  try {
    return await context.client.get(pathOfTarget(target))
  } catch (error) {
    const doing = `error when retrieving current configuration of:\n${identityOf(target)}\nfrom server for: ${JSON.stringify(target.source)}`
    if (error instanceof CommandError) throw new CommandError(`${doing}: ${error.message}`)
    if (!(error instanceof StatusError)) throw error
    if (error.code === 404) return undefined
    throw error.during(doing)
  }
}

/** Names the object in messages; the core group is empty before the slash. */
function identityOf({ resource, name, namespace = '' }: FileTarget): string {
  const version = `${resource.group}/${resource.version}`
  const [what, kind] = [
    `${version}, Resource=${resource.resource}`,
    `${version}, Kind=${resource.kind}`,
  ].map((text) => JSON.stringify(text))
  return `Resource: ${what}, GroupVersionKind: ${kind}\nName: ${JSON.stringify(name)}, Namespace: ${JSON.stringify(namespace)}`
}

function missingAnnotation({ resource, name }: FileTarget): string {
  return `Warning: resource ${resource.resource}/${name} is missing the kubectl.kubernetes.io/last-applied-configuration annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.\n`
}
