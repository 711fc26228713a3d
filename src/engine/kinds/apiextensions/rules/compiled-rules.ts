/** `x-kubernetes-validations`, each compiled once. */
import { type Compiled, compile, type Program } from '../../../cel/compile'
import type { Environment } from '../../../cel/environment'
import { type ServerEnvironmentOptions, serverEnvironment } from '../../../cel/server-environment'
import { visit } from '../../../cel/syntax/visit'
import { optionalOf, type Type } from '../../../cel/types/type'
import { isJsonObject, type JsonObject } from '../../../core/object'
import { type DeclaredType, declaredType } from './declared-type'

export interface Rule {
  rule: string
  message?: string
  messageExpression?: string
  reason?: string
  fieldPath?: string
  optionalOldSelf?: boolean
}

export interface CompiledRule {
  rule: Rule
  program: Program | undefined
  problem?: string
  usesOldSelf: boolean
  message?: Program | undefined
  messageProblem?: string
}

export const rulesIn = (schema: JsonObject): Rule[] => {
  const given = schema['x-kubernetes-validations']
  return Array.isArray(given) ? (given.filter(isJsonObject) as unknown as Rule[]) : []
}

/** @returns undefined for schemas without a CEL type */
export function compileRules(
  schema: JsonObject,
  isResource: boolean,
  use: ServerEnvironmentOptions['use'],
  release?: string,
): { declared: DeclaredType; rules: CompiledRule[] } | undefined {
  const declared = declaredType(
    schema,
    isResource || schema['x-kubernetes-embedded-resource'] === true,
  )
  return (
    declared && {
      declared,
      rules: rulesIn(schema).map((rule) => compileRule(rule, declared.type, use, release)),
    }
  )
}

export function ruleEnvironment(
  self: Type,
  optionalOldSelf: boolean,
  use: ServerEnvironmentOptions['use'],
  release?: string,
): Environment {
  return serverEnvironment(
    { self, oldSelf: optionalOldSelf ? optionalOf(self) : self },
    { use, strictCost: true, release },
  )
}

function compileRule(
  rule: Rule,
  self: Type,
  use: ServerEnvironmentOptions['use'],
  release: string | undefined,
): CompiledRule {
  const environment = ruleEnvironment(self, rule.optionalOldSelf === true, use, release)
  const compiled = compile(rule.rule ?? '', environment)
  const result: CompiledRule = {
    rule,
    program: compiled.program,
    usesOldSelf: usesOldSelf(compiled.program),
  }
  const problem = problemOf(compiled, 'bool', 'compilation failed: ')
  if (problem !== undefined) return { ...result, program: undefined, problem }
  return { ...result, ...messageOf(rule, environment) }
}

function messageOf(
  { messageExpression }: Rule,
  environment: Environment,
): Pick<CompiledRule, 'message' | 'messageProblem'> {
  if (messageExpression === undefined || messageExpression === '') return {}
  const compiled = compile(messageExpression, environment)
  const messageProblem = problemOf(compiled, 'string', 'messageExpression compilation failed: ')
  return messageProblem === undefined ? { message: compiled.program } : { messageProblem }
}

export const WRONG_RESULT = {
  bool: 'cel expression must evaluate to a bool',
  string: 'messageExpression must evaluate to a string',
} as const

function problemOf(
  compiled: Compiled,
  wanted: keyof typeof WRONG_RESULT,
  failed: string,
): string | undefined {
  if (compiled.failed === 'compilation') return `${failed}${compiled.issues}`
  const { kind } = compiled.failed === 'instantiation' ? compiled.type : compiled.program.type
  if (kind !== wanted) return WRONG_RESULT[wanted]
  return compiled.failed === 'instantiation'
    ? `program instantiation failed: ${compiled.issues}`
    : undefined
}

/** A leading dot means the same variable. */
const OLD_SELF = /^\.?oldSelf$/

function usesOldSelf(program: Program | undefined): boolean {
  let uses = false
  if (program !== undefined) {
    visit(program.expression, (part) => {
      if (part.kind === 'identifier' && OLD_SELF.test(part.name)) uses = true
    })
  }
  return uses
}
