/** Recursive functions need stack space (docs/limits.md). */
import type { Json } from '../core/object'

/** Of parsed JSON (recorded: `exceeded max depth`). */
export const MOST_READ = 10_000

/**
 * Of stored, merged or compared values; real objects have about thirty levels. kube-apiserver has
 * no such limit, but here a stack overflow could end the process.
 */
export const MOST_NESTED = 500

/** Not recursive. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  let level: object[] = typeof value === 'object' && value !== null ? [value] : []
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > levels) return true
    const below: object[] = []
    for (const container of level) {
      for (const member of Object.values(container) as Json[])
        if (typeof member === 'object' && member !== null) below.push(member)
    }
    level = below
  }
  return false
}
