/** Limits of nesting (docs/limits.md): recursive functions need stack space for each level. */
import type { Json } from '../core/object'

/**
 * The maximum nesting of parsed JSON (recorded: `exceeded max depth`), as long as deep parts are
 * not kept.
 */
export const MOST_READ = 10_000

/**
 * The maximum nesting of stored, merged or compared values. kube-apiserver has only the limit of
 * parsing. A stack overflow here could end the whole process. Real objects have about thirty
 * levels.
 */
export const MOST_NESTED = 500

/**
 * Whether objects and lists nest deeper than a number of levels. Not recursive; stops at the first
 * such place.
 */
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
