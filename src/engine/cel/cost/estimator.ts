/**
 * Estimates a rule's cost with its variables at their largest sizes, before kube-apiserver accepts
 * it (cel-go, checker/cost.go).
 */
import { append } from '../../core/lists'
import type { Overload } from '../library/function'
import { type Call, type Comprehension, type Expression, OPERATORS } from '../syntax/ast'
import { ACCUMULATOR } from '../syntax/macros'
import type { Checked } from '../types/checked'
import type { Type } from '../types/type'
import { sizeOf } from '../values/value'
import type { EstimatedValue, Range } from './estimate-types'
import { add, fixed, range, times, UNBOUNDED, union } from './factors'

export interface SizedType {
  /** Items, entries, or bytes of a text. */
  maxElements: number
  element?: SizedType | undefined
  key?: SizedType | undefined
  fields?: ReadonlyMap<string, SizedType> | undefined
}

type Part = { field: string } | '@items' | '@keys' | '@values'

/** `part` is undefined for an index. */
interface LoopVariable {
  variable: string
  range: Expression
  part: '@items' | '@keys' | '@values' | undefined
}

const CREATE = { list: 10, map: 30, struct: 40 }
const SCALARS: ReadonlySet<Type['kind']> = new Set([
  'bool',
  'double',
  'duration',
  'int',
  'timestamp',
  'uint',
])

/** @param root the type of every variable */
export function estimateCost(expression: Expression, checked: Checked, root: SizedType): Range {
  return new Estimator(checked, root).cost(expression)
}

class Estimator {
  /** For each expression that names a part of a variable; undefined: no declared sizes. */
  private readonly parts = new Map<Expression, SizedType | undefined>()
  private readonly sizes = new Map<Expression, Range>()
  private readonly ranges: LoopVariable[] = []

  constructor(
    private readonly checked: Checked,
    private readonly root: SizedType,
  ) {}

  cost(expression: Expression): Range {
    switch (expression.kind) {
      case 'constant':
        return fixed(0)
      case 'identifier':
        return this.name(expression, expression.name)
      case 'select':
        return this.select(expression)
      case 'call':
        return this.call(expression)
      case 'list':
        return expression.elements.reduce(
          (sum, element) => add(sum, this.cost(element)),
          fixed(CREATE.list),
        )
      case 'map':
        return expression.entries.reduce(
          (sum, { key, value }) => add(add(sum, this.cost(key)), this.cost(value)),
          fixed(CREATE.map),
        )
      case 'struct':
        return expression.fields.reduce(
          (sum, { value }) => add(sum, this.cost(value)),
          fixed(CREATE.struct),
        )
      case 'comprehension':
        return this.comprehension(expression)
    }
  }

  private name(expression: Expression, name: string): Range {
    // The accumulator is not a part of the value.
    if (name === ACCUMULATOR) return fixed(1)
    const loop = this.ranges.findLast(({ variable }) => variable === name)
    if (loop === undefined) this.parts.set(expression, this.root)
    else if (loop.part !== undefined) this.parts.set(expression, this.partOf(loop.range, loop.part))
    return fixed(1)
  }

  /** With a second variable, the first one is the index of a list. */
  private variablesOf({ variable, secondVariable, range }: Comprehension): LoopVariable[] {
    const isMap = this.typeOf(range).kind === 'map'
    const first = isMap ? '@keys' : secondVariable === undefined ? '@items' : undefined
    const variables: LoopVariable[] = [{ variable, range, part: first }]
    if (secondVariable !== undefined)
      variables.push({ variable: secondVariable, range, part: isMap ? '@values' : '@items' })
    return variables
  }

  /** Other expressions' parts have the sizes of the variable. */
  private partOf(whole: Expression, part: Part): SizedType | undefined {
    if (!this.parts.has(whole)) return this.root
    const type = this.parts.get(whole)
    if (part === '@items' || part === '@values') return type?.element
    return part === '@keys' ? type?.key : type?.fields?.get(part.field)
  }

  private typeOf(expression: Expression): Type {
    return this.checked.types.get(expression) as Type
  }

