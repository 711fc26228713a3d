/** How deep documents may nest (docs/limits.md): what walks through them calls itself for each level, and stacks end. */
import type { Json } from '../object'

/** Deepest nesting that JSON is read to (recorded: `exceeded max depth`), as long as what lies so deep is not kept. */
export const MOST_READ = 10_000

/**
 * Deepest nesting of anything that is kept, merged or compared. The real server has no such limit beside the one of reading; here a
 * stack that ends could take the whole process with it. Real objects nest some thirty levels.
 */
export const MOST_NESTED = 500

/** Whether objects and lists nest deeper than so many levels. Walks without calling itself, and stops at the first place. */
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
