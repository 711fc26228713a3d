import { isJsonObject, type Json, type JsonObject, setMember } from '../core/object'
import { type ApiError, serverError } from '../http/status'
import { goFormat } from '../schema/go-text'

/** `replace` or `delete`. */
export const PATCH = '$patch'
/** Members that remain. */
export const RETAIN_KEYS = '$retainKeys'
/** `$setElementOrder/<list>` */
export const SET_ORDER = '$setElementOrder'
/** `$deleteFromPrimitiveList/<list>` */
export const DELETE_FROM = '$deleteFromPrimitiveList'

/** As Go prints a string. */
export function unknownPatchType(patch: JsonObject): ApiError {
  const directive = patch[PATCH]
  const shown =
    typeof directive === 'string'
      ? directive
      : directive === null
        ? '%!s(<nil>)'
        : typeof directive === 'boolean'
          ? `%!s(bool=${directive})`
          : typeof directive === 'number'
            ? `%!s(${Number.isInteger(directive) ? 'int64' : 'float64'}=${directive})`
            : goFormat(directive as Json)
  return serverError(`unknown patch type: ${shown} in map: ${goFormat(patch)}`)
}

export function wrongType(expected: string, value: Json): ApiError {
  return serverError(`expected a ${expected}, but received a ${goTypeName(value)}`)
}

export function goTypeName(value: Json): string {
  if (value === null) return '%!s(<nil>)'
  if (typeof value === 'object')
    return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'number' ? (Number.isInteger(value) ? 'int64' : 'float64') : 'string'
}

/**
 * Drops `$patch` items and nulls of objects; other directives remain, as unknown members. Recorded
 * from kube-apiserver 1.31.
 */
export function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined)
  if (!isJsonObject(value)) return value
  if ((value[PATCH] ?? null) !== null) return undefined
  const plain: JsonObject = {}
  for (const name in value) {
    const member = value[name] as Json
    const kept = member === null ? undefined : withoutDirectives(member)
    if (kept !== undefined) setMember(plain, name, kept)
  }
  return plain
}
