/**
 * * Computes a unified diff as github.com/pmezard/go-difflib does, with the algorithm of Python's
 * difflib: the longest common run of lines first, then the parts on its two sides.
 */

const CONTEXT = 3

/** From this many lines, a line more frequent than one in a hundred starts no run. */
const POPULAR_FROM = 200

/** Of longer texts only the common beginning and end are found. */
const MAX_COMPARED = 2000

/** `[from, to)` in each text. */
interface Span {
  equal: boolean
  a: [number, number]
  b: [number, number]
}

interface Run {
  a: number
  b: number
  size: number
}

/** @returns empty for equal texts */
export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')]
  return hunksOf(spansOf(a, b))
    .map((hunk) => hunkText(hunk, a, b))
    .join('')
}

function hunkText(hunk: readonly Span[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [hunk[0] as Span, hunk.at(-1) as Span]
  const lines = hunk.flatMap(({ equal, a: [from, to], b: [start, end] }) =>
    equal
      ? a.slice(from, to).map((line) => ` ${line}`)
      : [
          ...a.slice(from, to).map((line) => `-${line}`),
          ...b.slice(start, end).map((line) => `+${line}`),
        ],
  )
  const header = `@@ -${rangeText(first.a[0], last.a[1])} +${rangeText(first.b[0], last.b[1])} @@`
  return [header, ...lines, ''].join('\n')
}

/** From one; an empty range is at the line before. */
function rangeText(from: number, to: number): string {
  const length = to - from
  if (length === 1) return String(from + 1)
  return `${length === 0 ? from : from + 1},${length}`
}

function hunksOf(spans: readonly Span[]): Span[][] {
  const hunks: Span[][] = []
  let hunk: Span[] = []
  spans.forEach((span, i) => {
    const [a, b] = [span.a, span.b]
    if (!span.equal) {
      hunk.push(span)
      return
    }
    const head: Span = {
      equal: true,
      a: [a[0], Math.min(a[1], a[0] + CONTEXT)],
      b: [b[0], Math.min(b[1], b[0] + CONTEXT)],
    }
    const tail: Span = {
      equal: true,
      a: [Math.max(a[0], a[1] - CONTEXT), a[1]],
      b: [Math.max(b[0], b[1] - CONTEXT), b[1]],
    }
    if (i === 0) hunk.push(tail)
    else if (i === spans.length - 1) hunk.push(head)
    else if (a[1] - a[0] > 2 * CONTEXT) {
      hunks.push([...hunk, head])
      hunk = [tail]
    } else hunk.push(span)
  })
  if (hunk.some(({ equal }) => !equal)) hunks.push(hunk)
  return hunks
}

function spansOf(a: readonly string[], b: readonly string[]): Span[] {
  const spans: Span[] = []
  let [i, j] = [0, 0]
  for (const run of [...runsOf(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (i < run.a || j < run.b) spans.push({ equal: false, a: [i, run.a], b: [j, run.b] })
    i = run.a + run.size
    j = run.b + run.size
    if (run.size > 0) spans.push({ equal: true, a: [run.a, i], b: [run.b, j] })
  }
  return spans
}

function runsOf(a: readonly string[], b: readonly string[]): Run[] {
  const runs = Math.max(a.length, b.length) > MAX_COMPARED ? outerRuns(a, b) : allRuns(a, b)
  const joined: Run[] = []
  for (const run of runs.sort((one, other) => one.a - other.a)) {
    const last = joined.at(-1)
    if (last && last.a + last.size === run.a && last.b + last.size === run.b) last.size += run.size
    else joined.push(run)
  }
  return joined
}

function outerRuns(a: readonly string[], b: readonly string[]): Run[] {
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && a[head] === b[head]) head++
  let tail = 0
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  return [
    { a: 0, b: 0, size: head },
    { a: a.length - tail, b: b.length - tail, size: tail },
  ].filter(({ size }) => size > 0)
}

function allRuns(a: readonly string[], b: readonly string[]): Run[] {
  const places = placesOf(b)
  const runs: Run[] = []
  const parts: [number, number, number, number][] = [[0, a.length, 0, b.length]]
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const [fromA, toA, fromB, toB] = part
    const run = longestRun(a, b, places, part)
    if (run.size === 0) continue
    runs.push(run)
    if (fromA < run.a && fromB < run.b) parts.push([fromA, run.a, fromB, run.b])
    const [endA, endB] = [run.a + run.size, run.b + run.size]
    if (endA < toA && endB < toB) parts.push([endA, toA, endB, toB])
  }
  return runs
}

function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [i, line] of lines.entries()) {
    const known = places.get(line)
    if (known) known.push(i)
    else places.set(line, [i])
  }
  const most = Math.floor(lines.length / 100) + 1
  if (lines.length >= POPULAR_FROM)
    for (const [line, found] of places) if (found.length > most) places.delete(line)
  return places
}

function longestRun(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, number[]>,
  [fromA, toA, fromB, toB]: readonly [number, number, number, number],
): Run {
  const best: Run = { a: fromA, b: fromB, size: 0 }
  let sizes = new Map<number, number>()
  for (let i = fromA; i < toA; i++) {
    const next = new Map<number, number>()
    for (const j of places.get(a[i] as string) ?? []) {
      if (j < fromB) continue
      if (j >= toB) break
      const size = (sizes.get(j - 1) ?? 0) + 1
      next.set(j, size)
      if (size > best.size) Object.assign(best, { a: i - size + 1, b: j - size + 1, size })
    }
    sizes = next
  }
  while (best.a > fromA && best.b > fromB && a[best.a - 1] === b[best.b - 1]) {
    best.a--
    best.b--
    best.size++
  }
  while (
    best.a + best.size < toA &&
    best.b + best.size < toB &&
    a[best.a + best.size] === b[best.b + best.size]
  )
    best.size++
  return best
}
