/**
 * kubernetes.io, "Common Expression Language in Kubernetes", "Resource constraints". Limits:
 * recording policy-authz-cost.
 */
import type { Budget, Program } from '../cel/compile'
import { EvaluationError, MapValue, type Value } from '../cel/values/value'
import type { Bindings } from './bindings'
import type { CompiledExpression } from './compile'

export const EXPRESSION_LIMIT = 1_000_000
export const POLICY_BUDGET = 10_000_000
export const MATCH_CONDITIONS_BUDGET = 2_500_000

const EXPRESSION_BUDGET: Budget = { limit: EXPRESSION_LIMIT }

export const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run'

export interface Prepared {
  expression: string
  compiled: CompiledExpression
}

/** `cost` includes variables that the expression is the first to use. */
export type Evaluated = { cost: number } & (
  | { value: Value; error?: undefined }
  | { value?: undefined; error: string; cause: 'compile_error' | 'invalid_error' }
)

export interface Evaluation {
  results: (Evaluated | undefined)[]
  /** Undefined if the budget ran out: all results are void. */
  remaining: number | undefined
}

const NO_OVERRIDES: ReadonlyMap<string, Value | undefined> = new Map()

/** The first use of a variable pays for it. */
export class Scope {
  private values: VariableValues | undefined

  constructor(
    private readonly bindings: Bindings,
    private readonly params: Value,
    private readonly variables: ReadonlyMap<string, Prepared>,
    readonly budget: Budget = EXPRESSION_BUDGET,
    /** undefined hides an attribute. */
    private readonly overrides: ReadonlyMap<string, Value | undefined> = NO_OVERRIDES,
  ) {}

  resolve(name: string): Value | undefined {
    if (name === 'params') return this.params
    if (name !== 'variables')
      return this.overrides.has(name) ? this.overrides.get(name) : this.bindings.value(name)
    this.values ??= new VariableValues(this.variables, this)
    return this.values
  }

  /** `variables` hold converted values, others native objects. */
  isNative(name: string): boolean {
    return name !== 'variables' && this.bindings.typed !== true
  }

  takeCost(): number {
    return this.values === undefined ? 0 : this.values.takeCost()
  }
}

class VariableValues extends MapValue {
  override readonly goType = '*lazy.MapValue'
  private readonly values = new Map<string, Value>()
  private cost = 0

  constructor(
    private readonly prepared: ReadonlyMap<string, Prepared>,
    private readonly scope: Scope,
  ) {
    super()
  }

  get size(): number {
    return this.prepared.size
  }

  keys(): Value[] {
    return [...this.prepared.keys()]
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined
    const known = this.values.get(key)
    if (known !== undefined) return known
    const prepared = this.prepared.get(key)
    if (prepared === undefined) return undefined
    const value = this.evaluate(key, prepared)
    this.values.set(key, value)
    return value
  }

  private evaluate(name: string, { compiled }: Prepared): Value {
    const failed = (why: string) =>
      new EvaluationError(`composited variable "${name}" fails to evaluate: ${why}`)
    if (compiled.program === undefined) return failed(compiled.problem)
    const { value, error, cost } = compiled.program.evaluate(this.scope, this.scope.budget)
    this.cost += cost
    return value === undefined ? failed(error ?? '') : value
  }

  takeCost(): number {
    const { cost } = this
    this.cost = 0
    return cost
  }
}

/** @param prepared absent entries have no expression */
export function evaluateAll(
  prepared: readonly (Prepared | undefined)[],
  scope: Scope,
  budget: number,
): Evaluation {
  const results: (Evaluated | undefined)[] = []
  let remaining = budget
  for (const entry of prepared) {
    if (entry === undefined) {
      results.push(undefined)
      continue
    }
    const { expression, compiled } = entry
    if (compiled.program === undefined) {
      results.push({
        error: `compilation error: ${compiled.problem}`,
        cause: 'compile_error',
        cost: 0,
      })
      continue
    }
    const result = evaluateOne(expression, compiled.program, scope)
    remaining -= result.cost
    if (remaining < 0) return { results: [], remaining: undefined }
    results.push(result)
  }
  return { results, remaining }
}

function evaluateOne(expression: string, program: Program, scope: Scope): Evaluated {
  const { value, error = '', cost: own } = program.evaluate(scope, scope.budget)
  const cost = own + scope.takeCost()
  if (value !== undefined) return { value, cost }
  return {
    error: `expression '${expression}' resulted in error: ${error}`,
    cause: 'invalid_error',
    cost,
  }
}
