/** `kubectl patch` */
import { MEDIA_TYPE } from '../../engine/core/names'
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../engine/core/object'
import { applyJsonPatch } from '../../engine/patch/json-patch'
import { readJsonPatch } from '../../engine/patch/json-patch-reader'
import { applyMergePatch } from '../../engine/patch/merge-patch'
import { applyStrategicMergePatch } from '../../engine/patch/strategic-merge-patch'
import { readYaml } from '../../engine/schema/yaml/reader'
import { Failures } from '../acting/failures'
import {
  DRY_RUN_FLAG,
  dryRunOf,
  fieldManagerFlag,
  LOCAL_FLAG,
  RECURSIVE_FLAG,
} from '../acting/flags'
import { kindType } from '../acting/kind-type'
import { type FoundObject, filedObjects, foundObjects } from '../acting/objects'
import { copyOf } from '../acting/patches'
import { Results } from '../acting/results'
import { pathWith } from '../client'
import type { Command, Context, FlagValues } from '../command'
import { apiVersionOf } from '../discovery'
import { CommandError, StatusError } from '../errors'
import { OUTPUT_FLAGS } from '../output/printer'
import { pathOfTarget, select } from '../targets'
import { FILE_FLAGS } from './common-flags'

type PatchType = 'strategic' | 'merge' | 'json'

const MEDIA: Record<PatchType, string> = {
  strategic: MEDIA_TYPE.strategicMergePatch,
  merge: MEDIA_TYPE.mergePatch,
  json: 'application/json-patch+json',
}
const SUBRESOURCES = ['status', 'scale']

export const PATCH: Command = {
  name: 'patch',
  summary: 'Update fields of a resource',
  usage: 'patch (-f FILENAME | TYPE NAME) [-p PATCH|--patch-file FILE]',
  examples: [
    {
      line: `kubectl patch deployment web -p '{"spec":{"replicas":3}}'`,
      about: 'Partially update a deployment using a strategic merge patch',
    },
    {
      line: `kubectl patch deployment web --type=json -p '[{"op":"remove","path":"/spec/paused"}]'`,
      about: 'Update it using a JSON patch',
    },
    {
      line: `kubectl patch deployment web --subresource=scale --type=merge -p '{"spec":{"replicas":3}}'`,
      about: 'Update its replicas through the scale subresource using a merge patch',
    },
  ],
  completes: 'objects',
  flags: [
    ...FILE_FLAGS,
    DRY_RUN_FLAG,
    fieldManagerFlag('kubectl-patch'),
    ...OUTPUT_FLAGS,
    LOCAL_FLAG,
    RECURSIVE_FLAG,
    {
      name: 'patch',
      short: 'p',
      type: 'text',
      about: 'The patch to be applied to the resource JSON file.',
    },
    {
      name: 'patch-file',
      type: 'text',
      values: 'files',
      about: 'Name of an open file that contains a patch to be applied to the resource.',
    },
    {
      name: 'type',
      type: 'text',
      default: 'strategic',
      values: Object.keys(MEDIA),
      about: 'The type of patch being provided; one of [json merge strategic].',
    },
    {
      name: 'subresource',
      type: 'text',
      values: SUBRESOURCES,
      about: 'If specified, patch operates on the subresource of the requested object.',
    },
  ],
  async run(context, { args, flags }) {
    const dryRun = dryRunOf(flags, context)
    const type = typeOf(flags)
    const patch = patchText(context, flags)
    const subresource = flags.text('subresource') || undefined
    if (subresource !== undefined && !SUBRESOURCES.includes(subresource)) {
      throw new CommandError(
        `invalid subresource value: ${JSON.stringify(subresource)}. Must be one of [${SUBRESOURCES.join(' ')}]`,
      )
    }
    const results = new Results(context, flags)
    const failures = new Failures()
    const local = flags.on('local')
    let count = 0
    for await (const target of objects(context, args, flags, failures)) {
      count++
      await failures.during(async () => {
        let changed: JsonObject
        if (local || dryRun === 'client') changed = await patchedHere(target, patch, type)
        else {
          const query = {
            fieldManager: flags.text('field-manager'),
            dryRun: dryRun === 'server' ? 'All' : undefined,
          }
          const path = pathWith(pathOfTarget(target, subresource), query)
          changed = (
            await context.client
              .send({ method: 'PATCH', path, contentType: MEDIA[type], body: patch })
              .catch(explained(target, type))
          ).json
        }
        results.print(
          changed,
          equalJson(changed, target.object) ? 'patched (no change)' : 'patched',
        )
      })
    }
    failures.throwIfAny()
    if (count === 0) throw new CommandError('no objects passed to patch')
    return 0
  },
}

/** Custom resources have no strategic merge patch: name the alternative. */
const explained =
  ({ resource }: FoundObject, type: PatchType) =>
  (error: unknown): never => {
    if (!(error instanceof StatusError) || error.reason !== 'UnsupportedMediaType') throw error
    throw new CommandError(
      `${MEDIA[type]} is not supported by ${apiVersionOf(resource)}, Kind=${resource.kind}: ${error.message}`,
    )
  }

async function* objects(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
  failures: Failures,
): AsyncGenerator<FoundObject> {
  if (flags.has('filename')) {
    yield* filedObjects(context, flags.list('filename'), failures, { asWritten: flags.on('local') })
    return
  }
  const choice = { args, subresource: flags.text('subresource') || undefined }
  yield* foundObjects(context, await select(context, choice), failures)
}

function typeOf(flags: FlagValues): PatchType {
  const type = flags.text('type').toLowerCase()
  if (!Object.hasOwn(MEDIA, type)) {
    throw new CommandError(
      `--type must be one of [${Object.keys(MEDIA).sort().join(' ')}], not ${JSON.stringify(flags.text('type'))}`,
    )
  }
  return type as PatchType
}

/** @returns JSON @throws CommandError without a patch */
function patchText({ host }: Context, flags: FlagValues): string {
  if (flags.text('patch') === '' && flags.text('patch-file') === '')
    throw new CommandError(
      'must specify --patch or --patch-file containing the contents of the patch',
    )
  if (flags.has('patch') && flags.has('patch-file'))
    throw new CommandError('cannot specify --patch and --patch-file together')
  const file = flags.text('patch-file')
  const text = flags.has('patch') ? flags.text('patch') : host.readFile(file)
  if (text === undefined)
    throw new CommandError(`unable to read patch file: open ${file}: no such file or directory`)
  // JSON is unchanged, so that the server reports its errors.
  if (/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(readYaml(text).value)
  } catch (error) {
    throw new CommandError(
      `unable to parse ${JSON.stringify(text)}: ${error instanceof Error ? error.message : error}`,
    )
  }
}

async function patchedHere(
  { object, resource }: FoundObject,
  text: string,
  type: PatchType,
): Promise<JsonObject> {
  const patch = JSON.parse(text) as Json
  const copy = copyOf(object)
  if (type === 'json') return applyJsonPatch(copy, readJsonPatch(patch).operations) as JsonObject
  if (type === 'merge') return applyMergePatch(copy, patch) as JsonObject
  const model = await kindType(resource)
  if (model === undefined)
    throw new CommandError(
      `strategic merge patch is not supported for ${isJsonObject(object) ? object.kind : ''}: use --type=merge`,
    )
  return applyStrategicMergePatch(copy, patch, model)
}
