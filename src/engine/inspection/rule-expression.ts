/** Rules of custom resources (`x-kubernetes-validations`), taken apart and tried with values (document 3, "Expression language"). */
import type { Range } from '../cel/cost/estimate'
import type { Environment } from '../cel/environment'
import { activationOf } from '../cel/evaluation/frame'
import { type InspectedOutcome, type Inspection, inspect } from '../cel/inspection/inspect'
import { DYN } from '../cel/types/type'
import { OptionalValue, type Value } from '../cel/values/value'
import type { Json, JsonObject } from '../object'
import { ruleEnvironment, WRONG_RESULT } from '../registry/apiextensions/rules/compiled-rules'
import { declaredType, MAX_REQUEST_BYTES } from '../registry/apiextensions/rules/declared-type'
import { CALL_LIMIT } from '../registry/apiextensions/rules/evaluate'
import { ruleValueOf } from '../registry/apiextensions/rules/values'

export {
  RULE_LIMIT,
  type RuleCost,
  ruleCosts,
  SCHEMA_LIMIT,
} from '../registry/apiextensions/rules/definition-errors'

export interface RulePlace {
  /** Of the values that the rule is about. */
  schema: JsonObject
  /** The schema is that of the whole object. */
  isRoot: boolean
  optionalOldSelf: boolean
  /** How often such values may occur in one object; undefined: nothing limits it. */
  count?: number
  wanted: 'bool' | 'string'
  /** `new` as in a definition that is written now; `stored` as in one that is there. */
  use: 'new' | 'stored'
}

export interface RuleInspection extends Omit<Inspection, 'evaluate' | 'estimate'> {
  environment: Environment
  /** Steps of one evaluation, and of all in one object at most. */
  estimate(): { once: Range; inObject: number } | undefined
  /** @param oldSelf absent: there was nothing before @throws Error if there is no program */
  evaluate(self: Json, oldSelf?: Json): InspectedOutcome
}

export function inspectRule(
  text: string,
  { schema, isRoot, optionalOldSelf, count, wanted, use }: RulePlace,
): RuleInspection {
  const isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true
  const declared = declaredType(schema, isResource)
  const environment = ruleEnvironment(declared?.type ?? DYN, optionalOldSelf, use)
  const { estimate, ...inspection } = inspect(text, environment)
  const type = inspection.program?.type.kind
  const wrong = type === undefined || type === wanted ? undefined : WRONG_RESULT[wanted]
  const see = (json: Json): Value => ruleValueOf(schema, json, isResource)
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
