/** Regular expressions as functions take them. */
import { readPattern } from '../../schema/patterns/known'
import type { Pattern } from '../../schema/patterns/matcher'
import { PatternError } from '../../schema/patterns/syntax'
import { EvaluationError, type Value } from '../values/value'

export function findPattern(text: string): Pattern | EvaluationError {
  const pattern = readPattern(text)
  return pattern instanceof PatternError ? new EvaluationError(pattern.message) : pattern
}

/** What is wrong with a pattern; undefined for what is none. */
export function patternProblem(pattern: Value): string | undefined {
  const found = typeof pattern === 'string' ? readPattern(pattern) : undefined
  return found instanceof PatternError ? found.message : undefined
}
