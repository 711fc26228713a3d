/**
 * CEL: an expression is compiled once and evaluated often under a budget.
 *
 *   const environment = new Environment({ variables: { object: DYN }, ...settings })
 *   const { program, issues } = compile('object.spec.replicas <= 5', environment)
 *   if (program === undefined) throw new Error(issues) // kube-apiserver's text
 *   const activation = activationOf({ object: valueOfJson(object) })
 *   const { value, error, cost } = program.evaluate(activation, { limit: 1_000_000 })
 */

import { Cancellation } from './cost/limit'
import type { Environment } from './environment'
import { type Activation, Frame } from './evaluation/frame'
import { PlanError } from './evaluation/path-planner'
import { type Plan, plan } from './evaluation/planner'
import type { Expression } from './syntax/ast'
import { parse } from './syntax/parser'
import { type Issue, Source } from './syntax/source'
import type { Spans } from './syntax/spans'
import type { Checked } from './types/checked'
import { check } from './types/checker'
import type { Type } from './types/type'
import { EvaluationError, Panic, type Value } from './values/value'

export interface Outcome {
  /** Undefined after an error. */
  value: Value | undefined
  error?: string
  cost: number
  /** By cost, time or memory. */
  exceeded: boolean
}

export interface Budget {
  limit: number
  isOver?: (() => boolean) | undefined
}

export type Compiled =
  /** After `compilation failed: `. */
  | { program: undefined; issues: string; failed: 'compilation' }
  /** After `program instantiation failed: `. */
  | { program: undefined; issues: string; failed: 'instantiation'; type: Type }
  | { program: Program; issues: undefined; failed: undefined }

export class Program {
  readonly type: Type

  constructor(
    readonly expression: Expression,
    readonly checked: Checked,
    private readonly plan: Plan,
  ) {
    this.type = checked.types.get(expression) as Type
  }

  evaluate(activation: Activation, { limit, isOver }: Budget): Outcome {
    const { step, places } = this.plan
    const frame = new Frame(activation, limit, places, isOver)
    try {
      const value = step(frame)
      const { cost } = frame
      if (value instanceof EvaluationError)
        return { value: undefined, error: value.message, cost, exceeded: false }
      return { value, cost, exceeded: false }
    } catch (error) {
      if (error instanceof Cancellation)
        return { value: undefined, error: error.message, cost: frame.cost, exceeded: true }
      if (error instanceof Panic) {
        const { message } = error
        return {
          value: undefined,
          error: `internal error: ${message}`,
          cost: frame.cost,
          exceeded: false,
        }
      }
      throw error
    }
  }
}

export function compile(text: string, environment: Environment): Compiled {
  return compileSource(new Source(text), environment)
}

/**
 * @param spans receives the places of parts
 * @returns each issue too
 */
export function compileSource(
  source: Source,
  environment: Environment,
  spans?: Spans,
): Compiled & { found: readonly Issue[] } {
  const { optionalSyntax, quotedNames, rejectsSurrogates, libraryMacros } = environment
  const { expression, issues } = parse(source, {
    optionalSyntax,
    quotedNames,
    rejectsSurrogates,
    optionalMacros: optionalSyntax,
    libraryMacros,
    spans,
  })
  const rejected = (found: readonly Issue[]) =>
    ({ program: undefined, issues: source.describe(found), failed: 'compilation', found }) as const
  if (issues.length > 0) return rejected(issues)
  const checked = check(expression, environment)
  const wrong =
    checked.issues.length > 0 ? checked.issues : (environment.validate?.(expression, checked) ?? [])
  if (wrong.length > 0) return rejected(wrong)
  try {
    const program = new Program(expression, checked, plan(expression, checked, environment))
    return { program, issues: undefined, failed: undefined, found: [] }
  } catch (error) {
    if (error instanceof PlanError)
      return {
        program: undefined,
        issues: error.message,
        failed: 'instantiation',
        type: checked.types.get(expression) as Type,
        found: [],
      }
    throw error
  }
}
