/**
 * Plans a checked expression: returns a function that evaluates it and counts its steps, as cel-go
 * does (interpreter/runtimecost.go). Names and fields cost 1, literals of lists and maps a fixed
 * sum, calls what their function declares.
 *
 * A *path* (an attribute in cel-go) is a name or a value followed by fields, keys and indices. It
 * costs 1 for itself and 1 for each step. A branch of a condition does not cost itself.
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
  type Select,
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
import {
  access,
  endPath,
  type Fields,
  follow,
  hasField,
  invalidQualifier,
  isAbsent,
  isOptionalPath,
  isQualifier,
  NO_FIELDS,
  optionalAccess,
  startPath,
  withField,
} from './access'
import { called, logic, withPattern } from './calls'
import { dispatcher, type Run } from './dispatch'
import type { Step } from './frame'
import { LIST_COST, listStep, mapStep, structStep } from './literals'
import { evalAnyAll, evalMapFilter, loop, matchAnyAll, matchMapFilter } from './loops'
import { computed, constantOf, type Observer, type Planned, path } from './planned'

/** An error of constants: of a conversion, a pattern or a key. It rejects the expression before any evaluation. */
export class PlanError {
  constructor(readonly message: string) {}
}

/** The cost of a key, in addition to the steps inside it. */
const KEY_COST = 1
/** Conversions of constants are evaluated while planning. */
const CONVERSIONS: ReadonlySet<string> = new Set([
  'bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint',
]) // biome-ignore format: one table

/** Functions of optional values that take a replacement for a missing value. */
const ALTERNATIVES: ReadonlySet<string> = new Set(['or', 'orValue'])

export interface Plan {
  step: Step
  /** The most variables of loops that are in scope at once. */
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

class Planner {
  /** The variables of loops in scope, with their places. */
  private readonly scope: { name: string; place: number }[] = []
  /** The most variables of loops that are in scope at once. */
  places = 0

  constructor(
    private readonly checked: Checked,
    private readonly environment: Environment,
    private readonly observer: Observer | undefined,
  ) {}

  /** Returns the evaluation of a part that no other path continues. */
  whole = ({ bare, own, root, whole, isPath }: Planned): Step => {
    if (whole !== undefined) return whole
    if (!isPath) return bare
    if (own === 0) return (frame) => endPath(bare(frame))
    const { observer } = this
    if (observer !== undefined && root !== undefined) {
      return (frame) => {
        const value = bare(frame)
        observer.paid(root, 1)
        frame.spend(1)
        return endPath(value)
      }
    }
    return (frame) => {
      const value = bare(frame)
      frame.spend(1)
      return endPath(value)
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
        return this.struct(expression)
    }
  }

  private name(expression: Expression): Planned {
    const reference = this.checked.names.get(expression)
    if (reference === undefined) throw new Error('an expression is planned before it is checked')
    if (reference.value !== undefined) return constantOf(reference.value)
    const { name } = reference
    // Variables that hold types are looked up among the names of types only.
    if (this.checked.types.get(expression)?.kind === 'type') {
      const { value } = this.environment.variable(name) ?? {}
      if (value === undefined) throw new PlanError(`reference to undefined type: ${name}`)
      return constantOf(value)
    }
    const local = this.scope.findLast((variable) => variable.name === name)
    if (local !== undefined) {
      const { place } = local
      return this.along(
        { start: (frame) => frame.locals[place] as Value, fields: NO_FIELDS },
        1,
        {},
      )
    }
    const start: Step = (frame) => resolved(frame.activation.resolve(name), name)
    return this.along({ start, fields: NO_FIELDS }, 1, { variable: name })
  }

  /** A path continues; any other part becomes the start of one. */
  private startOf(operand: Planned): Step {
    return operand.isPath ? operand.bare : this.whole(operand)
  }

  private select({ operand, field, test }: Select): Planned {
    const target = this.plan(operand)
    if (test) return this.has(target, field)
    const { start, fields, isStart } = target.along ?? {
      start: this.startOf(target),
      fields: NO_FIELDS,
      isStart: target.hasSteps !== true,
    }
    return this.along(
      { start, fields: withField(fields, field), isStart },
      target.isPath ? target.own : 1,
      target,
    )
  }

