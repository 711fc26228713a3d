/** Rules for expressions in policies and webhooks (texts recorded: policy-compile, policy-create). */
import type { FieldError } from '../../http/status'
import {
  type CompiledExpression,
  compileExpression,
  type Declarations,
  type Era,
  type VariableScope,
  type Wanted,
} from '../../policy/compile'
import { internalField, invalidValue } from '../field-errors'

/** @param given how the expression is shown, where it is judged without the spaces around it */
export function expressionErrors(
  expression: string,
  wanted: Wanted,
  declared: Declarations,
  path: string,
  era: Era,
  given = expression,
): FieldError[] {
  return problemsOf(given, compileExpression(expression, wanted, declared, era(expression)), path)
}

/** Judges a variable, and declares it for those behind it: one that is wrong itself may be anything there. */
export function variableErrors(
  name: string,
  expression: string,
  scope: VariableScope,
  declared: Declarations,
  path: string,
  era: Era,
): FieldError[] {
  const compiled = compileExpression(
    expression,
    'anything',
    { ...declared, variables: scope },
    era(expression),
  )
  scope.declare(name, compiled.program?.type)
  return problemsOf(expression, compiled, path)
}

function problemsOf(expression: string, compiled: CompiledExpression, path: string): FieldError[] {
  if (compiled.program !== undefined) return []
  const { problem, kind } = compiled
  return [
    kind === 'internal' ? internalField(path, problem) : invalidValue(path, expression, problem),
  ]
}

/** Words of the expression language that no identifier may be (document 3, "Expression language", rule 1). */
const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

export function isIdentifier(name: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !RESERVED.has(name)
}
