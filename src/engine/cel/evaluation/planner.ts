/**
 * From a checked expression to a function that evaluates it and counts its steps. What a step costs follows the real server's
 * evaluator: a name or a field costs one, a call what its function says, a literal of a list or a map a fixed sum.
 *
 * A *path* is a name or a value with fields, keys and indices behind it. It costs one for itself and one for each of these; where
 * it is only passed on, as a branch of a condition, it does not cost itself.
 */
import { entryOf } from '../../object'
import type { Environment } from '../environment'
import type { Overload } from '../library/function'
import {
  type Call,
  type Comprehension,
  type Expression,
  type ListLiteral,
  type MapLiteral,
  OPERATORS,
  type Select,
} from '../syntax/ast'
import type { Checked } from '../types/checked'
import { equal } from '../values/equality'
import {
  ArrayList,
  EntriesMap,
  EvaluationError,
  ListValue,
  OptionalValue,
  typeNameOf,
  UInt,
  type Value,
} from '../values/value'
import { access, follow, holds, isAbsent, lookUp } from './access'
import { called, logic } from './calls'
import { dispatcher, type Run } from './dispatch'
import type { Step } from './frame'
import { collection, collectionOf, loop, quest, questOf } from './loops'

/** A conversion or a pattern of constants that cannot be: told when the expression is made, not when it is evaluated. */
export class PlanError {
  constructor(readonly message: string) {}
}

const COST = { list: 10, map: 30 }
/** Conversions are made at once where their argument is known. */
const CONVERSIONS: ReadonlySet<string> = new Set([
  'bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'uint',
]) // biome-ignore format: one table

/** Members of optional values that say what there is in place of a missing one. */
const ALTERNATIVES: ReadonlySet<string> = new Set(['or', 'orValue'])

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
  root?: Expression | undefined
  /** The path is nothing but fields behind a start. */
  along?: { start: Step; fields: readonly string[] }
  /** The path with what it costs itself, where that is known to be done at once. */
  whole?: Step
}

export interface Plan {
  step: Step
  /** How many variables of loops are in sight at once. */
  places: number
}

/** @throws PlanError */
export function plan(
  expression: Expression,
  checked: Checked,
  environment: Environment,
  observer?: Observer,
): Plan {
  const planner = new Planner(checked, environment, observer)
  const step = planner.whole(planner.plan(expression))
  return { step, places: planner.places }
}

const constantOf = (value: Value): Planned => ({
  bare: () => value,
  own: 0,
  isPath: false,
  constant: value,
})
const computed = (bare: Step): Planned => ({ bare, own: 0, isPath: false })
const path = (bare: Step, own: 0 | 1, root?: Expression): Planned => ({
  bare,
  own,
  isPath: true,
  root,
})

class Planner {
  /** Variables of loops that are in sight, with their places. */
  private readonly scope: { name: string; place: number }[] = []
  /** How many variables of loops are in sight at once. */
  places = 0

  constructor(
    private readonly checked: Checked,
    private readonly environment: Environment,
    private readonly observer: Observer | undefined,
  ) {}

  /** A planned part as it is where it stands by itself. */
  whole = ({ bare, own, root, whole }: Planned): Step => {
    if (whole !== undefined) return whole
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
    return {
      ...planned,
      bare: observer.observed(expression, planned.bare),
      root: planned.root ?? expression,
    }
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
    if (local === undefined)
      return this.along((frame) => resolved(frame.activation.resolve(name), name), [], 1, undefined)
    const { place } = local
    return this.along((frame) => frame.locals[place] as Value, [], 1, undefined)
  }

  /** A path goes on, anything else becomes the start of one. */
  private startOf(operand: Planned): Step {
    return operand.isPath ? operand.bare : this.whole(operand)
  }

  private select({ operand, field, test }: Select): Planned {
    const target = this.plan(operand)
    if (test) return this.has(target, field)
    const { start, fields } = target.along ?? { start: this.startOf(target), fields: [] }
    return this.along(start, [...fields, field], target.isPath ? target.own : 1, target.root)
  }

  /** Fields one behind the other are gone along at once, unless each is watched. */
  private along(
    start: Step,
    fields: readonly string[],
    own: 0 | 1,
    root: Expression | undefined,
  ): Planned {
    const to =
      (more: 0 | 1): Step =>
      (frame) =>
        follow(frame, start(frame), fields, more)
    const planned = path(to(0), own, root)
    return this.observer === undefined
      ? { ...planned, along: { start, fields }, whole: to(own) }
      : planned
  }

