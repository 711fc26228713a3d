/** Printer columns: `.spec.ports[?(@.name=="http")].port`; empty if a path does not fit. */
import type { Json } from '../core/object'
import { readPath } from './json-path-reader'
import { Budget, JsonPathError } from './json-path-steps'

export { JsonPathError } from './json-path-steps'

export type JsonPath = (root: Json) => Json[]

/** Number of values; real columns visit a few dozen. */
const MOST_VISITED = 100_000

/** @throws JsonPathError */
export function parseJsonPath(text: string): JsonPath {
  const step = readPath(text, false)
  return (root) => {
    try {
      return step([root], new Budget(MOST_VISITED))
    } catch (error) {
      if (error instanceof JsonPathError) return []
      throw error
    }
  }
}
