/**
 * From a checked expression to a function that evaluates it and counts its steps. What a step costs follows the real server's
 * evaluator: a name or a field costs one, a call what its function says, a literal of a list or a map a fixed sum.
 *
 * A *path* is a name or a value with fields, keys and indices behind it. It costs one for itself and one for each of these; where
 * it is only passed on, as a branch of a condition, it does not cost itself.
 */
import type { Environment } from '../environment'
import type { Overload } from '../library/function'
import { type Call, type Comprehension, type Expression, type ListLiteral, type MapLiteral, OPERATORS, type Select } from '../syntax/ast'
import type { Checked } from '../types/checker'
import { equal } from '../values/equality'
import { ArrayList, EntriesMap, EvaluationError, ListValue, MapValue, OptionalValue, typeNameOf, UInt, type Value } from '../values/value'
import { access, lookUp } from './access'
import { type Cost, dispatcher, type Run } from './dispatch'
import type { Step } from './frame'

/** A conversion or a pattern of constants that cannot be: told when the expression is made, not when it is evaluated. */
export class PlanError {
  constructor(readonly message: string) {}
}

const COST = { list: 10, map: 30 }
/** Conversions are made at once where their argument is known. */
const CONVERSIONS: ReadonlySet<string> = new Set([
  'bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'uint',
]) // biome-ignore format: one table

/** Watches an evaluation part by part. Expressions that nobody watches are planned without any of it. */
export interface Observer {
  /** A part's value is known already. */
  constant(part: Expression, value: Value): void
  /** @returns a step that does the same, and is seen doing it */
  observed(part: Expression, step: Step): Step
  /** A part took steps outside of its own evaluation: a name pays when the path behind it has come to its end. */
  paid(part: Expression, steps: number): void
}

interface Planned {
  /** Without what the path costs itself. */
  bare: Step
  /** What the whole costs beside its parts: 1 for a path. */
  own: 0 | 1
  isPath: boolean
  constant?: Value
  /** What the path begins with, which is what `own` is for. */
  root?: Expression
}

/** @throws PlanError */
export function plan(expression: Expression, checked: Checked, environment: Environment, observer?: Observer): Step {
  const planner = new Planner(checked, environment, observer)
  return planner.whole(planner.plan(expression))
}

const constantOf = (value: Value): Planned => ({ bare: () => value, own: 0, isPath: false, constant: value })
const computed = (bare: Step): Planned => ({ bare, own: 0, isPath: false })
const path = (bare: Step, own: 0 | 1, root?: Expression): Planned => ({ bare, own, isPath: true, ...(root === undefined ? {} : { root }) })

class Planner {
  /** Variables of loops that are in sight, with their places. */
  private readonly scope: { name: string; place: number }[] = []

  constructor(
    private readonly checked: Checked,
    private readonly environment: Environment,
    private readonly observer: Observer | undefined,
  ) {}

  /** A planned part as it is where it stands by itself. */
  whole = ({ bare, own, root }: Planned): Step => {
    if (own === 0) return bare
    const { observer } = this
    if (observer !== undefined && root !== undefined) {
      return (frame) => {
        const value = bare(frame)
        observer.paid(root, 1)
        frame.spend(1)
        return value
      }
    }
    return (frame) => {
      const value = bare(frame)
      frame.spend(1)
      return value
    }
  }

  plan(expression: Expression): Planned {
    const planned = this.planned(expression)
    const { observer } = this
    if (observer === undefined) return planned
    if (planned.constant !== undefined) observer.constant(expression, planned.constant)
    return { ...planned, bare: observer.observed(expression, planned.bare), root: planned.root ?? expression }
  }

  private planned(expression: Expression): Planned {
    switch (expression.kind) {
      case 'constant':
        return constantOf(expression.value)
      case 'identifier':
        return this.name(expression)
      case 'select':
        return this.checked.names.has(expression) ? this.name(expression) : this.select(expression)
      case 'call':
        return this.call(expression)
      case 'list':
        return this.list(expression)
      case 'map':
        return this.map(expression)
      case 'comprehension':
        return this.comprehension(expression)
      case 'struct':
        return computed(() => new EvaluationError(`unknown type: ${expression.name}`))
    }
  }

  private name(expression: Expression): Planned {
    const reference = this.checked.names.get(expression)
    if (reference === undefined) throw new Error('an expression is planned before it is checked')
    if (reference.value !== undefined) return constantOf(reference.value)
    const { name } = reference
    const local = this.scope.findLast((variable) => variable.name === name)
    if (local !== undefined) {
      const { place } = local
      return path((frame) => frame.locals[place] as Value, 1)
    }
    return path((frame) => resolved(frame.activation.resolve(name, frame), name), 1)
  }

  /** The start of a path: a path goes on, anything else becomes the start of one. */
  private start(expression: Expression): { base: Step; own: 0 | 1; root: Expression | undefined } {
    const operand = this.plan(expression)
    if (operand.isPath) return { base: operand.bare, own: operand.own, root: operand.root }
    return { base: this.whole(operand), own: 1, root: undefined }
  }

