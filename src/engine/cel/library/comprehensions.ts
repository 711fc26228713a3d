/**
 * Macros with two variables: index and item, or key and value (cel-go, ext,
 * "TwoVarComprehensions").
 */
import { type Expression, OPERATORS } from '../syntax/ast'
import {
  ACCUMULATOR,
  accumulator,
  allParts,
  appended,
  constant,
  existsOneParts,
  existsParts,
  type LoopParts,
  type Macro,
  operation,
} from '../syntax/macros'
import type { Issue } from '../syntax/source'
import { EntriesMap, EvaluationError, type MapValue, UInt, type Value } from '../values/value'
import type { Library } from './library'

const INSERT = 'cel.@mapInsert'

function nameOf(argument: Expression): string | Issue {
  return argument.kind === 'identifier'
    ? argument.name
    : { position: argument.position, message: 'argument must be a simple name' }
}

function overPairs(
  parts: (rest: readonly Expression[], key: Expression, at: number) => LoopParts,
): Macro {
  return ({ target, arguments: given }, position) => {
    const [first, second, ...rest] = given as [Expression, Expression, ...Expression[]]
    const variable = nameOf(first)
    if (typeof variable !== 'string') return variable
    const secondVariable = nameOf(second)
    if (typeof secondVariable !== 'string') return secondVariable
    if (variable === secondVariable)
      return { position: second.position, message: `duplicate variable name: ${variable}` }
    const key: Expression = { kind: 'identifier', name: variable, position }
    return {
      kind: 'comprehension',
      range: target,
      variable,
      secondVariable,
      accumulator: ACCUMULATOR,
      ...parts(rest, key, position),
      position,
    }
  }
}

const quantifier = (parts: (predicate: Expression, at: number) => LoopParts): Macro =>
  overPairs(([predicate], _key, at) => parts(predicate as Expression, at))

const transform = (
  initial: (at: number) => Expression,
  add: (transformed: Expression, key: Expression, at: number) => Expression,
): Macro =>
  overPairs((rest, key, at) => {
    const added = add(rest.at(-1) as Expression, key, at)
    const [test] = rest
    const step =
      test === undefined || rest.length === 1
        ? added
        : operation(OPERATORS.conditional, at, test, added, accumulator(at))
    return { initial: initial(at), condition: constant(true, at), step, result: accumulator(at) }
  })

const emptyMap = (position: number): Expression => ({ kind: 'map', entries: [], position })
const emptyList = (position: number): Expression => ({
  kind: 'list',
  elements: [],
  optional: new Set(),
  position,
})

const existsOne = quantifier(existsOneParts)
const transformList = transform(emptyList, (transformed, _key, at) => appended(transformed, at))
const transformMap = transform(emptyMap, (transformed, key, at) =>
  operation(INSERT, at, accumulator(at), key, transformed),
)
const transformMapEntry = transform(emptyMap, (transformed, _key, at) =>
  operation(INSERT, at, accumulator(at), transformed),
)

/** Only its loop refers to it, so entries are added in place. */
class GrowingMap extends EntriesMap {}

function growing(map: MapValue): GrowingMap {
  if (map instanceof GrowingMap) return map
  const copy = new GrowingMap()
  for (const key of map.keys()) copy.set(key, map.find(key) as Value)
  return copy
}

function insert(map: MapValue, key: Value, value: Value): MapValue | EvaluationError {
  const grown = growing(map)
  if (grown.find(key) === undefined) {
    grown.set(key, value)
    return grown
  }
  const shown = key instanceof UInt ? key.value : key
  return new EvaluationError(`insert failed: key ${String(shown)} already exists`)
}

function insertAll(map: MapValue, entries: MapValue): MapValue | EvaluationError {
  let grown: MapValue = growing(map)
  for (const key of entries.keys()) {
    const inserted = insert(grown, key, entries.find(key) as Value)
    if (inserted instanceof EvaluationError) return inserted
    grown = inserted
  }
  return grown
}

export const TWO_VARIABLES: Library = {
  functions: [
    { signature: `${INSERT}(map(K, V), K, V) -> map(K, V)`, call: insert },
    { signature: `${INSERT}(map(K, V), map(K, V)) -> map(K, V)`, call: insertAll },
  ],
  macros: {
    'all/3': quantifier(allParts),
    'exists/3': quantifier(existsParts),
    'existsOne/3': existsOne,
    'exists_one/3': existsOne,
    'transformList/3': transformList,
    'transformList/4': transformList,
    'transformMap/3': transformMap,
    'transformMap/4': transformMap,
    'transformMapEntry/3': transformMapEntry,
    'transformMapEntry/4': transformMapEntry,
  },
}
