/** The objects without which the server could not serve itself keep the spec that they came with (messages recorded). */
import { BOOTSTRAP_OBJECTS } from '../../facts/bootstrap-objects'
import type { FieldError } from '../../http/status'
import { equalJson, isJsonObject, type JsonObject, type KubeObject } from '../../object'
import { invalidStructure } from '../rules/go-literal'

const MANDATORY = new Set(['exempt', 'catch-all'])

let fixedSpecs: Map<string, JsonObject> | undefined

/** Specs by kind and name, as a fresh server has them. */
function specs(): Map<string, JsonObject> {
  if (fixedSpecs === undefined) {
    const all = JSON.parse(BOOTSTRAP_OBJECTS) as { path: string; object: KubeObject }[]
    const own = all.filter(({ path, object }) => path.startsWith('apis/flowcontrol.') && MANDATORY.has(object.metadata.name ?? ''))
    fixedSpecs = new Map(own.map(({ object }) => [`${object.kind} ${object.metadata.name}`, object.spec as JsonObject]))
  }
  return fixedSpecs
}

/** The shares of the exempt level are nobody's but the administrator's. */
function withoutShares(spec: JsonObject): JsonObject {
  const { exempt: _, ...rest } = spec
  return rest
}

export function fixedSpecErrors(object: KubeObject): FieldError[] {
  const { name = '' } = object.metadata
  if (!MANDATORY.has(name)) return []
  const fixed = specs().get(`${object.kind} ${name}`)
  const spec = isJsonObject(object.spec) ? object.spec : {}
  const isExemptLevel = name === 'exempt' && object.kind === 'PriorityLevelConfiguration'
  const same = isExemptLevel ? equalJson(withoutShares(spec), withoutShares(fixed ?? {})) : equalJson(spec, fixed)
  if (same) return []
  const what = isExemptLevel ? `'${name}' except the 'spec.exempt' field` : `'${name}'`
  return [invalidStructure('spec', `flowcontrol.v1.${object.kind}Spec`, spec, `spec of ${what} must equal the fixed value`)]
}
