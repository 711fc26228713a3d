import { diffLines } from 'diff'

/** `gap`: omitted equal lines. */
export type LinePair =
  | { kind: 'same'; text: string }
  | { kind: 'changed'; left?: string; right?: string }
  | { kind: 'gap'; lines: number }

/** Equal lines shown before and after a change. */
const CONTEXT = 3
/** Milliseconds; very different texts are then shown as a whole. */
const TIMEOUT = 2000

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')

/** @returns long runs of equal lines as gaps; empty if the texts are equal */
export function linePairs(left: string, right: string): LinePair[] {
  if (left === right) return []
  const parts = diffLines(left, right, { timeout: TIMEOUT }) ?? [
    { value: left, removed: true, added: false },
    { value: right, removed: false, added: true },
  ]
  const pairs: LinePair[] = []
  for (const [index, { value, added, removed }] of parts.entries()) {
    const lines = linesOf(value)
    if (removed) pairs.push(...lines.map((text): LinePair => ({ kind: 'changed', left: text })))
    else if (added) pairAdded(pairs, lines)
    else pairs.push(...sameLines(lines, index > 0, index < parts.length - 1))
  }
  return pairs
}

/** Added lines are next to the removed lines directly before them. */
function pairAdded(pairs: LinePair[], lines: readonly string[]): void {
  let at = pairs.length
  while (at > 0 && isRemoved(pairs[at - 1])) at--
  for (const text of lines) {
    const pair = pairs[at++]
    if (pair?.kind === 'changed') pair.right = text
    else pairs.push({ kind: 'changed', right: text })
  }
}

const isRemoved = (pair: LinePair | undefined): boolean =>
  pair?.kind === 'changed' && pair.right === undefined

function sameLines(lines: readonly string[], before: boolean, after: boolean): LinePair[] {
  const same = (text: string): LinePair => ({ kind: 'same', text })
  const head = before ? CONTEXT : 0
  const tail = after ? CONTEXT : 0
  const left = lines.length - head - tail
  if (left <= 1) return lines.map(same)
  return [
    ...lines.slice(0, head).map(same),
    { kind: 'gap', lines: left },
    ...lines.slice(lines.length - tail).map(same),
  ]
}
