/**
 * The type metadata that a JSON document is decoded into first, to determine its kind. Only an
 * object (or null) fits.
 */
import type { Json } from '../object'

export const ENVELOPE =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

/** The kind of a JSON value as Go's decoder names it: `array`, `bool`. */
export function jsonTypeName(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value
}
