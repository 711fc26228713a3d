import {
  ArrayList,
  EntriesMap,
  EvaluationError,
  OptionalValue,
  typeNameOf,
  type Value,
} from '../values/value'
import type { Frame, Step } from './frame'

/** In addition to the parts. */
export const LIST_COST = 10
const MAP_COST = 30
const STRUCT_COST = 40

export function listStep(steps: readonly Step[], optional: ReadonlySet<number>): Step {
  const made = (frame: Frame): Value => {
    const items: Value[] = []
    for (let index = 0; index < steps.length; index++) {
      const value = (steps[index] as Step)(frame)
      if (value instanceof EvaluationError) return value
      if (!optional.has(index)) items.push(value)
      else if (!(value instanceof OptionalValue)) return wrongOptional('list', value)
      else if (value.value !== undefined) items.push(value.value)
    }
    return new ArrayList(items)
  }
  return atCost(made, LIST_COST)
}

interface EntryStep {
  key: Step
  value: Step
  optional: boolean
}

/** The last of repeated keys wins (cel-lists-maps). */
export function mapStep(steps: readonly EntryStep[]): Step {
  const made = (frame: Frame): Value => {
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
    return map
  }
  return atCost(made, MAP_COST)
}

interface FieldStep {
  field: string
  value: Step
  optional: boolean
}

export function structStep(
  steps: readonly FieldStep[],
  make: (fields: ReadonlyMap<string, Value>) => Value,
): Step {
  const made = (frame: Frame): Value => {
    const fields = new Map<string, Value>()
    for (const { field, value, optional } of steps) {
      const given = value(frame)
      if (given instanceof EvaluationError) return given
      if (!optional) fields.set(field, given)
      else if (!(given instanceof OptionalValue)) return wrongOptional('entry', given)
      else if (given.value !== undefined) fields.set(field, given.value)
    }
    return make(fields)
  }
  return atCost(made, STRUCT_COST)
}

/** Errors cost the same. */
const atCost =
  (made: Step, cost: number): Step =>
  (frame) => {
    const value = made(frame)
    frame.spend(cost)
    return value
  }

const wrongOptional = (kind: string, value: Value): EvaluationError =>
  new EvaluationError(
    `cannot initialize optional ${kind} element from non-optional value ${typeNameOf(value)}`,
  )
