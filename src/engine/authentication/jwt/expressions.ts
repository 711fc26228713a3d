/** Messages are those of kube-apiserver. */
import { compile, type Program } from '../../cel/compile'
import { activationOf } from '../../cel/evaluation/frame'
import { serverEnvironment } from '../../cel/server-environment'
import { type Expression, OPERATORS } from '../../cel/syntax/ast'
import { visit } from '../../cel/syntax/visit'
import { ANY, listOf, mapOf, object, STRING, type Type } from '../../cel/types/type'
import { valueOfJson } from '../../cel/values/json'
import type { Value } from '../../cel/values/value'
import type { JsonObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { internalField, invalidValue } from '../../validation/field-errors'

type Variable = 'claims' | 'user'

const COST_LIMIT = 10_000_000

const USER = object(
  'kubernetes.UserInfo',
  new Map<string, Type>([
    ['username', STRING],
    ['uid', STRING],
    ['groups', listOf(STRING)],
    ['extra', mapOf(STRING, listOf(STRING))],
  ]),
)
const TYPES: Record<Variable, Type> = { claims: mapOf(STRING, ANY), user: USER }

export interface CompiledExpression {
  text: string
  /** @throws ExpressionError */
  evaluate(about: JsonObject): Value
  reads(claim: string): boolean
}

export class ExpressionError extends Error {}

/** @param wanted the type required at compile time */
export function compileExpression(
  text: string,
  about: Variable,
  field: string,
  wanted?: 'bool',
): CompiledExpression | FieldError {
  const environment = serverEnvironment(
    { [about]: TYPES[about] },
    { use: 'stored', strictCost: false },
  )
  const { program, issues, failed } = compile(text, environment)
  if (program === undefined)
    return failed === 'compilation'
      ? invalidValue(field, text, `compilation failed: ${issues}`)
      : internalField(field, `program instantiation failed: ${issues}`)
  if (wanted !== undefined && program.type.kind !== wanted)
    return invalidValue(field, text, `must evaluate to ${wanted}`)
  return {
    text,
    evaluate: (members) => evaluated(program, text, about, members),
    reads: (claim) => readsMember(program.expression, about, claim),
  }
}

function evaluated(program: Program, text: string, about: Variable, members: JsonObject): Value {
  const { value, error } = program.evaluate(activationOf({ [about]: valueOfJson(members) }), {
    limit: COST_LIMIT,
  })
  if (value === undefined)
    throw new ExpressionError(`expression '${text}' resulted in error: ${error}`)
  return value
}

/** `claims.email`, `claims.?email`, `has(claims.email)` */
function readsMember(expression: Expression, variable: Variable, member: string): boolean {
  let found = false
  visit(expression, (part) => {
    if (part.kind === 'select')
      found ||= isVariable(part.operand, variable) && part.field === member
    if (part.kind !== 'call' || part.function !== OPERATORS.optionalSelect) return
    const [operand, name] = part.arguments
    found ||=
      operand !== undefined &&
      isVariable(operand, variable) &&
      name?.kind === 'constant' &&
      name.value === member
  })
  return found
}

const isVariable = (expression: Expression, name: string): boolean =>
  expression.kind === 'identifier' && expression.name === name
