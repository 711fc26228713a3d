/** Limits of the cost of expressions, for tools. */
export { EXPRESSION_LIMIT, MATCH_CONDITIONS_BUDGET, POLICY_BUDGET } from '../policy/evaluate'
export { RULE_LIMIT } from '../registry/apiextensions/rules/definition-errors'
export { CALL_LIMIT, OBJECT_LIMIT } from '../registry/apiextensions/rules/evaluate'
