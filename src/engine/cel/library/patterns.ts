import type { Pattern } from '../../schema/patterns/matcher'
import { readPattern } from '../../schema/patterns/pattern-cache'
import { PatternError } from '../../schema/patterns/pattern-node'
import { EvaluationError, type Value } from '../values/value'

export function findPattern(text: string): Pattern | EvaluationError {
  const pattern = readPattern(text)
  return pattern instanceof PatternError ? new EvaluationError(pattern.message) : pattern
}

/** @returns undefined for values other than an invalid pattern */
export function patternProblem(pattern: Value): string | undefined {
  const found = typeof pattern === 'string' ? readPattern(pattern) : undefined
  return found instanceof PatternError ? found.message : undefined
}