  private select({ operand, field, test }: Select): Planned {
    const { base, own, root } = this.start(operand)
    if (test) {
      return path((frame) => {
        const container = base(frame)
        if (container instanceof EvaluationError) return container
        frame.spend(1)
        const inner = container instanceof OptionalValue ? container.value : container
        const found = inner === undefined ? undefined : lookUp(inner, field)
        return found instanceof EvaluationError ? found : found !== undefined
      }, 0)
    }
    return path(
      (frame) => {
        const container = base(frame)
        if (container instanceof EvaluationError) return container
        frame.spend(1)
        return access(container, field)
      },
      own,
      root,
    )
  }

  private call(call: Call): Planned {
    const [first, second, third] = call.arguments as [Expression, Expression, Expression]
    switch (call.function) {
      case OPERATORS.and:
        return computed(logic(this.whole(this.plan(first)), this.whole(this.plan(second)), false))
      case OPERATORS.or:
        return computed(logic(this.whole(this.plan(first)), this.whole(this.plan(second)), true))
      case OPERATORS.conditional:
        return this.conditional(first, second, third)
      case OPERATORS.index:
        return this.index(first, second, access)
      case OPERATORS.optionalIndex:
      case OPERATORS.optionalSelect:
        return this.index(first, second, optionalAccess)
      case OPERATORS.notStrictlyFalse: {
        const operand = this.whole(this.plan(first))
        return computed((frame) => {
          const value = operand(frame)
          frame.spend(1)
          return value !== false
        })
      }
      default:
        return this.function(call)
    }
  }

  private conditional(condition: Expression, whenTrue: Expression, whenFalse: Expression): Planned {
    const test = this.whole(this.plan(condition))
    const [yes, no] = [whenTrue, whenFalse]
      .map((branch) => this.plan(branch))
      .map((branch) => (branch.isPath ? branch.bare : this.whole(branch)))
    return path((frame) => {
      const value = test(frame)
      if (value === true) return (yes as Step)(frame)
      if (value === false) return (no as Step)(frame)
      return value instanceof EvaluationError ? value : NO_SUCH_OVERLOAD
    }, 0)
  }

  private index(operand: Expression, index: Expression, find: (container: Value, key: Value) => Value): Planned {
    const { base, own, root } = this.start(operand)
    const key = this.plan(index)
    const evaluated = this.whole(key)
    // A key that is a path pays for itself alone.
    const extra = key.isPath ? 0 : 1
    return path(
      (frame) => {
        const container = base(frame)
        if (container instanceof EvaluationError) return container
        const value = evaluated(frame)
        frame.spend(extra)
        return value instanceof EvaluationError ? value : find(container, value)
      },
      own,
      root,
    )
  }

  private function(call: Call): Planned {
    const reference = this.checked.calls.get(call)
    if (reference === undefined) throw new Error('an expression is planned before it is checked')
    const operands = call.target !== undefined && reference.overloads[0]?.member ? [call.target, ...call.arguments] : call.arguments
    const planned = operands.map((operand) => this.plan(operand))
    const { function: name, overloads } = reference
    this.checkPattern(name, planned, overloads)
    if (name === '@in' && overloads.length === 1) {
      const member = this.membership(planned)
      if (member !== undefined) return member
    }
    const { run, cost } = dispatcher(name, overloads, this.environment)
    if (planned.length === 1 && CONVERSIONS.has(name) && planned[0]?.constant !== undefined) {
      const value = run(planned[0].constant)
      if (value instanceof EvaluationError) throw new PlanError(value.message)
      return constantOf(value)
    }
    return computed(evaluated(planned.map(this.whole), run, cost))
  }

  /** `x in [constants]` takes no steps of its own. */
  private membership([element, list]: readonly Planned[]): Planned | undefined {
    const { constant } = list ?? {}
    if (element === undefined || !(constant instanceof ListValue)) return undefined
    if (constant.size === 0) return constantOf(false)
    const items = [...constant]
    if (!items.every(isPrimitive)) return undefined
    const find = this.whole(element)
    return computed((frame) => {
      const value = find(frame)
      return value instanceof EvaluationError ? value : items.some((item) => equal(item, value))
    })
  }

  /** A regular expression that is a constant is read now. */
  private checkPattern(name: string, operands: readonly Planned[], overloads: readonly Overload[]): void {
    const check = this.environment.constantChecks[name]
    const pattern = operands[1]?.constant
    if (check === undefined || overloads.length === 0 || pattern === undefined) return
    const problem = check(pattern)
    if (problem !== undefined) throw new PlanError(problem)
  }

  private list({ elements, optional }: ListLiteral): Planned {
    const planned = elements.map((element) => this.plan(element))
    if (optional.size === 0 && planned.every(({ constant }) => constant !== undefined)) {
      return constantOf(new ArrayList(planned.map(({ constant }) => constant as Value)))
    }
    const steps = planned.map(this.whole)
    return computed((frame) => {
      const items: Value[] = []
      for (let index = 0; index < steps.length; index++) {
        const value = (steps[index] as Step)(frame)
        if (value instanceof EvaluationError) return value
        if (!optional.has(index)) items.push(value)
        else if (!(value instanceof OptionalValue)) return wrongOptional('list', value)
        else if (value.value !== undefined) items.push(value.value)
      }
      frame.spend(COST.list)
      return new ArrayList(items)
    })
  }

