/** From the overloads that a call may come to, to the one that its values ask for. */

import type { RunCost } from '../cost/factors'
import type { Environment } from '../environment'
import type { Overload } from '../library/function'
import type { Type } from '../types/type'
import {
  Duration,
  EvaluationError,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  typeNameOf,
  UInt,
  type Value,
} from '../values/value'

export type Run = (...values: Value[]) => Value
/** Steps of a call; where there is none, a call is one step. */
export type Cost = RunCost | undefined
type Guard = (value: Value) => boolean

interface Candidate {
  guards: readonly Guard[]
  call: Run
}

/** @param overloads those that the checker found; where it found several, any overload of the function may be meant */
export function dispatcher(name: string, overloads: readonly Overload[], environment: Environment): { run: Run; cost: Cost } {
  const possible = overloads.length === 1 ? overloads : environment.overloads(name)
  const [first] = possible
  const cost = costOf(overloads, environment)
  // Operators for all types tell by themselves what they take.
  if (first?.definition.takesAll) return { run: first.definition.call as Run, cost }
  return { run: runOf(name, possible.map(candidateOf)), cost }
}

const candidateOf = ({ parameters, definition }: Overload): Candidate => ({
  guards: parameters.map(guardOf),
  call: definition.call as Run,
})

/** Steps are known where the overload is; a library's own hold for all its overloads. */
function costOf(overloads: readonly Overload[], environment: Environment): Cost {
  const { definition } = overloads[0] ?? {}
  if (definition?.cost === undefined) return undefined
  const holds = definition.strictCost ? environment.strictCost : overloads.length === 1
  return holds ? definition.cost : undefined
}

function runOf(name: string, candidates: readonly Candidate[]): Run {
  const [only] = candidates
  if (candidates.length === 1 && only !== undefined) return runOne(name, only)
  return (...values) => {
    for (const { guards, call } of candidates) {
      if (guards.length === values.length && guards.every((guard, index) => guard(values[index] as Value))) return call(...values)
    }
    return noSuchOverload(name, values)
  }
}

/** The usual case, without a loop. */
function runOne(name: string, { guards, call }: Candidate): Run {
  const [first, second] = guards as [Guard, Guard]
  if (guards.length === 1) return (value) => (first(value as Value) ? call(value as Value) : noSuchOverload(name, [value as Value]))
  if (guards.length === 2) {
    return (left, right) =>
      first(left as Value) && second(right as Value)
        ? call(left as Value, right as Value)
        : noSuchOverload(name, [left as Value, right as Value])
  }
  return (...values) => (guards.every((guard, index) => guard(values[index] as Value)) ? call(...values) : noSuchOverload(name, values))
}

function noSuchOverload(name: string, values: readonly Value[]): EvaluationError {
  if (/^[_!@-]/.test(name)) return new EvaluationError('no such overload')
  return new EvaluationError(`no such overload: ${name}(${values.map(typeNameOf).join(', ')})`)
}

const ANY: Guard = () => true

const GUARDS: Partial<Record<Type['kind'], Guard>> = {
  bool: (value) => typeof value === 'boolean',
  int: (value) => typeof value === 'bigint',
  uint: (value) => value instanceof UInt,
  double: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  bytes: (value) => value instanceof Uint8Array,
  null: (value) => value === null,
  duration: (value) => value instanceof Duration,
  timestamp: (value) => value instanceof Timestamp,
  list: (value) => value instanceof ListValue,
  map: (value) => value instanceof MapValue,
  type: (value) => value instanceof TypeValue,
}

function guardOf({ kind, name, parameters, fields }: Type): Guard {
  if (kind === 'opaque' || (kind === 'object' && fields === undefined)) {
    return name === 'optional_type'
      ? (value) => value instanceof OptionalValue
      : (value) => value instanceof OpaqueValue && value.typeName === name
  }
  // What an overload for lists of one type does is no matter of lists of another.
  const [element] = parameters
  const inner = kind === 'list' && element !== undefined ? GUARDS[element.kind] : undefined
  if (inner !== undefined) return (value) => value instanceof ListValue && (value.size === 0 || inner(value.at(0)))
  return GUARDS[kind] ?? ANY
}
