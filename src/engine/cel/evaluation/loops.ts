/** Loops over lists and over the keys of maps. Macros make all of them, and those that ask for a truth are told from the others. */
import { type Comprehension, type Expression, OPERATORS } from '../syntax/ast'
import { goTypeOf } from '../values/go-types'
import { ArrayList, EvaluationError, ListValue, MapValue, type Value } from '../values/value'
import type { Step } from './frame'

/** The steps of a loop, and where its variables are. */
export interface LoopSteps {
  range: Step
  initial: Step
  condition: Step
  step: Step
  result: Step
  accumulator: number
  variable: number
}

/** A loop as it is written: it goes on while its condition is not false. */
export function loop({
  range,
  initial,
  condition,
  step,
  result,
  accumulator,
  variable,
}: LoopSteps): Step {
  return (frame) => {
    const items = itemsOf(range(frame))
    if (items instanceof EvaluationError) return items
    const { locals } = frame
    locals[accumulator] = initial(frame)
    const { size } = items
    for (let index = 0; index < size; index++) {
      frame.round()
      locals[variable] = items.at(index)
      if (condition(frame) === false) break
      locals[accumulator] = step(frame)
    }
    return result(frame)
  }
}

/** What `all` and `exists` ask of each item. */
export interface Quest {
  predicate: Expression
  /** The answer of one item that is the answer of the whole. */
  decisive: boolean
}

/** @returns undefined for any other loop */
export function questOf({
  accumulator,
  initial,
  condition,
  step,
  result,
}: Comprehension): Quest | undefined {
  if (
    initial.kind !== 'constant' ||
    typeof initial.value !== 'boolean' ||
    !isCall(condition, OPERATORS.notStrictlyFalse)
  )
    return undefined
  const decisive = !initial.value
  if (!isCall(step, decisive ? OPERATORS.or : OPERATORS.and)) return undefined
  const [before, predicate] = step.arguments
  const [goesOn] = condition.arguments
  const asked =
    decisive && goesOn !== undefined && isCall(goesOn, OPERATORS.not) ? goesOn.arguments[0] : goesOn
  const areNames = [before, asked, result].every(
    (part) => part?.kind === 'identifier' && part.name === accumulator,
  )
  return areNames &&
    asked !== undefined &&
    predicate !== undefined &&
    (asked !== goesOn) === decisive
    ? { predicate, decisive }
    : undefined
}

const NO_SUCH_OVERLOAD = new EvaluationError('no such overload')

/**
 * The same without what the macro is made of, whose steps are counted all the same: a round reads the accumulator twice and asks
 * whether to go on, of `exists` by turning it round first; the end reads it once.
 */
export function quest(range: Step, predicate: Step, decisive: boolean, variable: number): Step {
  const asking = decisive ? 3 : 2
  return (frame) => {
    const items = itemsOf(range(frame))
    if (items instanceof EvaluationError) return items
    const { locals } = frame
    const { size } = items
    let answer: Value = !decisive
    for (let index = 0; index < size; index++) {
      frame.round()
      locals[variable] = items.at(index)
      frame.walk(asking)
      if (answer === decisive) break
      frame.walk(1)
      const said = predicate(frame)
      if (said === decisive) answer = decisive
      else if (said !== !decisive && !(answer instanceof EvaluationError))
        answer = said instanceof EvaluationError ? said : NO_SUCH_OVERLOAD
    }
    frame.walk(1)
    return answer
  }
}

/** What `map` and `filter` collect, and of which items. */
export interface Collection {
  test: Expression | undefined
  element: Expression
}

/** @returns undefined for any other loop */
export function collectionOf({
  accumulator,
  initial,
  condition,
  step,
  result,
}: Comprehension): Collection | undefined {
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

/** What a macro adds to the steps of an item that is taken: a list of one is joined to those before. */
const JOIN = 1

/** The same without a list for each item, whose steps are counted all the same. @param making steps of a list of one */
export function collection(
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
        const said = test(frame)
        if (said === false) continue
        if (said !== true) {
          wrong = said instanceof EvaluationError ? said : NO_SUCH_OVERLOAD
          continue
        }
      }
      frame.walk(1)
      const value = element(frame)
      if (value instanceof EvaluationError) wrong ??= value
      else {
        frame.spend(making)
        if (wrong === undefined) collected.push(value)
      }
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

function itemsOf(range: Value): ListValue | EvaluationError {
  if (range instanceof ListValue) return range
  if (range instanceof MapValue) return new ArrayList(range.keys())
  if (range instanceof EvaluationError) return range
  return new EvaluationError(`got '${goTypeOf(range)}', expected iterable type`)
}
