import type { TreeKind } from '../../state/cluster'
import type { ServedResource } from '../../state/discovery'
import { pluralOf } from '../../state/plural'
import type { TreeObject } from '../../state/tree-object'

export type Row =
  | { type: 'group'; id: string; title: string; count: number; open: boolean }
  | {
      type: 'kind'
      id: string
      title: string
      count: number
      open: boolean
      kind: TreeKind
      shadow: boolean
    }
  | ObjectRow

/** Cached, so it must not reference a kind, which would retain all objects of that time. */
export interface ObjectRow {
  type: 'object'
  id: string
  resource: ServedResource
  object: TreeObject
}

export const LEVEL = { group: 1, kind: 2, object: 3 } as const

export interface TreeOptions {
  /** Rows whose state differs from `isOpenAtFirst`. */
  toggled: ReadonlySet<string>
  /** Part of a name, a kind or a short name. */
  filter: string
  /** Empty: all. */
  namespace: string
  /** Includes kinds without objects. */
  all: boolean
}

/** Common groups come first and are open, then `NEXT`, then all others by name. */
const FAMILIAR = ['', 'apps', 'batch', 'networking.k8s.io']
const NEXT = ['rbac.authorization.k8s.io', 'autoscaling', 'policy']
const OPEN_KINDS = [
  'kind:/pods',
  'kind:/services',
  'kind:apps/deployments',
  'kind:apps/replicasets',
  'kind:batch/jobs',
]

/** Groups of custom resources are open too. */
function isOpenAtFirst(id: string): boolean {
  if (id.startsWith('kind:')) return OPEN_KINDS.includes(id)
  const group = id.slice('group:'.length)
  return FAMILIAR.includes(group) || !(group.endsWith('.k8s.io') || NEXT.includes(group))
}

const rankOf = (group: string): number => {
  const rank = [...FAMILIAR, ...NEXT].indexOf(group)
  return rank < 0 ? FAMILIAR.length + NEXT.length : rank
}

export const idOfKind = (kind: TreeKind): string => `kind:${kind.key}`
export const idOfGroup = (kind: TreeKind): string => `group:${kind.resource.group}`
export const idOfObject = (
  kind: TreeKind,
  { namespace, name }: Pick<TreeObject, 'namespace' | 'name'>,
): string => `object:${kind.key}/${namespace}/${name}`

export function isOpen(id: string, toggled: ReadonlySet<string>): boolean {
  return isOpenAtFirst(id) !== toggled.has(id)
}

export function rowsOf(kinds: Iterable<TreeKind>, options: TreeOptions): Row[] {
  const groups = new Map<string, TreeKind[]>()
  for (const kind of kinds)
    groups.set(kind.resource.group, [...(groups.get(kind.resource.group) ?? []), kind])
  const sorted = [...groups].sort(([a], [b]) => rankOf(a) - rankOf(b) || a.localeCompare(b))
  return sorted.flatMap(([group, members]) => groupRows(group, members, options))
}

function groupRows(group: string, kinds: TreeKind[], options: TreeOptions): Row[] {
  const shown = kinds
    .map((kind) => ({ kind, objects: objectsOf(kind, options) }))
    .filter(
      ({ kind, objects }) =>
        objects.length > 0 || (options.all && kindMatches(kind, options.filter)),
    )
    .sort((a, b) => a.kind.resource.kind.localeCompare(b.kind.resource.kind))
  if (shown.length === 0) return []
  const id = `group:${group}`
  const open = options.filter !== '' || isOpen(id, options.toggled)
  const count = shown.reduce((sum, { objects }) => sum + objects.length, 0)
  const head: Row = { type: 'group', id, title: group === '' ? 'core' : group, count, open }
  return open
    ? [head, ...shown.flatMap(({ kind, objects }) => kindRows(kind, objects, options))]
    : [head]
}

function kindRows(kind: TreeKind, objects: TreeObject[], { toggled, filter }: TreeOptions): Row[] {
  const id = idOfKind(kind)
  const open = filter !== '' || isOpen(id, toggled)
  const head: Row = {
    type: 'kind',
    id,
    title: pluralOf(kind.resource),
    count: objects.length,
    open,
    kind,
    shadow: objects.length === 0,
  }
  return open ? [head, ...objects.map((object) => rowOf(kind, object))] : [head]
}

/** One row per object version, across renders. */
const objectRows = new WeakMap<TreeObject, ObjectRow>()

function rowOf(kind: TreeKind, object: TreeObject): ObjectRow {
  let row = objectRows.get(object)
  if (row === undefined) {
    row = { type: 'object', id: idOfObject(kind, object), resource: kind.resource, object }
    objectRows.set(object, row)
  }
  return row
}

function objectsOf(kind: TreeKind, { filter, namespace }: TreeOptions): TreeObject[] {
  const whole = kindMatches(kind, filter)
  const found: TreeObject[] = []
  for (const key of kind.order) {
    const object = kind.objects.get(key)
    if (
      object === undefined ||
      (namespace !== '' && object.namespace !== '' && object.namespace !== namespace)
    )
      continue
    if (whole || object.name.includes(filter)) found.push(object)
  }
  return found
}

function kindMatches({ resource }: TreeKind, filter: string): boolean {
  return filter === '' || resource.resource.includes(filter) || resource.shortNames.includes(filter)
}

export function move(
  rows: readonly Row[],
  at: number,
  key: string,
): { to: number } | { toggle: string } | undefined {
  const row = rows[at]
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(at + 1, rows.length - 1) }
    case 'ArrowUp':
      return { to: Math.max(at - 1, 0) }
    case 'Home':
      return { to: 0 }
    case 'End':
      return { to: rows.length - 1 }
    case 'ArrowRight':
      if (row === undefined || row.type === 'object') return undefined
      return row.open ? { to: Math.min(at + 1, rows.length - 1) } : { toggle: row.id }
    case 'ArrowLeft': {
      if (row === undefined) return undefined
      if (row.type !== 'object' && row.open) return { toggle: row.id }
      for (let i = at - 1; i >= 0; i--)
        if (LEVEL[(rows[i] as Row).type] < LEVEL[row.type]) return { to: i }
      return undefined
    }
  }
  return undefined
}

/** 1-based positions of rows among their siblings, because not all rows are rendered. */
export interface Places {
  positions: Uint32Array
  sizes: Uint32Array
}

export function placesOf(rows: readonly Row[]): Places {
  const positions = new Uint32Array(rows.length)
  const sizes = new Uint32Array(rows.length)
  const counts = [0, 0, 0, 0]
  for (const [index, { type }] of rows.entries()) {
    const level = LEVEL[type]
    counts.fill(0, level + 1)
    positions[index] = counts[level] = (counts[level] as number) + 1
  }
  counts.fill(0)
  for (let index = rows.length - 1; index >= 0; index--) {
    const level = LEVEL[(rows[index] as Row).type]
    sizes[index] = counts[level] ||= positions[index] as number
    // The rows before it are children of another row.
    counts.fill(0, level + 1)
  }
  return { positions, sizes }
}
