/**
 * `apiequality.Semantic.DeepEqual` of k8s.io/apimachinery. kube-apiserver compares amounts in three
 * ways:
 *
 * | comparison | decisions | here |
 * |---|---|---|
 * | by value: `1Gi` is `1073741824`, empty equals absent | immutable fields, generation, rollouts | `semanticallyEqual` |
 * | by canonical text: `1024Mi` is `1Gi`, not `1073741824` | whether an update is written | `equalJson` of decoded objects |
 * | as decoded: in lists `1024Mi` is not `1Gi`, empty differs from absent | owner of an atomic value | `isDecodedAsStored` |
 */
import { entryOf, equalJson, isJsonObject, type JsonObject } from '../core/object'
import type { Field, ScalarType, StructType, TypeNode } from './model'
import { compareQuantities, parseQuantity } from './quantity'

/** @param type undefined: compare as JSON */
export function semanticallyEqual(type: TypeNode | undefined, a: unknown, b: unknown): boolean {
  // Cheaper, and nearly always true.
  if (equalJson(a, b)) return true
  switch (type?.type) {
    case 'struct':
      return isJsonObject(a) && isJsonObject(b) && equalStructs(type, a, b)
    case 'map':
      return equalMaps(type.values, a ?? {}, b ?? {})
    case 'list':
      return equalLists(type.items, a ?? [], b ?? [])
    case 'scalar':
      return equalScalars(type, a, b)
    default:
      return false
  }
}

function equalStructs(type: StructType, a: JsonObject, b: JsonObject): boolean {
  return type.fields.every((field) =>
    equalFields(field, entryOf(a, field.name), entryOf(b, field.name)),
  )
}

/** A structure without pointer always exists. */
function equalFields({ type, pointer }: Field, a: unknown, b: unknown): boolean {
  if (type.type === 'struct' && !pointer) return semanticallyEqual(type, a ?? {}, b ?? {})
  return semanticallyEqual(type, a, b)
}

function equalMaps(values: TypeNode, a: unknown, b: unknown): boolean {
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && semanticallyEqual(values, a[name], b[name]))
  )
}

function equalLists(items: TypeNode, a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return false
  return a.length === b.length && a.every((item, index) => semanticallyEqual(items, item, b[index]))
}

function equalScalars({ format }: ScalarType, a: unknown, b: unknown): boolean {
  if (format !== 'quantity' || !isAmount(a) || !isAmount(b)) return false
  return compareQuantities(parseQuantity(String(a)), parseQuantity(String(b))) === 0
}

const isAmount = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'
