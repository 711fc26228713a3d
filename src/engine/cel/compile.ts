/**
 * The expression language of the API server: expressions are compiled once against an environment, and evaluated any number of
 * times under a budget.
 *
 *     const environment = new Environment({ variables: { object: DYN }, ...settings })
 *     const { program, issues } = compile('object.spec.replicas <= 5', environment)
 *     if (program === undefined) throw new Error(issues)          // in the words and the layout of the real server
 *     const { value, error, cost } = program.evaluate(activationOf({ object: valueOfJson(object) }), { limit: 1_000_000 })
 *
 * A compiled expression knows its type (`program.type`) and, where sizes of its variables are known, what it may cost at most.
 */
import type { Environment } from './environment'
import { type Activation, Cancelled, Frame } from './evaluation/frame'
import { type Plan, PlanError, plan } from './evaluation/planner'
import type { Expression } from './syntax/ast'
import { parse } from './syntax/parser'
import { type Issue, Source } from './syntax/source'
import type { Spans } from './syntax/spans'
import type { Checked } from './types/checked'
import { check } from './types/checker'
import type { Type } from './types/type'
import { EvaluationError, type Value } from './values/value'

export interface Outcome {
  /** Undefined if the evaluation failed. */
  value: Value | undefined
  error?: string
  /** Steps taken. */
  cost: number
  /** The evaluation was given up because it took more steps, time or memory than it may. */
  exceeded: boolean
}

export interface Budget {
  /** Steps that this evaluation may take. */
  limit: number
  /** Whether the time is up for which an answer is waited; absent: there is time. */
  isOver?: (() => boolean) | undefined
}

export type Compiled =
  /** `issues` is what stands behind `compilation failed: `. */
  | { program: undefined; issues: string; failed: 'compilation' }
  /** `issues` is what stands behind `program instantiation failed: `. */
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
      if (error instanceof Cancelled)
        return { value: undefined, error: error.message, cost: frame.cost, exceeded: true }
      throw error
    }
  }
}

/**
 * @param text an expression
 * @returns a program, or what is wrong with the expression
 */
export function compile(text: string, environment: Environment): Compiled {
  return compileSource(new Source(text), environment)
}

/** @param spans learns where the parts stand @returns with the issues that were found in the text one by one */
export function compileSource(
  source: Source,
  environment: Environment,
  spans?: Spans,
): Compiled & { found: readonly Issue[] } {
  const { optionalSyntax } = environment
  const { expression, issues } = parse(source, {
    optionalSyntax,
    optionalMacros: optionalSyntax,
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
