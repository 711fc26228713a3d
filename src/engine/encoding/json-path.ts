/**
 * Paths of printer columns: `.spec.ports[?(@.name=="http")].port`. The steps are those of templates
 * (json-path-template.ts). If a path does not fit a value, the column is empty.
 */
import type { Json } from '../core/object'
import { readPath } from './json-path-reader'
import { Budget, JsonPathError } from './json-path-steps'

export { JsonPathError } from './json-path-steps'

/** Finds the values at a path, up to a limit of visited values. */
export type JsonPath = (root: Json) => Json[]

/**
 * Repeated recursive descents visit the same values many times. Real columns visit a few dozen
 * values.
 */
const MOST_VISITED = 100_000

/** @throws JsonPathError for an invalid path */
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
