/** What two clusters store after the same or other manifests, compared object by object. */
import { structuredPatch } from 'diff'
import { type JsonObject, type KubeObject, parseApiVersion } from '../../engine/core/object'
import { toYaml } from '../../engine/encoding/yaml'
import type { Release } from '../../engine/releases/release'
import { type Manifest, nameOf } from '../manifests/read'
import { isSecret, withoutValues } from '../manifests/secrets'
import { inCreationOrder, Rehearsal } from '../rehearsal/rehearsal'
import { withoutAllocated } from './allocated'

export interface Stored {
  object: string
  /** As YAML without values that each cluster generates; empty if rejected. */
  text: string
  /** The message of the rejection. */
  rejected?: string
}

export interface Side {
  manifests: readonly Manifest[]
  release: Release
}

export interface Difference {
  object: string
  change: 'added' | 'removed' | 'changed'
  /** Lines of a unified diff, without file names. */
  lines: string[]
  /** Per side, the message of a rejection. */
  rejected: [string | undefined, string | undefined]
}

export async function storedObjects({ manifests, release }: Side): Promise<Map<string, Stored>> {
  const rehearsal = await Rehearsal.start({ release })
  const stored = new Map<string, Stored>()
  try {
    for (const { object } of inCreationOrder(manifests)) {
      const { message, object: result } = await rehearsal.apply(object)
      const rejected = result === undefined ? { rejected: message } : {}
      stored.set(identityOf(object), {
        object: nameOf(object),
        text: textOf(object, result),
        ...rejected,
      })
    }
    return stored
  } finally {
    await rehearsal.close()
  }
}

/** The same in every version of the API group. */
function identityOf({ apiVersion, kind, metadata }: KubeObject): string {
  const { group } = parseApiVersion(apiVersion)
  const { namespace = 'default', name, generateName } = metadata
  return JSON.stringify([group, kind, namespace, name ?? `${generateName}*`])
}

function textOf(given: KubeObject, stored: KubeObject | undefined): string {
  if (stored === undefined) return ''
  const object = withoutAllocated(stored, given)
  const { status, ...rest } = isSecret(object) ? withoutValues(object) : object
  const { uid, resourceVersion, creationTimestamp, managedFields, generation, ...metadata } =
    rest.metadata
  return toYaml({ ...rest, metadata } as unknown as JsonObject)
}

export function differencesBetween(
  before: ReadonlyMap<string, Stored>,
  after: ReadonlyMap<string, Stored>,
): Difference[] {
  const identities = new Set([...before.keys(), ...after.keys()])
  return [...identities].flatMap((identity) => {
    const [old, current] = [before.get(identity), after.get(identity)]
    const same = old?.text === current?.text && old?.rejected === current?.rejected
    if (same && old !== undefined && current !== undefined) return []
    return [
      {
        object: (old ?? current)?.object ?? identity,
        change: old === undefined ? 'added' : current === undefined ? 'removed' : 'changed',
        lines: unifiedLines(old?.text ?? '', current?.text ?? ''),
        rejected: [old?.rejected, current?.rejected],
      } satisfies Difference,
    ]
  })
}

function unifiedLines(before: string, after: string): string[] {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: 3 })
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ])
}
