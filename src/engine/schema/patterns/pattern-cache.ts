import { Pattern } from './matcher'
import { PatternError } from './pattern-node'

/** Clients can send patterns. */
const MAX_CACHED = 500
const patterns = new Map<string, Pattern | PatternError>()

export function readPattern(text: string): Pattern | PatternError {
  let pattern = patterns.get(text)
  if (pattern === undefined) {
    pattern = read(text)
    if (patterns.size >= MAX_CACHED) patterns.clear()
    patterns.set(text, pattern)
  }
  return pattern
}

function read(text: string): Pattern | PatternError {
  try {
    return new Pattern(text)
  } catch (error) {
    if (error instanceof PatternError) return error
    throw error
  }
}

/** An invalid pattern matches nothing. */
export function fitsPattern(pattern: string, text: string): boolean {
  const found = readPattern(pattern)
  return found instanceof Pattern && found.test(text)
}
