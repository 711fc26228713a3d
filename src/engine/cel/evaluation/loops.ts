/**
 * Evaluates macros. They alone make loops, so common ones have loops without intermediate values.
 */
import { type Comprehension, type Expression, OPERATORS } from '../syntax/ast'
import { goTypeOf } from '../values/go-types'
import {
  ArrayList,
  EvaluationError,
  JoinedList,
  ListValue,
  MapValue,
  type Value,
} from '../values/value'
import type { Step } from './frame'

export interface LoopSteps {
  range: Step
  initial: Step
  condition: Step
  step: Step
  result: Step
  accumulator: number
  variable: number
  secondVariable: number | undefined
}

export function loop({
  range,
  initial,
  condition,
  step,
  result,
  accumulator,
  variable,
  secondVariable,
}: LoopSteps): Step {
  return (frame) => {
    const ranged = range(frame)
    const items = itemsOf(ranged)
    if (items instanceof EvaluationError) return items
    const { locals } = frame
    const start = initial(frame)
    locals[accumulator] = start
    const { size } = items
    for (let index = 0; index < size; index++) {
      frame.round()
      if (secondVariable === undefined) locals[variable] = items.at(index)
      else [locals[variable], locals[secondVariable]] = pairOf(ranged, items, index)
      if (condition(frame) === false) break
      locals[accumulator] = step(frame)
    }
    const value = result(frame)
    // Flattens a list that grew by concatenation.
    return value instanceof JoinedList && start instanceof ListValue && start.size === 0
      ? new ArrayList([...value])
      : value
  }
}

export interface AnyAllLoop {
  predicate: Expression
  /** Ends the loop, as its result. */
  decisive: boolean
}

export function matchAnyAll({
  accumulator,
  initial,
  condition,
  step,
  result,
}: Comprehension): AnyAllLoop | undefined {
  if (
    initial.kind !== 'constant' ||
    typeof initial.value !== 'boolean' ||
    !isCall(condition, OPERATORS.notStrictlyFalse)
  )
    return undefined
  const decisive = !initial.value
  if (!isCall(step, decisive ? OPERATORS.or : OPERATORS.and)) return undefined
  const [before, predicate] = step.arguments
  const [continues] = condition.arguments
  const tested =
    decisive && continues !== undefined && isCall(continues, OPERATORS.not)
      ? continues.arguments[0]
      : continues
  const areNames = [before, tested, result].every(
    (part) => part?.kind === 'identifier' && part.name === accumulator,
  )
  return areNames &&
    tested !== undefined &&
    predicate !== undefined &&
    (tested !== continues) === decisive
    ? { predicate, decisive }
    : undefined
}

const NO_SUCH_OVERLOAD = new EvaluationError('no such overload')

/**
 * Counts the expanded macro's steps: each round reads the accumulator twice and tests it (`exists`
 * after a negation), the end reads it once.
 */
export function evalAnyAll(
  range: Step,
  predicate: Step,
  decisive: boolean,
  variable: number,
): Step {
  const testCost = decisive ? 3 : 2
  return (frame) => {
    const items = itemsOf(range(frame))
    if (items instanceof EvaluationError) return items
    const { locals } = frame
    const { size } = items
    let result: Value = !decisive
    for (let index = 0; index < size; index++) {
      frame.round()
      locals[variable] = items.at(index)
      frame.walk(testCost)
      if (result === decisive) break
      frame.walk(1)
      const holds = predicate(frame)
      if (holds === decisive) result = decisive
      else if (holds !== !decisive && !(result instanceof EvaluationError))
        result = holds instanceof EvaluationError ? holds : NO_SUCH_OVERLOAD
    }
    frame.walk(1)
    return result
  }
}

export interface MapFilterLoop {
  test: Expression | undefined
  element: Expression
}

export function matchMapFilter({
  accumulator,
  initial,
  condition,
  step,
  result,
}: Comprehension): MapFilterLoop | undefined {
  const startsEmpty = initial.kind === 'list' && initial.elements.length === 0
  const isAccumulator = (part: Expression | undefined) =>
    part?.kind === 'identifier' && part.name === accumulator
  if (
    !startsEmpty ||
    condition.kind !== 'constant' ||
    condition.value !== true ||
    !isAccumulator(result)
  )
    return undefined
  const [test, whenTrue, whenFalse] = isCall(step, OPERATORS.conditional)
    ? step.arguments
    : [undefined, step, result]
  if (whenTrue === undefined || !isCall(whenTrue, '_+_') || !isAccumulator(whenFalse))
    return undefined
  const [before, added] = whenTrue.arguments
  if (
    !isAccumulator(before) ||
    added?.kind !== 'list' ||
    added.elements.length !== 1 ||
    added.optional.size > 0
  )
    return undefined
  return { test, element: added.elements[0] as Expression }
}

/** The expanded macro concatenates a list of one item. */
const JOIN = 1

/** @param making the steps of a list of one item, which are counted although no list is made */
export function evalMapFilter(
  range: Step,
  test: Step | undefined,
  element: Step,
  making: number,
  variable: number,
): Step {
  return (frame) => {
    const items = itemsOf(range(frame))
    if (items instanceof EvaluationError) return items
    const { locals } = frame
    const { size } = items
    const collected: Value[] = []
    let wrong: EvaluationError | undefined
    for (let index = 0; index < size; index++) {
      frame.round()
      locals[variable] = items.at(index)
      if (test !== undefined) {
        const holds = test(frame)
        if (holds === false) continue
        if (holds !== true) {
          wrong = holds instanceof EvaluationError ? holds : NO_SUCH_OVERLOAD
          continue
        }
      }
      frame.walk(1)
      const value = element(frame)
      frame.spend(making)
      if (value instanceof EvaluationError) wrong ??= value
      else if (wrong === undefined) collected.push(value)
      frame.spend(JOIN)
    }
    frame.walk(1)
    return wrong ?? new ArrayList(collected)
  }
}

const isCall = (
  expression: Expression,
  name: string,
): expression is Extract<Expression, { kind: 'call' }> =>
  expression.kind === 'call' && expression.function === name

function pairOf(range: Value, items: ListValue, index: number): [Value, Value] {
  const item = items.at(index)
  return range instanceof MapValue
    ? [item, range.find(item) ?? new EvaluationError('no such key')]
    : [BigInt(index), item]
}

function itemsOf(range: Value): ListValue | EvaluationError {
  if (range instanceof ListValue) return range
  if (range instanceof MapValue) return new ArrayList(range.keys())
  if (range instanceof EvaluationError) return range
  return new EvaluationError(`got '${goTypeOf(range)}', expected iterable type`)
}
