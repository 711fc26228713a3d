/** Compares live objects with a server dry run. */

import { MEDIA_TYPE } from '../../engine/core/names'
import { isJsonObject, type JsonObject } from '../../engine/core/object'
import { toYaml } from '../../engine/encoding/yaml'
import { Failures } from '../acting/failures'
import { fieldManagerFlag, LABELS_FLAG, RECURSIVE_FLAG } from '../acting/flags'
import { kindType } from '../acting/kind-type'
import { type FileTarget, filedObjects } from '../acting/objects'
import { copyOf } from '../acting/patches'
import { pathWith } from '../client'
import type { Command, Context, FlagValues } from '../command'
import { pathOf } from '../discovery'
import { CommandError, errorText, StatusError } from '../errors'
import { CLIENT_SIDE_MANAGER, SERVER_SIDE_MANAGER } from '../managers'
import { pathOfTarget } from '../targets'
import { lastApplied, threeWayPatch, withoutLastApplied } from '../three-way'
import { FILE_FLAGS } from './common-flags'
import { unifiedDiff } from './unified-diff'

/** Exit code of errors; 1 means differences. */
const FAILED = 2

export const DIFF: Command = {
  name: 'diff',
  summary: 'Diff the live version against a would-be applied version',
  usage: 'diff -f FILENAME',
  examples: [
    { line: 'kubectl diff -f web.yaml', about: 'Diff the resources of an open file' },
    {
      line: 'kubectl diff -f web.yaml --server-side',
      about: 'Diff them against the result of server-side apply',
    },
  ],
  flags: [
    ...FILE_FLAGS,
    fieldManagerFlag(CLIENT_SIDE_MANAGER),
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
      name: 'show-managed-fields',
      type: 'on',
      about: 'If true, include managed fields in the diff.',
    },
    {
      name: 'concurrency',
      type: 'number',
      default: '1',
      about: 'Accepted for compatibility; it has no effect here.',
    },
    {
      name: 'prune',
      type: 'on',
      unavailable: 'delete the objects by name or by label',
    },
  ],
  async run(context, { args, flags, path }) {
    try {
      if (args.length > 0)
        throw new CommandError(
          `Unexpected args: [${args.join(' ')}]\nSee '${path} -h' for help and examples`,
        )
      if (!flags.has('filename')) throw new CommandError('must specify one of -f and -k')
      const failures = new Failures()
      let differs = false
      for await (const target of filedObjects(context, flags.list('filename'), failures)) {
        await failures.during(async () => {
          const text = await difference(context, target, flags)
          differs ||= text !== ''
          context.out(text)
        })
      }
      failures.throwIfAny()
      return differs ? 1 : 0
    } catch (error) {
      if (!(error instanceof Error) || context.signal.aborted) throw error
      context.err(errorText(error))
      return FAILED
    }
  },
}

async function difference(
  context: Context,
  target: FileTarget,
  flags: FlagValues,
): Promise<string> {
  const live = await context.client.get(pathOfTarget(target)).catch((error: unknown) => {
    if (error instanceof StatusError && error.code === 404) return undefined
    throw error
  })
  const merged = await mergedObject(context, target, live, flags)
  const [before, after] =
    target.resource.kind === 'Secret' && target.resource.group === ''
      ? masked(live, merged)
      : [live, merged]
  const shown = (object: JsonObject | undefined): string =>
    object === undefined
      ? ''
      : toYaml(flags.on('show-managed-fields') ? object : withoutManagedFields(object))
  const { resource, namespace = '', name } = target
  const file = [
    ...(resource.group === '' ? [] : [resource.group]),
    resource.version,
    resource.kind,
    namespace,
    name,
  ].join('.')
  return unifiedDiff(file, shown(before), shown(after))
}

async function mergedObject(
  { client }: Context,
  target: FileTarget,
  live: JsonObject | undefined,
  flags: FlagValues,
): Promise<JsonObject> {
  const query = { fieldManager: flags.text('field-manager'), dryRun: 'All' }
  if (flags.on('server-side')) {
    const fieldManager = flags.has('field-manager') ? query.fieldManager : SERVER_SIDE_MANAGER
    const path = pathWith(pathOfTarget(target), {
      ...query,
      fieldManager,
      force: String(flags.on('force-conflicts')),
    })
    return (
      await client.send({
        method: 'PATCH',
        path,
        contentType: MEDIA_TYPE.applyPatch,
        body: target.object,
      })
    ).json
  }
  if (live === undefined) {
    return (
      await client.send({
        method: 'POST',
        path: pathWith(pathOf(target.resource, target.namespace), query),
        body: target.object,
      })
    ).json
  }
  const type = await kindType(target.resource)
  const patch = threeWayPatch(
    withoutLastApplied(lastApplied(live)),
    withoutLastApplied(target.object),
    live,
    type,
  )
  const contentType = type === undefined ? MEDIA_TYPE.mergePatch : MEDIA_TYPE.strategicMergePatch
  return (
    await client.send({
      method: 'PATCH',
      path: pathWith(pathOfTarget(target), query),
      contentType,
      body: patch,
    })
  ).json
}

function withoutManagedFields(object: JsonObject): JsonObject {
  const { managedFields: _hidden, ...metadata } = isJsonObject(object.metadata)
    ? object.metadata
    : {}
  return { ...object, metadata }
}

/** Masks secret values, and marks those that differ. */
function masked(
  live: JsonObject | undefined,
  merged: JsonObject,
): [JsonObject | undefined, JsonObject] {
  const dataOf = (object: JsonObject | undefined): JsonObject =>
    isJsonObject(object?.data) ? object.data : {}
  const [before, after] = [dataOf(live), dataOf(merged)]
  const stars = (own: JsonObject, other: JsonObject, when: string): JsonObject =>
    Object.fromEntries(
      Object.entries(own).map(([key, value]) => [
        key,
        key in other && other[key] !== value ? `*** (${when})` : '***',
      ]),
    )
  const covered = (object: JsonObject, data: JsonObject): JsonObject =>
    Object.keys(data).length === 0 ? object : { ...copyOf(object), data }
  return [
    live && covered(live, stars(before, after, 'before')),
    covered(merged, stars(after, before, 'after')),
  ]
}