  private has(target: Planned, field: string): Planned {
    const base = this.startOf(target)
    return path((frame) => {
      const container = base(frame)
      if (container instanceof EvaluationError) return container
      frame.walk(1)
      return holds(container, field)
    }, 0)
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

  private index(
    operand: Expression,
    index: Expression,
    find: (container: Value, key: Value) => Value,
  ): Planned {
    const target = this.plan(operand)
    const base = this.startOf(target)
    const key = this.plan(index)
    const evaluated = this.startOf(key)
    // A key that is a path pays for itself alone.
    const cost = key.isPath ? key.own : 1
    const { observer } = this
    return path(
      (frame) => {
        const container = base(frame)
        if (container instanceof EvaluationError || isAbsent(container)) return container
        const value = evaluated(frame)
        const found = value instanceof EvaluationError ? value : find(container, value)
        if (isAbsent(found)) return found
        if (key.isPath && key.root !== undefined) observer?.paid(key.root, cost)
        frame.spend(cost)
        return found
      },
      target.isPath ? target.own : 1,
      target.root,
    )
  }

  private function(call: Call): Planned {
    const reference = this.checked.calls.get(call)
    if (reference === undefined) throw new Error('an expression is planned before it is checked')
    const operands =
      call.target !== undefined && reference.overloads[0]?.member
        ? [call.target, ...call.arguments]
        : call.arguments
    const planned = operands.map((operand) => this.plan(operand))
    const { function: name, overloads } = reference
    this.checkPattern(name, planned, overloads)
    if (name === '@in' && overloads.length === 1) {
      const member = this.membership(planned)
      if (member !== undefined) return member
    }
    if (ALTERNATIVES.has(name) && planned.length === 2)
      return this.alternative(planned as [Planned, Planned], name === 'orValue')
    const dispatch = dispatcher(name, overloads, planned.length, this.environment)
    if (planned.length === 1 && CONVERSIONS.has(name) && planned[0]?.constant !== undefined) {
      const value = dispatch.run(planned[0].constant)
      if (value instanceof EvaluationError) throw new PlanError(value.message)
      return constantOf(value)
    }
    if (
      typeof planned[1]?.constant === 'string' &&
      entryOf(this.environment.constantChecks, name) !== undefined
    ) {
      return computed(called(planned.map(this.whole), { ...dispatch, run: ofText(dispatch.run) }))
    }
    return computed(called(planned.map(this.whole), dispatch))
  }

  /** What may be missing, or something else: that is evaluated only where it is needed, and the choice takes no step. */
  private alternative([first, second]: [Planned, Planned], wantsValue: boolean): Planned {
    const [optional, other] = [this.whole(first), this.whole(second)]
    return computed((frame) => {
      const value = optional(frame)
      if (!(value instanceof OptionalValue)) return value
      if (value.value === undefined) return other(frame)
      return wantsValue ? value.value : value
    })
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
  private checkPattern(
    name: string,
    operands: readonly Planned[],
    overloads: readonly Overload[],
  ): void {
    const check = entryOf(this.environment.constantChecks, name)
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

  /** Of a key that is given twice the last counts (recorded: cel-lists-maps). */
  private map({ entries }: MapLiteral): Planned {
    const planned = entries.map(({ key, value, optional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      optional,
    }))
    const steps = planned.map(({ key, value, optional }) => ({
      key: this.whole(key),
      value: this.whole(value),
      optional,
    }))
    if (
      planned.every(
        ({ key, value, optional }) =>
          !optional && key.constant !== undefined && value.constant !== undefined,
      )
    ) {
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
        if (given !== undefined) map.set(name, given)
      }
      frame.spend(COST.map)
      return map
    })
  }

  private comprehension(written: Comprehension): Planned {
    const range = this.whole(this.plan(written.range))
    const initial = this.whole(this.plan(written.initial))
    const accumulator = this.place(written.accumulator)
    const variable = this.place(written.variable)
    const quested = this.observer === undefined ? questOf(written) : undefined
    if (quested !== undefined) {
      const predicate = this.whole(this.plan(quested.predicate))
      this.scope.length = accumulator
      return computed(quest(range, predicate, quested.decisive, variable))
    }
    const collected = this.observer === undefined ? collectionOf(written) : undefined
    if (collected !== undefined) {
      const test = collected.test && this.whole(this.plan(collected.test))
      const element = this.plan(collected.element)
      this.scope.length = accumulator
      return computed(
        collection(
          range,
          test,
          this.whole(element),
          element.constant === undefined ? COST.list : 0,
          variable,
        ),
      )
    }
    const condition = this.whole(this.plan(written.condition))
    const step = this.whole(this.plan(written.step))
    this.scope.length = variable
    const result = this.whole(this.plan(written.result))
    this.scope.length = accumulator
    return computed(loop({ range, initial, condition, step, result, accumulator, variable }))
  }

  /** A place for a variable that comes into sight. */
  private place(name: string): number {
    const place = this.scope.length
    this.scope.push({ name, place })
    this.places = Math.max(this.places, this.scope.length)
    return place
  }
}

const resolved = (value: Value | undefined, name: string): Value =>
  value === undefined ? new EvaluationError(`no such attribute(s): ${name}`) : value

const NO_SUCH_OVERLOAD = new EvaluationError('no such overload')

/** A pattern that is read ahead is matched with texts only (cel-go, interpreter/optimizations.go). */
const ofText =
  (run: Run): Run =>
  (...values) =>
    typeof values[0] === 'string' ? run(...values) : NO_SUCH_OVERLOAD

const wrongOptional = (kind: string, value: Value): EvaluationError =>
  new EvaluationError(
    `cannot initialize optional ${kind} element from non-optional value ${typeNameOf(value)}`,
  )

function optionalAccess(container: Value, key: Value): Value {
  const inner = container instanceof OptionalValue ? container.value : container
  if (inner === undefined) return OptionalValue.none
  const found = lookUp(inner, key)
  if (found === undefined) return OptionalValue.none
  return found instanceof EvaluationError ? found : new OptionalValue(found)
}

function isPrimitive(value: Value): boolean {
  return (
    value !== null &&
    (typeof value !== 'object' || value instanceof UInt || value instanceof Uint8Array)
  )
}
