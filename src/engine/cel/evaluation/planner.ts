/**
 * Plans an expression as a function that evaluates it and counts its steps (cel-go,
 * interpreter/runtimecost.go). Names and fields cost 1, literals a fixed sum, calls what their
 * function declares.
 */
import { entryOf } from '../../core/object'
import type { Environment } from '../environment'
import type { Overload } from '../library/function'
import {
  type Call,
  type Comprehension,
  type Expression,
  type ListLiteral,
  type MapLiteral,
  OPERATORS,
  type StructLiteral,
} from '../syntax/ast'
import type { Checked } from '../types/checked'
import { equal } from '../values/equality'
import {
  ArrayList,
  EntriesMap,
  EvaluationError,
  ListValue,
  OptionalValue,
  UInt,
  UNHASHABLE,
  type Value,
} from '../values/value'
import { called, logic, withPattern } from './calls'
import { dispatcher, type Run } from './dispatch'
import type { Step } from './frame'
import { LIST_COST, listStep, mapStep, structStep } from './literals'
import { evalAnyAll, evalMapFilter, loop, matchAnyAll, matchMapFilter } from './loops'
import { PathPlanner, PlanError } from './path-planner'
import { computed, constantOf, type Observer, type Planned } from './planned'

/** Constants are converted while planning. */
const CONVERSIONS: ReadonlySet<string> = new Set([
  'bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint',
]) // biome-ignore format: one table

const ALTERNATIVES: ReadonlySet<string> = new Set(['or', 'orValue'])

export interface Plan {
  step: Step
  /** The maximum number of loop variables in scope. */
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

class Planner extends PathPlanner {
  places = 0

  protected planned(expression: Expression): Planned {
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
        return this.struct(expression)
    }
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
        return this.index(first, second, false)
      case OPERATORS.optionalIndex:
      case OPERATORS.optionalSelect:
        return this.index(first, second, true)
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
      const overload = overloads.find(({ parameters }) => parameters.length === planned.length)
      const run = withPattern(overload?.definition.call as Run)
      return computed(called(planned.map(this.whole), { ...dispatch, run }))
    }
    return computed(called(planned.map(this.whole), dispatch))
  }

  /** Evaluates the replacement only if needed, at no cost of its own. */
  private alternative([first, second]: [Planned, Planned], wantsValue: boolean): Planned {
    const [optional, other] = [this.whole(first), this.whole(second)]
    return computed((frame) => {
      const value = optional(frame)
      if (!(value instanceof OptionalValue)) return value
      if (value.value === undefined) return other(frame)
      return wantsValue ? value.value : value
    })
  }

  /** `x in [constants]`, which costs nothing itself. */
  private membership([element, list]: readonly Planned[]): Planned | undefined {
    const { constant } = list ?? {}
    if (element === undefined || !(constant instanceof ListValue)) return undefined
    if (constant.size === 0) return constantOf(false)
    const items = [...constant]
    if (!items.every(isPrimitive)) return undefined
    const find = this.whole(element)
    return computed((frame) => {
      const value = find(frame)
      if (value instanceof Uint8Array) throw UNHASHABLE
      return value instanceof EvaluationError ? value : items.some((item) => equal(item, value))
    })
  }

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
    return computed(listStep(steps, optional))
  }

  /** The last of repeated keys wins (cel-lists-maps). */
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
    return computed(mapStep(steps))
  }

  private struct({ name, fields }: StructLiteral): Planned {
    const { structs } = this.environment
    if (structs === undefined) return computed(() => new EvaluationError(`unknown type: ${name}`))
    const steps = fields.map(({ field, value, optional }) => ({
      field,
      value: this.whole(this.plan(value)),
      optional,
    }))
    const type = name.replace(/^\./, '')
    return computed(structStep(steps, (given) => structs.make(type, given)))
  }

  private comprehension(written: Comprehension): Planned {
    const range = this.whole(this.plan(written.range))
    const initial = this.whole(this.plan(written.initial))
    const accumulator = this.place(written.accumulator)
    const variable = this.place(written.variable)
    const { secondVariable } = written
    const second = secondVariable === undefined ? undefined : this.place(secondVariable)
    const isCommon = this.observer === undefined && second === undefined
    const anyAll = isCommon ? matchAnyAll(written) : undefined
    if (anyAll !== undefined) {
      const predicate = this.whole(this.plan(anyAll.predicate))
      this.scope.length = accumulator
      return computed(evalAnyAll(range, predicate, anyAll.decisive, variable))
    }
    const mapFilter = isCommon ? matchMapFilter(written) : undefined
    if (mapFilter !== undefined) {
      const test = mapFilter.test && this.whole(this.plan(mapFilter.test))
      const element = this.plan(mapFilter.element)
      this.scope.length = accumulator
      return computed(
        evalMapFilter(
          range,
          test,
          this.whole(element),
          element.constant === undefined ? LIST_COST : 0,
          variable,
        ),
      )
    }
    const condition = this.whole(this.plan(written.condition))
    const step = this.whole(this.plan(written.step))
    this.scope.length = variable
    const result = this.whole(this.plan(written.result))
    this.scope.length = accumulator
    const places = { accumulator, variable, secondVariable: second }
    return computed(loop({ range, initial, condition, step, result, ...places }))
  }

  private place(name: string): number {
    const place = this.scope.length
    this.scope.push({ name, place })
    this.places = Math.max(this.places, this.scope.length)
    return place
  }
}

function isPrimitive(value: Value): boolean {
  return value !== null && (typeof value !== 'object' || value instanceof UInt)
}
