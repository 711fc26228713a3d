/**
 * The first error of an operand is a call's result. Cost is spent before the work, so that a limit
 * prevents it.
 */
import { EvaluationError, innerText, innerValue, type Value } from '../values/value'
import type { Cost, Dispatch, Run } from './dispatch'
import type { Step } from './frame'

export function called(operands: readonly Step[], { run, cost, resultCost }: Dispatch): Step {
  const [first, second] = operands as [Step, Step]
  if (operands.length > 2 || operands.length === 0) return calledWithMany(operands, run, cost)
  if (resultCost !== undefined) return calledForResult(operands, run, resultCost)
  if (operands.length === 1) return calledWithOne(first, run, cost)
  return cost === undefined
    ? calledWithTwo(first, second, run)
    : calledAtCost(first, second, run, cost)
}

function calledWithMany(operands: readonly Step[], run: Run, cost: Cost): Step {
  return (frame) => {
    const values: Value[] = []
    for (const operand of operands) {
      const value = operand(frame)
      values.push(value)
      // The call then costs nothing.
      if (value instanceof EvaluationError && values.length < operands.length) return value
    }
    frame.spend(
      cost === undefined ? 1 : cost(values[0] ?? null, values[1] ?? null, values[2] ?? null),
    )
    const last = values.at(-1)
    if (last instanceof EvaluationError) return last
    const result = run(...values)
    frame.weigh(result)
    return result
  }
}

function calledForResult(
  operands: readonly Step[],
  run: Run,
  cost: (result: Value) => number,
): Step {
  return (frame) => {
    const values = operands.map((operand) => operand(frame))
    const result = values.find((value) => value instanceof EvaluationError) ?? run(...values)
    frame.spend(cost(result))
    return result
  }
}

function calledWithOne(operand: Step, run: Run, cost: Cost): Step {
  return (frame) => {
    const value = operand(frame)
    frame.spend(cost === undefined ? 1 : cost(value, null, null))
    if (value instanceof EvaluationError) return value
    const result = run(value)
    if (cost === undefined) frame.weigh(result)
    return result
  }
}

function calledWithTwo(first: Step, second: Step, run: Run): Step {
  return (frame) => {
    const left = first(frame)
    const right = second(frame)
    frame.spend(1)
    if (left instanceof EvaluationError) return left
    if (right instanceof EvaluationError) return right
    const result = run(left, right)
    frame.weigh(result)
    return result
  }
}

function calledAtCost(first: Step, second: Step, run: Run, cost: NonNullable<Cost>): Step {
  return (frame) => {
    const left = first(frame)
    const right = second(frame)
    frame.spend(cost(left, right, null))
    if (left instanceof EvaluationError) return left
    return right instanceof EvaluationError ? right : run(left, right)
  }
}

/**
 * `&&` (`decisive` false) or `||` (true). An error counts only if the other side does not decide.
 */
export function logic(left: Step, right: Step, decisive: boolean): Step {
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

const NO_SUCH_OVERLOAD = new EvaluationError('no such overload')

/**
 * cel-go compiles a constant pattern beforehand, so no overload guards the call: it unwraps the
 * text and the limit itself.
 */
export const withPattern =
  (call: Run): Run =>
  (value, pattern, limit) => {
    const text = innerText(value as Value)
    const most = limit === undefined ? limit : innerValue(limit)
    if (text === undefined || (limit !== undefined && typeof most !== 'bigint'))
      return NO_SUCH_OVERLOAD
    return most === undefined ? call(text, pattern as Value) : call(text, pattern as Value, most)
  }