  private select(expression: Extract<Expression, { kind: 'select' }>): Range {
    const reference = this.checked.names.get(expression)
    if (reference !== undefined) return this.name(expression, reference.name)
    const { operand, field, test } = expression
    const cost = this.cost(operand)
    if (test) return cost
    this.parts.set(expression, this.partOf(operand, { field }))
    const { kind } = this.typeOf(operand)
    return kind === 'map' || kind === 'object' ? add(cost, fixed(1)) : cost
  }

  private call(call: Call): Range {
    const reference = this.checked.calls.get(call)
    const isMember = call.target !== undefined && reference?.overloads[0]?.member !== false
    const operands =
      isMember && call.target !== undefined ? [call.target, ...call.arguments] : call.arguments
    const costs = operands.map((operand) => this.cost(operand))
    const [first, second, third] = costs as [Range, Range, Range]
    switch (call.function) {
      case OPERATORS.and:
      case OPERATORS.or:
        return range(first.min, add(first, second).max)
      case OPERATORS.conditional:
        this.sizes.set(
          call,
          union(
            this.sizeOf(call.arguments[1] as Expression),
            this.sizeOf(call.arguments[2] as Expression),
          ),
        )
        return add(first, union(second, third))
      default:
        return add(
          this.function(call, operands, reference?.overloads ?? []),
          costs.reduce(add, fixed(0)),
        )
    }
  }

  private function(
    call: Call,
    operands: readonly Expression[],
    overloads: readonly Overload[],
  ): Range {
    if (overloads.length === 0) return fixed(1)
    const values = operands.map((operand) => this.valueOf(operand))
    let cost: Range | undefined
    let size: Range | undefined
    for (const { definition, function: name, parameters } of overloads) {
      const estimate = definition.estimate?.(values) ?? { cost: fixed(1) }
      cost = cost === undefined ? estimate.cost : union(cost, estimate.cost)
      if (estimate.size !== undefined)
        size = size === undefined ? estimate.size : union(size, estimate.size)
      if (name === OPERATORS.index) {
        const part = parameters[0]?.kind === 'list' ? '@items' : '@values'
        this.parts.set(call, this.partOf(operands[0] as Expression, part))
      }
    }
    if (size !== undefined) this.sizes.set(call, size)
    return cost ?? fixed(1)
  }

  private comprehension(loop: Comprehension): Range {
    const before = add(this.cost(loop.range), this.cost(loop.initial))
    const outside = this.ranges.length
    append(this.ranges, this.variablesOf(loop))
    const condition = this.cost(loop.condition)
    const step = this.cost(loop.step)
    this.ranges.length = outside
    const count = this.sizeOf(loop.range)
    this.sizes.set(loop, count)
    return add(add(before, this.cost(loop.result)), times(count, add(step, condition)))
  }

  private sizeOf(expression: Expression): Range {
    const known =
      this.sizes.get(expression) ??
      literalSize(expression) ??
      declaredSize(this.parts.get(expression))
    if (known !== undefined) return known
    return SCALARS.has(this.typeOf(expression).kind) ? fixed(1) : range(0, UNBOUNDED)
  }

  private valueOf(expression: Expression): EstimatedValue {
    const type = this.typeOf(expression)
    const item = type.kind === 'list' || type.kind === 'map' ? type.parameters[0] : undefined
    return {
      type,
      size: this.sizeOf(expression),
      ...(expression.kind === 'constant' ? { constant: expression.value } : {}),
      ...(item === undefined ? {} : { item: this.itemOf(expression, item) }),
    }
  }

  private itemOf(expression: Expression, type: Type): EstimatedValue {
    const declared = this.parts.has(expression) ? this.partOf(expression, '@items') : undefined
    return { type, size: declaredSize(declared) ?? range(0, UNBOUNDED) }
  }
}

const declaredSize = (type: SizedType | undefined): Range | undefined =>
  type === undefined ? undefined : range(0, type.maxElements)

function literalSize(expression: Expression): Range | undefined {
  if (expression.kind === 'list') return fixed(expression.elements.length)
  if (expression.kind === 'map') return fixed(expression.entries.length)
  return expression.kind === 'constant' ? fixed(sizeOf(expression.value)) : undefined
}
