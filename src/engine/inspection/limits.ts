/** CEL cost limits. */

export { RULE_LIMIT } from '../kinds/apiextensions/rules/definition-errors'
export { CALL_LIMIT, OBJECT_LIMIT } from '../kinds/apiextensions/rules/evaluation'
export { EXPRESSION_LIMIT, MATCH_CONDITIONS_BUDGET, POLICY_BUDGET } from '../policy/evaluate'
