/** The behavior of a HorizontalPodAutoscaler with Go's member names, all written. */
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import { goJson } from '../../schema/go-json'
import type { TypeModel } from '../../schema/model'

const DIRECTIONS = ['scaleUp', 'scaleDown']
const RULES = ['stabilizationWindowSeconds', 'selectPolicy', 'policies', 'tolerance']
const POLICY = ['type', 'value', 'periodSeconds']

const goName = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Absent members are null. */
function spelled(
  object: JsonObject,
  members: string[],
  inner: (name: string, value: Json) => Json,
): JsonObject {
  return Object.fromEntries(
    members.map((name) => [goName(name), inner(name, object[name] ?? null)]),
  )
}

const each = (value: Json, of: (object: JsonObject) => JsonObject): Json =>
  Array.isArray(value) ? value.map((item) => (isJsonObject(item) ? of(item) : item)) : value

export function behaviorText(behavior: JsonObject, model: TypeModel): string {
  const names = rulesOf(model)
  const policies = (value: Json) =>
    each(value, (policy) => spelled(policy, POLICY, (_, inner) => inner))
  const rules = (value: Json) =>
    isJsonObject(value)
      ? spelled(value, names, (name, inner) => (name === 'policies' ? policies(inner) : inner))
      : value
  return goJson(spelled(behavior, DIRECTIONS, (_, value) => rules(value)))
}

function rulesOf(model: TypeModel): string[] {
  const type = model.byName('io.k8s.api.autoscaling.v2.HPAScalingRules')
  return RULES.filter((name) => type?.type === 'struct' && type.byName.has(name))
}

/** Ignores case, as Go. */
export function behaviorFromText(
  value: Json | undefined,
  model: TypeModel,
): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined
  const behavior = read(value, DIRECTIONS)
  for (const direction of DIRECTIONS) {
    const rules = behavior[direction]
    if (!isJsonObject(rules)) continue
    const known = read(rules, rulesOf(model))
    // Validation rejects these later.
    behavior[direction] = {
      ...known,
      policies: each(known.policies ?? [], (policy) => read(policy, POLICY)),
    }
  }
  return Object.keys(behavior).length === 0 ? undefined : behavior
}

function read(object: JsonObject, members: string[]): JsonObject {
  const known: JsonObject = {}
  for (const [name, value] of Object.entries(object)) {
    const member = members.find((candidate) => candidate.toLowerCase() === name.toLowerCase())
    if (member !== undefined && value !== null) known[member] = value
  }
  return known
}
