import { MEDIA_TYPE } from '../../../engine/core/names'
import { equalJson, isJsonObject, type JsonObject } from '../../../engine/core/object'
import { Failures } from '../../acting/failures'
import {
  ALL_FLAG,
  DRY_RUN_FLAG,
  dryRunOf,
  fieldManagerFlag,
  LABELS_FLAG,
  LOCAL_FLAG,
  RECURSIVE_FLAG,
} from '../../acting/flags'
import { type FoundObject, filedObjects, foundObjects } from '../../acting/objects'
import { copyOf, mergePatchOf } from '../../acting/patches'
import { Results } from '../../acting/results'
import { pathWith } from '../../client'
import { printedBy } from '../../client-release'
import type { Context, Flag, FlagValues } from '../../command'
import { CommandError, StatusError } from '../../errors'
import { OUTPUT_FLAGS } from '../../output/printer'
import { pathOfTarget, select } from '../../targets'
import { FILE_FLAGS } from '../common-flags'

export const CHANGE_FLAGS: readonly Flag[] = [
  ...FILE_FLAGS,
  DRY_RUN_FLAG,
  fieldManagerFlag('kubectl-set'),
  ...OUTPUT_FLAGS,
  LABELS_FLAG,
  ALL_FLAG,
  LOCAL_FLAG,
  RECURSIVE_FLAG,
]

export interface Container {
  name: string
  image?: string
  env?: EnvironmentVariable[]
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> }
  [member: string]: unknown
}

export interface EnvironmentVariable {
  name: string
  value?: string
  valueFrom?: {
    configMapKeyRef?: KeyReference
    secretKeyRef?: KeyReference
    fieldRef?: { fieldPath: string }
    resourceFieldRef?: { resource: string }
  }
}

interface KeyReference {
  name: string
  key: string
}

export interface PodSpec {
  containers: Container[]
  initContainers?: Container[]
  serviceAccountName?: string
  [member: string]: unknown
}

export interface TemplateChange {
  /** `image updated`. */
  done: string
  /**
   * Changes a copy.
   * @returns false to leave the object alone, without a message
   * @throws CommandError
   */
  change(object: JsonObject, target: FoundObject, failures: Failures): boolean
  /** Prefix of the server's error. */
  failed?: string
  /** Prints nothing for an unchanged object. */
  silentIfSame?: boolean
}

export async function* changed(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
  failures: Failures,
): AsyncGenerator<FoundObject> {
  if (flags.on('local')) {
    yield* filedObjects(context, flags.list('filename'), failures, { asWritten: true })
    return
  }
  const selection = await select(context, {
    args,
    files: flags.list('filename'),
    selector: flags.text('selector') || undefined,
    all: flags.on('all'),
  })
  yield* foundObjects(context, selection, failures)
}

export async function changeObjects(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
  { change, done, failed, silentIfSame }: TemplateChange,
): Promise<number> {
  const dryRun = dryRunOf(flags, context)
  const local = flags.on('local')
  const failures = new Failures()
  const results = new Results(context, flags, dryRun)
  for await (const target of changed(context, args, flags, failures)) {
    await failures.during(async () => {
      const copy = copyOf(target.object)
      if (change(copy, target, failures) === false) return
      const same = equalJson(copy, target.object)
      if (same && silentIfSame) return
      let object = local ? printedBy(await context.discovery.version(), completed(copy)) : copy
      if (!local && dryRun !== 'client') {
        const path = pathWith(pathOfTarget(target), {
          fieldManager: flags.text('field-manager'),
          dryRun: dryRun === 'server' ? 'All' : undefined,
        })
        const call = {
          method: 'PATCH',
          path,
          contentType: MEDIA_TYPE.mergePatch,
          body: mergePatchOf(target.object, copy),
        }
        object = (
          await context.client.send(call).catch((error: unknown) => {
            throw failed !== undefined && error instanceof StatusError
              ? new CommandError(`${failed}${error.message}`)
              : error
          })
        ).json
      }
      results.print(object, done)
    })
  }
  failures.throwIfAny()
  return 0
}

/** Adds the members that types always write, for an unstored object. */
function completed(object: JsonObject): JsonObject {
  const metadata = isJsonObject(object.metadata) ? object.metadata : {}
  return { ...object, metadata: { creationTimestamp: null, ...metadata } }
}

/** @throws CommandError for kinds without pods */
export function podSpecOf(object: JsonObject, { resource, name }: FoundObject): PodSpec {
  const spec = isJsonObject(object.spec) ? object.spec : {}
  const jobSpec =
    isJsonObject(spec.jobTemplate) && isJsonObject(spec.jobTemplate.spec)
      ? spec.jobTemplate.spec
      : spec
  const template = isJsonObject(jobSpec.template) ? jobSpec.template : undefined
  const found = resource.kind === 'Pod' ? spec : template?.spec
  if (!isJsonObject(found)) {
    throw new CommandError(
      `${resource.resource}/${name} the object is not a pod or does not have a pod template: *${resource.version}.${resource.kind}`,
    )
  }
  return found as unknown as PodSpec
}

/** Matches `*` and `web*`. */
export function matching(containers: readonly Container[], pattern: string): Container[] {
  const expression = new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  )
  return containers.filter(({ name }) => expression.test(name))
}

export const allContainers = ({ initContainers = [], containers }: PodSpec): Container[] => [
  ...initContainers,
  ...containers,
]
