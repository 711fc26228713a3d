/** The core of field ownership: what a change takes from whom (document 1, "Field ownership"). */
import type { JsonObject } from '../object'
import type { StructType, TypeNode } from '../schema/model'
import { type Comparison, compare } from './compare'
import type { Conflict } from './conflicts'
import { difference, EMPTY, type FieldSet, intersection, isEmpty, pathsOf, recursiveDifference, setOf, union } from './field-set'
import { dropEmpty, type Managers } from './managed-fields'
import { shapeOf } from './typed-value'

/** Members that belong to the server or name the object: nobody owns them. */
const NEVER_OWNED = setOf(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ['f:metadata', 'f:name'],
  ['f:metadata', 'f:namespace'],
  ['f:metadata', 'f:creationTimestamp'],
  ['f:metadata', 'f:selfLink'],
  ['f:metadata', 'f:uid'],
  ['f:metadata', 'f:clusterName'],
  ['f:metadata', 'f:generation'],
  ['f:metadata', 'f:managedFields'],
  ['f:metadata', 'f:resourceVersion'],
)

export function withoutServerFields(fields: FieldSet): FieldSet {
  return difference(fields, NEVER_OWNED)
}

/** The same object in another version of its kind, for managers that wrote through that version. */
export type Convert = (apiVersion: string) => { value: JsonObject; type: StructType } | undefined

export interface Change {
  before: JsonObject
  after: JsonObject
  type: StructType
  apiVersion: string
  /** Paths that this endpoint does not write, whatever the request says (a status through the main resource). */
  reset: FieldSet
}

export function changesOf({ before, after, type, reset }: Change): Comparison {
  const { added, modified, removed } = compare(before, after, type)
  if (isEmpty(reset)) return { added, modified, removed }
  return {
    added: recursiveDifference(added, reset),
    modified: recursiveDifference(modified, reset),
    removed: recursiveDifference(removed, reset),
  }
}

/** Owned paths of other managers that the change overwrites. */
export function conflictsOf(managers: Managers, self: string, changes: Comparison): Conflict[] {
  const changed = union(changes.modified, changes.added)
  if (isEmpty(changed)) return []
  const conflicts: Conflict[] = []
  for (const [id, manager] of managers) {
    if (id === self) continue
    for (const path of pathsOf(intersection(manager.fields, changed))) conflicts.push({ manager, path })
  }
  return conflicts
}

/** Takes what was overwritten or removed from everybody but `self`. */
export function takeFromOthers(managers: Managers, self: string, changes: Comparison): void {
  const lost = union(union(changes.modified, changes.added), changes.removed)
  if (isEmpty(lost)) return
  for (const [id, manager] of managers) {
    if (id === self) continue
    const fields = difference(manager.fields, lost)
    if (fields !== manager.fields) managers.set(id, { ...manager, fields })
  }
  dropEmpty(managers)
}

/** What a type that became atomic does to ownership below it: the whole goes to everyone who owned a part. */
export function reconcile(fields: FieldSet, type: TypeNode | undefined): FieldSet {
  if (fields.children.size === 0 || type === undefined || type.type === 'any') return fields
  const shape = shapeOf(type, {})
  if (shape.kind === 'leaf') return { member: true, children: EMPTY.children }
  const children = new Map<string, FieldSet>()
  let changed = false
  for (const [element, child] of fields.children) {
    const below =
      element.startsWith('f:') && shape.kind === 'map'
        ? shape.member(element.slice(2)).type
        : shape.kind === 'list'
          ? shape.type.items
          : undefined
    const next = reconcile(child, below)
    changed ||= next !== child
    children.set(element, next)
  }
  return changed ? { member: fields.member, children } : fields
}
