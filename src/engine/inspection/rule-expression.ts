/**
 * Inspects rules of custom resources (`x-kubernetes-validations`), and evaluates them with given
 * values.
 */
import type { Range } from '../cel/cost/estimate'
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
  /** The schema of `self`. */
  schema: JsonObject
  /** The schema is the root of a version. */
  isRoot: boolean
  optionalOldSelf: boolean
  /** The most values of the schema in one object; undefined: unlimited. */
  count?: number
  wanted: 'bool' | 'string'
  /** `new`: a definition that is written now; `stored`: an existing one. */
  use: 'new' | 'stored'
  /** The release of the server; absent: 1.31. */
  release?: string
}

export interface RuleInspection extends Omit<Inspection, 'evaluate' | 'estimate'> {
  environment: Environment
  /** Estimates the cost of one evaluation, and of all in one object. */
  estimate(): { once: Range; inObject: number } | undefined
  /**
   * Evaluates the rule. @param oldSelf absent for a new object @throws Error if there is no program
   */
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
