/**
 * Paths into objects as printer columns of custom resources name them: `.spec.ports[?(@.name=="http")].port`. The steps are those
 * of templates (json-path-template.ts); where a path does not fit a value, a column has nothing to show.
 */
import type { Json } from '../object'
import { readPath } from './json-path-reader'
import { Budget, JsonPathError } from './json-path-steps'

export { JsonPathError } from './json-path-steps'

/** Finds what a path points to: all of it, or as much from the beginning as can be found by looking at so many values. */
export type JsonPath = (root: Json) => Json[]

/** Each recursive descent of a path comes by the same values again and again; real columns come by a few dozen values. */
const MOST_VISITED = 100_000

/** @throws JsonPathError for what is no path */
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
