import type { RunCost } from '../cost/factors'
import type { Environment } from '../environment'
import type { Overload } from '../library/function'
import type { Type } from '../types/type'
import { noSuchOperation } from '../values/equality'
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
/** Undefined: a cost of 1. */
export type Cost = RunCost | undefined

export interface Dispatch {
  run: Run
  cost: Cost
  resultCost: ((result: Value) => number) | undefined
}

type Guard = (value: Value) => boolean

interface Candidate {
  guards: readonly Guard[]
  call: Run
}

/** @param overloads from the checker; of several, cel-go tries all of the function */
export function dispatcher(
  name: string,
  overloads: readonly Overload[],
  operands: number,
  environment: Environment,
): Dispatch {
  const possible = overloads.length === 1 ? overloads : environment.overloads(name)
  const [first] = possible
  const costs = costsOf(overloads, environment)
  if (first?.definition.takesAll) return { run: first.definition.call as Run, ...costs }
  const candidates = possible.filter(({ parameters }) => parameters.length === operands)
  const [only] = candidates
  if (only !== undefined && candidates.length === 1)
    return { run: runOne(name, candidateOf(only)), ...costs }
  return { run: runAny(name, candidates, operands), ...costs }
}

const candidateOf = ({ parameters, definition }: Overload): Candidate => ({
  guards: parameters.map(guardOf),
  call: definition.call as Run,
})

/** Costs of libraries hold for all overloads, others for one. */
function costsOf(
  overloads: readonly Overload[],
  environment: Environment,
): Pick<Dispatch, 'cost' | 'resultCost'> {
  const { definition } = overloads[0] ?? {}
  const { cost, resultCost, strictCost } = definition ?? {}
  const holds = strictCost ? environment.strictCost : overloads.length === 1
  return holds ? { cost, resultCost } : { cost: undefined, resultCost: undefined }
}

function runOne(name: string, { guards, call }: Candidate): Run {
  const [first, second] = guards as [Guard, Guard]
  if (guards.length === 1)
    return (value) =>
      first(value as Value) ? call(value as Value) : noSuchOverload(name, [value as Value])
  if (guards.length === 2) {
    return (left, right) =>
      first(left as Value) && second(right as Value)
        ? call(left as Value, right as Value)
        : noSuchOverload(name, [left as Value, right as Value])
  }
  return (...values) =>
    guards.every((guard, index) => guard(values[index] as Value))
      ? call(...values)
      : noSuchOverload(name, values)
}

/** Caches the overload by the classes of the values. */
function runAny(name: string, overloads: readonly Overload[], operands: number): Run {
  const candidates = overloads.map(candidateOf)
  const find = (...values: Value[]): Run =>
    candidates.find(({ guards }) => guards.every((guard, index) => guard(values[index] as Value)))
      ?.call ?? ((...given) => noSuchOverload(name, given))
  const ofLists = overloads.some(({ parameters }) => parameters.some(looksInside)) ? MANY : LIST
  const known: (Run | undefined)[] = []
  if (operands === 1) {
    return (value) => {
      const at = classOf(value as Value, ofLists)
      if (at === MANY) return find(value as Value)(value as Value)
      known[at] ??= find(value as Value)
      return (known[at] as Run)(value as Value)
    }
  }
  if (operands === 2) {
    return (left, right) => {
      const [first, second] = [classOf(left as Value, ofLists), classOf(right as Value, ofLists)]
      if (first === MANY || second === MANY)
        return find(left as Value, right as Value)(left as Value, right as Value)
      const at = first * CLASSES + second
      known[at] ??= find(left as Value, right as Value)
      return (known[at] as Run)(left as Value, right as Value)
    }
  }
  return (...values) => find(...values)(...values)
}

const CLASSES = 16
const LIST = 12
/** Of values that overloads distinguish by contents or type names. */
const MANY = -1

function classOf(value: Value, ofLists: number): number {
  switch (typeof value) {
    case 'string':
      return 0
    case 'bigint':
      return 1
    case 'boolean':
      return 2
    case 'number':
      return 3
    default:
      return value === null ? 4 : classOfObject(value, ofLists)
  }
}

function classOfObject(value: object, ofLists: number): number {
  if (value instanceof ListValue) return ofLists
  if (value instanceof MapValue) return 5
  if (value instanceof UInt) return 6
  if (value instanceof Duration) return 7
  if (value instanceof Timestamp) return 8
  if (value instanceof Uint8Array) return 9
  if (value instanceof OptionalValue) return 10
  return value instanceof TypeValue ? 11 : MANY
}

/** These check their operands themselves; declared types guard all others. */
const UNGUARDED: ReadonlySet<string> = new Set([
  'contains',
  'endsWith',
  'startsWith',
  'matches',
  'size',
])

function noSuchOverload(name: string, values: readonly Value[]): EvaluationError {
  if (/^[_!@-]/.test(name) || UNGUARDED.has(name)) return noSuchOperation(name, values[0] as Value)
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
  const inner = innerGuard(kind, parameters)
  if (inner !== undefined)
    return (value) => value instanceof ListValue && (value.size === 0 || inner(value.at(0)))
  return GUARDS[kind] ?? ANY
}

function innerGuard(kind: Type['kind'], [element]: readonly Type[]): Guard | undefined {
  return kind === 'list' && element !== undefined ? GUARDS[element.kind] : undefined
}

const looksInside = ({ kind, parameters }: Type): boolean =>
  innerGuard(kind, parameters) !== undefined
