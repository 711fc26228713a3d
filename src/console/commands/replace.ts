/** `kubectl replace` */
import { entryOf, isJsonObject, type JsonObject } from '../../engine/core/object'
import { Failures } from '../acting/failures'
import {
  DRY_RUN_FLAG,
  dryRunOf,
  fieldManagerFlag,
  RECURSIVE_FLAG,
  SAVE_CONFIG_FLAG,
  VALIDATE_FLAG,
  writeQuery,
} from '../acting/flags'
import { type FileTarget, filedObjects } from '../acting/objects'
import { Results } from '../acting/results'
import { pathWith } from '../client'
import type { Command, Context, FlagValues } from '../command'
import { pathOf, qualifiedName } from '../discovery'
import { CommandError, StatusError } from '../errors'
import { REPLACE_MANAGER } from '../managers'
import { OUTPUT_FLAGS } from '../output/printer'
import { pathOfTarget } from '../targets'
import { hasLastApplied, withLastApplied } from '../three-way'
import { FILE_FLAGS } from './common-flags'
import { untilGone } from './delete'

export const REPLACE: Command = {
  name: 'replace',
  summary: 'Replace a resource by file name or stdin',
  usage: 'replace -f FILENAME',
  examples: [
    { line: 'kubectl replace -f web.yaml', about: 'Replace the resources of an open file' },
    {
      line: 'kubectl replace --force -f web.yaml',
      about: 'Force replace, delete and then re-create the resource',
    },
  ],
  flags: [
    ...FILE_FLAGS,
    DRY_RUN_FLAG,
    fieldManagerFlag(REPLACE_MANAGER),
    ...OUTPUT_FLAGS,
    SAVE_CONFIG_FLAG,
    VALIDATE_FLAG,
    RECURSIVE_FLAG,
    { name: 'force', type: 'on', about: 'If true, delete the resource and create it again.' },
    {
      name: 'cascade',
      type: 'text',
      default: 'background',
      values: ['background', 'foreground', 'orphan'],
      about:
        'Must be "background", "orphan", or "foreground". Selects the deletion cascading strategy for the dependents. Requires --force.',
    },
    {
      name: 'grace-period',
      type: 'number',
      default: '-1',
      about:
        'Period of time in seconds given to the resource to terminate gracefully. Requires --force.',
    },
    {
      name: 'timeout',
      type: 'duration',
      default: '0s',
      about:
        'The length of time to wait before giving up on a delete. Requires --force; zero means to wait without a limit.',
    },
    {
      name: 'subresource',
      type: 'text',
      values: ['status', 'scale'],
      about: 'If specified, replace operates on the subresource of the requested object.',
    },
    { name: 'raw', type: 'text', unavailable: 'use kubectl get --raw or a script' },
  ],
  async run(context, { args, flags }) {
    if (args.length > 0)
      throw new CommandError(
        `Unexpected args: [${args.join(' ')}]\nSee 'kubectl replace -h' for help and examples`,
      )
    if (!flags.has('filename')) throw new CommandError('must specify one of -f and -k')
    const dryRun = dryRunOf(flags, context)
    const force = flags.on('force')
    if (force && dryRun !== 'none')
      throw new CommandError('--dry-run can not be used when --force is set')
    const results = new Results(context, flags, dryRun)
    const failures = new Failures()
    const targets: FileTarget[] = []
    for await (const target of filedObjects(context, flags.list('filename'), failures, {
      validate: flags.text('validate'),
    }))
      targets.push(target)
    if (force) for (const target of targets) await removeFirst(context, target, flags)
    for (const target of targets) {
      const body =
        flags.on('save-config') || hasLastApplied(target.object)
          ? withLastApplied(target.object)
          : target.object
      if (dryRun === 'client') {
        results.print(body, 'replaced')
        continue
      }
      await failures.during(async () => {
        if (target.name === '' && !force)
          throw new CommandError(
            `error when replacing ${JSON.stringify(target.source)}: resource name may not be empty`,
          )
        const query = writeQuery(flags, dryRun)
        const call = force
          ? {
              method: 'POST',
              path: pathWith(pathOf(target.resource, target.namespace), query),
              body,
            }
          : await overwriting(
              context,
              pathOfTarget(target, flags.text('subresource') || undefined),
              query,
              body,
            )
        const { json } = await context.client.send(call).catch((error: unknown) => {
          throw error instanceof StatusError
            ? error.during(
                `error when ${force ? 'creating' : 'replacing'} ${JSON.stringify(target.source)}`,
              )
            : error
        })
        results.print(json, 'replaced')
      })
    }
    failures.throwIfAny()
    return 0
  },
}

/** A replace without resourceVersion is unconditional, but custom resources require one. */
async function overwriting(
  { client }: Context,
  path: string,
  query: Record<string, string | undefined>,
  body: JsonObject,
): Promise<{ method: string; path: string; body: JsonObject }> {
  const call = { method: 'PUT', path: pathWith(path, query), body }
  const metadata = isJsonObject(body.metadata) ? body.metadata : {}
  if (metadata.resourceVersion) return call
  const live = await client.get(path).catch((error: unknown) => {
    if (error instanceof StatusError) return undefined
    throw error
  })
  const { resourceVersion } = isJsonObject(live?.metadata) ? live.metadata : {}
  return resourceVersion === undefined
    ? call
    : { ...call, body: { ...body, metadata: { ...metadata, resourceVersion } } }
}

async function removeFirst(context: Context, target: FileTarget, flags: FlagValues): Promise<void> {
  const policy =
    entryOf(
      { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' },
      flags.text('cascade'),
    ) ?? 'Background'
  const grace = flags.number('grace-period')
  const body = { propagationPolicy: policy, ...(grace >= 0 ? { gracePeriodSeconds: grace } : {}) }
  try {
    await context.client.send({ method: 'DELETE', path: pathOfTarget(target), body })
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return
    throw error
  }
  const [type, name] = qualifiedName(target.resource, target.name).split('/')
  context.out(`${type} "${name}" deleted\n`)
  await untilGone(context, [target], flags.duration('timeout'))
}
