/** What a change takes from which managers: sigs.k8s.io/structured-merge-diff, merge/update.go. */
import { memoizeByIdentity } from '../core/identity-memo'
import { isJsonObject, type JsonObject } from '../core/object'
import type { TypeNode } from '../schema/model'
import { type Comparison, compare } from './compare'
import {
  difference,
  type FieldSet,
  fieldSet,
  isEmpty,
  LEAF,
  recursiveDifference,
  setOf,
  union,
} from './field-set'
import { type Managers, setFields } from './managed-fields'
import { isUntyped, shapeOf } from './typed-value'
import type { Versions } from './versions'

const metadata = (name: string) => ['f:metadata', `f:${name}`]

/** See k8s.io/apimachinery, util/managedfields/internal/stripmeta.go. */
const NEVER_OWNED = setOf(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  metadata('name'),
  metadata('namespace'),
  metadata('creationTimestamp'),
  metadata('selfLink'),
  metadata('uid'),
  metadata('clusterName'),
  metadata('generation'),
  metadata('managedFields'),
  metadata('resourceVersion'),
)

export const withoutServerFields = (fields: FieldSet): FieldSet => difference(fields, NEVER_OWNED)

/** Sets of appliers recur. */
export const ownedOf = memoizeByIdentity(withoutServerFields)

/** A change in every version that a manager wrote in. */
export class Change {
  private readonly byVersion = new Map<string, Comparison | undefined>()

  /** @param reset paths that this endpoint ignores */
  constructor(
    private readonly before: JsonObject,
    private readonly after: JsonObject,
    private readonly versions: Versions,
    private readonly reset: FieldSet,
  ) {}

  /**
   * @returns undefined for an unknown version
   * @throws ApiError 500 if the object does not fit it
   */
  in(apiVersion: string): Comparison | undefined {
    if (!this.byVersion.has(apiVersion)) this.byVersion.set(apiVersion, this.compared(apiVersion))
    return this.byVersion.get(apiVersion)
  }

  get own(): Comparison {
    return this.in(this.versions.apiVersion) as Comparison
  }

  private compared(apiVersion: string): Comparison | undefined {
    const type = this.versions.typeOf(apiVersion)
    if (type === undefined) return undefined
    const { versions } = this
    const reset = versions.resetIn(apiVersion, this.reset)
    const seen = (object: JsonObject, which: string) =>
      versions.convert(
        object,
        versions.apiVersion,
        apiVersion,
        `failed to convert ${which} object: `,
      )
    const isOwn = apiVersion === versions.apiVersion
    const after = isOwn ? this.after : withoutManagedFields(this.after)
    const changes = compare(seen(this.before, 'old'), seen(after, 'new'), type)
    if (isEmpty(reset)) return changes
    return {
      added: recursiveDifference(changes.added, reset),
      modified: recursiveDifference(changes.modified, reset),
      removed: recursiveDifference(changes.removed, reset),
    }
  }
}

/** kube-apiserver does so before it compares versions. */
function withoutManagedFields(object: JsonObject): JsonObject {
  if (!isJsonObject(object.metadata) || object.metadata.managedFields === undefined) return object
  const { managedFields: _managedFields, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** A manager of a removed version loses all fields. */
export function takeFromOthers(managers: Managers, self: string | undefined, change: Change): void {
  for (const [identity, manager] of managers) {
    if (identity === self) continue
    const changes = change.in(manager.apiVersion)
    if (changes === undefined) managers.delete(identity)
    else {
      const rest = difference(
        difference(manager.fields, union(changes.modified, changes.added)),
        changes.removed,
      )
      setFields(managers, identity, manager, rest)
    }
  }
}

/** kube-apiserver converts even if nothing changed. @throws ApiError 500 for a misfitting object */
export function convertForOthers(managers: Managers, own: string, change: Change): void {
  for (const { apiVersion } of managers.values()) if (apiVersion !== own) change.in(apiVersion)
}

const fitting = new WeakMap<FieldSet, TypeNode>()

/**
 * If a type became atomic, owners of a part own the whole. Drops managers of removed versions. See
 * sigs.k8s.io/structured-merge-diff, typed/reconcile_schema.go. @throws ApiError 500
 */
export function reconcileManagers(managers: Managers, live: JsonObject, versions: Versions): void {
  const counts = new Map<string, number>()
  for (const { apiVersion } of managers.values())
    counts.set(apiVersion, (counts.get(apiVersion) ?? 0) + 1)
  for (const [identity, manager] of managers) {
    const { apiVersion } = manager
    const type = versions.typeOf(apiVersion)
    const times = counts.get(apiVersion)
    if (type === undefined) managers.delete(identity)
    else if (times !== undefined) {
      versions.convert(live, versions.apiVersion, apiVersion, '', times)
      counts.delete(apiVersion)
    }
    if (type === undefined || fitting.get(manager.fields) === type) continue
    const fields = reconciled(manager.fields, type)
    fitting.set(fields, type)
    setFields(managers, identity, manager, fields)
  }
}

function reconciled(fields: FieldSet, type: TypeNode | undefined): FieldSet {
  if (fields.children.size === 0 || type === undefined || isUntyped(type) || type.type === 'scalar')
    return fields
  const shape = shapeOf(type, undefined)
  if (shape.kind === 'leaf') return LEAF
  let children: Map<string, FieldSet> | undefined
  for (const [element, child] of fields.children) {
    const isName = element.startsWith('f:')
    const below =
      shape.kind === 'list'
        ? isName
          ? undefined
          : shape.list.items
        : isName
          ? shape.member(element.slice(2)).type
          : undefined
    const next = reconciled(child, below)
    if (next === child) continue
    children ??= new Map(fields.children)
    children.set(element, next)
  }
  return children === undefined ? fields : fieldSet(fields.member, children)
}
