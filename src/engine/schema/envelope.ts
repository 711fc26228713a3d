import type { Json, JsonObject } from '../core/object'

export const ENVELOPE =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

/** As Go's decoder names it. */
export function jsonTypeName(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value
}

export class SyntaxProblem extends Error {}

/**
 * Keys match case-insensitively and the last one wins, as in Go's encoding/json.
 * @throws SyntaxProblem
 */
export function envelopeOf(value: JsonObject): { apiVersion?: string; kind?: string } {
  const envelope: { apiVersion?: string; kind?: string } = {}
  for (const name in value) {
    const found = value[name]
    const field = ENVELOPE_FIELDS.get(name.toLowerCase() as 'kind')
    if (field === undefined || found === undefined || found === null) continue
    if (typeof found !== 'string')
      throw new SyntaxProblem(
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(found)} into Go struct field .${field} of type string`,
      )
    envelope[field] = found
  }
  return envelope
}

const ENVELOPE_FIELDS = new Map([
  ['apiversion', 'apiVersion'],
  ['kind', 'kind'],
] as const)
