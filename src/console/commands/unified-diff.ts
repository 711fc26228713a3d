/** A diff in the format of `diff -u -N`. */
import { structuredPatch } from 'diff'

/** @returns an empty text if equal */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return ''
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: 3 })
  const range = (start: number, lines: number): string =>
    lines === 1 ? String(start) : `${lines === 0 ? Math.max(0, start - 1) : start},${lines}`
  const parts = hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => {
    const first = oldLines === 0 && oldStart === 0 ? 0 : oldStart
    return [`@@ -${range(first, oldLines)} +${range(newStart, newLines)} @@`, ...lines].join('\n')
  })
  return [
    `diff -u -N LIVE/${name} MERGED/${name}`,
    `--- LIVE/${name}`,
    `+++ MERGED/${name}`,
    ...parts,
    '',
  ].join('\n')
}