  /** Follows several fields in one step, unless an observer needs each. */
  private along(
    along: { start: Step; fields: Fields; isStart?: boolean },
    own: 0 | 1,
    { root, variable }: Pick<Planned, 'root' | 'variable'>,
  ): Planned {
    const { start, fields, isStart = true } = along
    const bare: Step = (frame) => follow(frame, start(frame), fields, isStart, 0)
    const whole: Step = (frame) => endPath(follow(frame, start(frame), fields, isStart, own))
    const planned = { ...path(bare, own, root), variable, hasSteps: fields.count > 0 || !isStart }
    return this.observer === undefined
      ? { ...planned, along: { start, fields, isStart }, whole }
      : planned
  }

  private has(target: Planned, field: string): Planned {
    const base = this.startOf(target)
    const isStart = target.hasSteps !== true
    return path((frame) => {
      const start = base(frame)
      if (start instanceof EvaluationError) return start
      const container = isStart ? startPath(start) : start
      const found = hasField(container, field)
      // In an optional path, a field that is missing costs nothing.
      if (found === true || !isOptionalPath(container)) frame.walk(1)
      return found
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

  private conditional(condition: Expression, whenTrue: Expression, whenFalse: Expression): Planned {
    const test = this.whole(this.plan(condition))
    const branches = [whenTrue, whenFalse].map((branch) => this.plan(branch))
    const [yes, no] = branches.map((branch) => this.startOf(branch)) as [Step, Step]
    const planned = path((frame) => {
      const value = test(frame)
      if (value === true) return yes(frame)
      if (value === false) return no(frame)
      return value instanceof EvaluationError ? value : NO_SUCH_OVERLOAD
    }, 0)
    return {
      ...planned,
      hasSteps: branches.some(({ hasSteps }) => hasSteps === true),
      variable: branches.every(({ variable }) => variable !== undefined)
        ? branches[0]?.variable
        : undefined,
    }
  }

  private index(operand: Expression, index: Expression, isOptional: boolean): Planned {
    const target = this.plan(operand)
    const base = this.startOf(target)
    const isStart = target.hasSteps !== true
    const key = this.plan(index)
    if (key.constant !== undefined && !isQualifier(key.constant))
      throw new PlanError(invalidQualifier(key.constant, false))
    const keyOf = this.keyOf(key)
    const find = isOptional ? optionalAccess : access
    const { observer } = this
    const bare: Step = (frame) => {
      const start = base(frame)
      const container = isStart ? startPath(start) : start
      if (container instanceof EvaluationError || isAbsent(container)) return container
      const value = keyOf(frame)
      const found = value instanceof EvaluationError ? value : find(container, value)
      const isFound = !(found instanceof EvaluationError || isAbsent(found))
      // An optional step costs nothing where it finds nothing.
      if (!isFound && (isOptional || isOptionalPath(container))) return found
      if (key.isPath && key.root !== undefined) observer?.paid(key.root, KEY_COST)
      frame.spend(KEY_COST)
      return found
    }
    return {
      ...path(bare, target.isPath ? target.own : 1, target.root),
      hasSteps: true,
      variable: target.variable,
    }
  }

  /** Evaluates a key to a value that can be one, or to an error. */
  private keyOf(key: Planned): Step {
    const evaluated = this.startOf(key)
    const { variable } = key
    return (frame) => {
      const value = endPath(evaluated(frame))
      if (value instanceof EvaluationError || isQualifier(value)) return value
      const isNative = variable !== undefined && frame.activation.isNative?.(variable) === true
      return new EvaluationError(invalidQualifier(value, isNative))
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

  /** Plans `or` and `orValue`. The replacement is evaluated only if needed; the choice costs nothing. */
  private alternative([first, second]: [Planned, Planned], wantsValue: boolean): Planned {
    const [optional, other] = [this.whole(first), this.whole(second)]
    return computed((frame) => {
      const value = optional(frame)
      if (!(value instanceof OptionalValue)) return value
      if (value.value === undefined) return other(frame)
      return wantsValue ? value.value : value
    })
  }

  /** Plans `x in [constants]`, which costs nothing itself. */
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

  /** Parses a constant regular expression. */
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

  /** Of repeated keys the last one wins (cel-lists-maps). */
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

  /** Returns a place for a new variable. */
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

function isPrimitive(value: Value): boolean {
  return value !== null && (typeof value !== 'object' || value instanceof UInt)
}