  private map({ entries }: MapLiteral): Planned {
    const planned = entries.map(({ key, value, optional }) => ({ key: this.plan(key), value: this.plan(value), optional }))
    const steps = planned.map(({ key, value, optional }) => ({ key: this.whole(key), value: this.whole(value), optional }))
    if (planned.every(({ key, value, optional }) => !optional && key.constant !== undefined && value.constant !== undefined)) {
      // Among constants the last of a key that is given twice counts (recorded: cel-lists-maps).
      const map = new EntriesMap()
      for (const { key, value } of planned) map.set(key.constant as Value, value.constant as Value)
      return constantOf(map)
    }
    return computed((frame) => {
      const map = new EntriesMap()
      for (const { key, value, optional } of steps) {
        const name = key(frame)
        if (name instanceof EvaluationError) return name
        const member = value(frame)
        if (member instanceof EvaluationError) return member
        if (optional && !(member instanceof OptionalValue)) return wrongOptional('map', member)
        const given = optional ? (member as OptionalValue).value : member
        if (given !== undefined && !map.add(name, given)) return new EvaluationError(`Failed with repeated key: ${String(name)}`)
      }
      frame.spend(COST.map)
      return map
    })
  }

  private comprehension(loop: Comprehension): Planned {
    const range = this.whole(this.plan(loop.range))
    const initial = this.whole(this.plan(loop.initial))
    const accumulator = this.scope.length
    this.scope.push({ name: loop.accumulator, place: accumulator })
    const variable = this.scope.length
    this.scope.push({ name: loop.variable, place: variable })
    const condition = this.whole(this.plan(loop.condition))
    const step = this.whole(this.plan(loop.step))
    this.scope.pop()
    const result = this.whole(this.plan(loop.result))
    this.scope.pop()
    return computed((frame) => {
      const items = itemsOf(range(frame))
      if (items instanceof EvaluationError) return items
      const { locals } = frame
      locals[accumulator] = initial(frame)
      const size = items.size
      for (let index = 0; index < size; index++) {
        locals[variable] = items.at(index)
        if (condition(frame) === false) break
        locals[accumulator] = step(frame)
      }
      return result(frame)
    })
  }
}

const resolved = (value: Value | undefined, name: string): Value =>
  value === undefined ? new EvaluationError(`no such attribute(s): ${name}`) : value

const NO_SUCH_OVERLOAD = new EvaluationError('no such overload')

const wrongOptional = (kind: string, value: Value): EvaluationError =>
  new EvaluationError(`cannot initialize optional ${kind} element from non-optional value ${typeNameOf(value)}`)

/** `&&` where `decisive` is false, `||` where it is true: an error on one side counts only if the other does not decide. */
function logic(left: Step, right: Step, decisive: boolean): Step {
  return (frame) => {
    const first = left(frame)
    if (first === decisive) return decisive
    const second = right(frame)
    if (second === decisive) return decisive
    if (first !== !decisive) return first instanceof EvaluationError ? first : NO_SUCH_OVERLOAD
    if (second !== !decisive) return second instanceof EvaluationError ? second : NO_SUCH_OVERLOAD
    return second
  }
}

function optionalAccess(container: Value, key: Value): Value {
  const inner = container instanceof OptionalValue ? container.value : container
  if (inner === undefined) return OptionalValue.none
  const found = lookUp(inner, key)
  if (found === undefined) return OptionalValue.none
  return found instanceof EvaluationError ? found : new OptionalValue(found)
}

function itemsOf(range: Value): ListValue | EvaluationError {
  if (range instanceof ListValue) return range
  if (range instanceof MapValue) return new ArrayList(range.keys())
  return range instanceof EvaluationError ? range : NO_SUCH_OVERLOAD
}

function isPrimitive(value: Value): boolean {
  return value !== null && (typeof value !== 'object' || value instanceof UInt || value instanceof Uint8Array)
}

/** A call: its arguments, then what it costs and gives; of more than two arguments the first error ends it. */
function evaluated(operands: readonly Step[], run: Run, cost: Cost): Step {
  const [first, second] = operands as [Step, Step]
  if (operands.length === 1) {
    return (frame) => {
      const value = first(frame)
      const result = value instanceof EvaluationError ? value : run(value)
      frame.spend(cost === undefined ? 1 : cost([value], result))
      return result
    }
  }
  if (operands.length === 2) {
    return (frame) => {
      const left = first(frame)
      const right = second(frame)
      const result = left instanceof EvaluationError ? left : right instanceof EvaluationError ? right : run(left, right)
      frame.spend(cost === undefined ? 1 : cost([left, right], result))
      return result
    }
  }
  return (frame) => {
    const values: Value[] = []
    for (const operand of operands) {
      const value = operand(frame)
      if (value instanceof EvaluationError) return value
      values.push(value)
    }
    const result = run(...values)
    frame.spend(cost === undefined ? 1 : cost(values, result))
    return result
  }
}
