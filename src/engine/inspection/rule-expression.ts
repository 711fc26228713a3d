/** Checks and evaluates `x-kubernetes-validations` rules. */
import type { Range } from '../cel/cost/estimate-types'
import type { Environment } from '../cel/environment'
import { activationOf } from '../cel/evaluation/frame'
import { type InspectedOutcome, type Inspection, inspect } from '../cel/inspection/inspect'
import { DYN } from '../cel/types/type'
import { OptionalValue, type Value } from '../cel/values/value'
import type { Json, JsonObject } from '../core/object'
import { ruleEnvironment, WRONG_RESULT } from '../kinds/apiextensions/rules/compiled-rules'
import { declaredType, MAX_REQUEST_BYTES } from '../kinds/apiextensions/rules/declared-type'
import { CALL_LIMIT } from '../kinds/apiextensions/rules/evaluation'
import { ruleValueOf } from '../kinds/apiextensions/rules/values'

export {
  RULE_LIMIT,
  type RuleCost,
  ruleCosts,
  SCHEMA_LIMIT,
} from '../kinds/apiextensions/rules/definition-errors'

export interface RulePlace {
  schema: JsonObject
  /** The schema is a version's root. */
  isRoot: boolean
  optionalOldSelf: boolean
  /** Most values of the schema in one object; undefined: unlimited. */
  count?: number
  wanted: 'bool' | 'string'
  /** `stored` rules compile with more lenient environments. */
  use: 'new' | 'stored'
  /** Absent: 1.31. */
  release?: string
}

export interface RuleInspection extends Omit<Inspection, 'evaluate' | 'estimate'> {
  environment: Environment
  estimate(): { once: Range; inObject: number } | undefined
  /** @param oldSelf absent on create @throws Error if compilation failed */
  evaluate(self: Json, oldSelf?: Json): InspectedOutcome
}

export function inspectRule(
  text: string,
  { schema, isRoot, optionalOldSelf, count, wanted, use, release }: RulePlace,
): RuleInspection {
  const isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true
  const declared = declaredType(schema, isResource)
  const environment = ruleEnvironment(declared?.type ?? DYN, optionalOldSelf, use, release)
  const { estimate, ...inspection } = inspect(text, environment)
  const type = inspection.program?.type.kind
  const wrong = type === undefined || type === wanted ? undefined : WRONG_RESULT[wanted]
  const see = (json: Json): Value => ruleValueOf(schema, json, { isResource })
  return {
    ...inspection,
    ...(wrong === undefined
      ? {}
      : { issues: [{ message: wrong, start: 0, end: text.length }], message: wrong }),
    environment,
    estimate() {
      const once = estimate(declared)
      return (
        once && {
          once,
          inObject:
            once.max * (count ?? Math.floor(MAX_REQUEST_BYTES / ((declared?.minSize ?? 0) + 1))),
        }
      )
    },
    evaluate(self, oldSelf) {
      const before = oldSelf === undefined ? undefined : see(oldSelf)
      const old = optionalOldSelf
        ? before === undefined
          ? OptionalValue.none
          : new OptionalValue(before)
        : (before ?? null)
      return inspection.evaluate(activationOf({ self: see(self), oldSelf: old }), CALL_LIMIT)
    },
  }
}
