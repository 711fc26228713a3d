/** Operators and functions: their operands, then what they cost and give. An error among the operands is what comes out. */
import { EvaluationError, type Value } from '../values/value'
import type { Cost, Run } from './dispatch'
import type { Step } from './frame'

/** Of more than two operands the first error ends the call. */
export function called(operands: readonly Step[], run: Run, cost: Cost): Step {
  const [first, second] = operands as [Step, Step]
  if (operands.length === 1) return calledWithOne(first, run, cost)
  if (operands.length === 2) return cost === undefined ? calledWithTwo(first, second, run) : calledAtCost(first, second, run, cost)
  return (frame) => {
    const values: Value[] = []
    for (const operand of operands) {
      const value = operand(frame)
      if (value instanceof EvaluationError) return value
      values.push(value)
    }
    const result = run(...values)
    frame.spend(cost === undefined ? 1 : cost(values[0] ?? null, values[1] ?? null, result))
    return result
  }
}

function calledWithOne(operand: Step, run: Run, cost: Cost): Step {
  return (frame) => {
    const value = operand(frame)
    const result = value instanceof EvaluationError ? value : run(value)
    frame.spend(cost === undefined ? 1 : cost(value, null, result))
    return result
  }
}

function calledWithTwo(first: Step, second: Step, run: Run): Step {
  return (frame) => {
    const left = first(frame)
    const right = second(frame)
    frame.spend(1)
    return left instanceof EvaluationError ? left : right instanceof EvaluationError ? right : run(left, right)
  }
}

function calledAtCost(first: Step, second: Step, run: Run, cost: NonNullable<Cost>): Step {
  return (frame) => {
    const left = first(frame)
    const right = second(frame)
    const result = left instanceof EvaluationError ? left : right instanceof EvaluationError ? right : run(left, right)
    frame.spend(cost(left, right, result))
    return result
  }
}

/** `&&` where `decisive` is false, `||` where it is true: an error on one side counts only if the other does not decide. */
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
