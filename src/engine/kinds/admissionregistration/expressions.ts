/**
 * Compiles the CEL expressions of admission policies. Recorded from kube-apiserver 1.31
 * (`policy-compile`, `policy-create`).
 */
import type { FieldError } from '../../http/status'
import {
  type CompiledExpression,
  compileExpression,
  type Declarations,
  type Era,
  type VariableScope,
  type Wanted,
} from '../../policy/compile'
import { internalField, invalidValue } from '../../validation/field-errors'

/** @param given the untrimmed expression, for errors */
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

/** Declares the variable for later ones; an invalid one has a dynamic type. */
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

/** cel.dev, language definition, "Syntax". */
const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

export function isIdentifier(name: string): boolean {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !RESERVED.has(name)
}
