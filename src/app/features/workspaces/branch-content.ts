/** Three-way comparison of a branch: the objects at its start, now, and in the parent. */
import { entryOf, type JsonObject, type KubeObject } from '../../../engine/core/object'
import type { StoredRow } from '../../../hosts/shared/snapshots'

/** By storage key. A short hash of the content suffices to see whether an object changed. */
export type Digests = Readonly<Record<string, string>>

export interface BranchChange {
  key: string
  type: 'created' | 'changed' | 'deleted'
  /** As in the branch; of a deletion, as in the parent. */
  object: KubeObject
  /** undefined: the parent does not have it. */
  parent: KubeObject | undefined
  /** The parent changed it too, to something else. */
  conflict: boolean
}

/** Controllers and the kubelet write them, in every cluster on its own. */
const DERIVED: ReadonlySet<string> = new Set([
  'APIService',
  'ControllerRevision',
  'Endpoints',
  'EndpointSlice',
  'Event',
  'IPAddress',
  'Lease',
  'Node',
  'ServiceCIDR',
  'StorageVersion',
])
const IN_EVERY_NAMESPACE = ['ConfigMap kube-root-ca.crt', 'ServiceAccount default']
const REVISION_OF_CONTROLLER = 'deployment.kubernetes.io/revision'

const isDerived = ({ kind, metadata }: KubeObject): boolean =>
  DERIVED.has(kind) ||
  IN_EVERY_NAMESPACE.includes(`${kind} ${metadata.name}`) ||
  (metadata.ownerReferences ?? []).some(({ controller }) => controller === true)

/** What users decide: without status, versions and owners of fields. */
export function contentOf(object: KubeObject): JsonObject {
  const { status: _status, metadata, ...rest } = object as KubeObject & { status?: unknown }
  const { name, namespace, labels, annotations, finalizers } = metadata
  const { [REVISION_OF_CONTROLLER]: _revision, ...kept } = annotations ?? {}
  return JSON.parse(
    JSON.stringify({
      ...rest,
      metadata: {
        name,
        namespace,
        labels,
        annotations: Object.keys(kept).length === 0 ? undefined : kept,
        finalizers,
      },
    }),
  ) as JsonObject
}

export const digestsOf = (rows: readonly StoredRow[]): Digests =>
  Object.fromEntries(
    rows
      .filter(({ object }) => !isDerived(object))
      .map(({ key, object }) => [key, digestOf(object)]),
  )

/** Namespaces and definitions first, deletions last: the order in which a merge sends them. */
export function branchChanges(
  base: Digests,
  branch: readonly StoredRow[],
  parent: readonly StoredRow[],
): BranchChange[] {
  const [ours, theirs] = [byKey(branch), byKey(parent)]
  const written = [...ours].flatMap(([key, object]): BranchChange[] => {
    const now = digestOf(object)
    const before = entryOf(base, key)
    const other = theirs.get(key)
    if (now === before || (other && digestOf(other) === now)) return []
    const conflict = (other && digestOf(other)) !== before
    return [{ key, type: other ? 'changed' : 'created', object, parent: other, conflict }]
  })
  const deleted = Object.keys(base).flatMap((key): BranchChange[] => {
    const other = theirs.get(key)
    if (ours.has(key) || other === undefined) return []
    const conflict = digestOf(other) !== entryOf(base, key)
    return [{ key, type: 'deleted', object: other, parent: other, conflict }]
  })
  return [...written.sort((a, b) => rankOf(a) - rankOf(b)), ...deleted]
}

const FIRST = ['Namespace', 'CustomResourceDefinition']
const rankOf = ({ object }: BranchChange): number => (FIRST.includes(object.kind) ? 0 : 1)

const byKey = (rows: readonly StoredRow[]): Map<string, KubeObject> =>
  new Map(rows.filter(({ object }) => !isDerived(object)).map(({ key, object }) => [key, object]))

/** FNV-1a of the content with sorted members. */
function digestOf(object: KubeObject): string {
  const text = JSON.stringify(contentOf(object), (_key, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return `${hash.toString(36)}-${text.length.toString(36)}`
}
