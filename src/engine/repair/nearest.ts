/** Typing mistakes are in words, and the distance costs the product of the lengths. */
const LONGEST = 100

/** @returns the most similar text, or undefined if none is similar enough for a typing mistake */
export function nearest(text: string, among: readonly string[]): string | undefined {
  if (text.length > LONGEST) return undefined
  const wanted = text.toLowerCase()
  const ranked = among
    .filter(({ length }) => length <= LONGEST)
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  return best !== undefined && best.distance <= Math.max(1, Math.floor(text.length / 3))
    ? best.candidate
    : undefined
}

/** Levenshtein. */
function distanceOf(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}
