/** Regular expressions by their text, each read once. */
import { Pattern } from '../patterns/matcher'
import { PatternError } from '../patterns/syntax'
import { EvaluationError, type Value } from '../values/value'

/** Texts of patterns come from objects too: no more are kept than an object can bring. */
const MAX_KEPT = 500
const known = new Map<string, Pattern | EvaluationError>()

export function findPattern(pattern: string): Pattern | EvaluationError {
  let found = known.get(pattern)
  if (found === undefined) {
    found = read(pattern)
    if (known.size >= MAX_KEPT) known.clear()
    known.set(pattern, found)
  }
  return found
}

function read(pattern: string): Pattern | EvaluationError {
  try {
    return new Pattern(pattern)
  } catch (error) {
    if (error instanceof PatternError) return new EvaluationError(error.message)
    throw error
  }
}

/** What is wrong with a pattern; undefined for what is none. */
export function patternProblem(pattern: Value): string | undefined {
  const found = typeof pattern === 'string' ? findPattern(pattern) : undefined
  return found instanceof EvaluationError ? found.message : undefined
}
