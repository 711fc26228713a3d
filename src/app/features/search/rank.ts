/** Must be fast enough for ten thousand items per key. */

/** In lowercase. */
export interface Text {
  title: string
  /** Its kind, its group, other names. */
  more: string
  /** Names that rank like the title if typed in full: `pods` and `po` of the kind `pod`. */
  names?: readonly string[]
}

export const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean)

const WHOLE = 100
const BEGINNING = 60
const WORD = 40
const INSIDE = 20
const ELSEWHERE_WORD = 12
const ELSEWHERE = 6
/** Prefers the shorter of two equal matches. */
const LENGTH = 0.05

/**
 * A title that equals one of several words ranks no higher than one that begins with it, so
 * `configure authorization` finds the command.
 * @param words in lowercase; each must match
 * @returns 0 if one does not match
 */
export function scoreOf(words: readonly string[], { title, more, names }: Text): number {
  const all = words.join(' ')
  if (title === all || names?.includes(all)) return WHOLE * words.length
  // Adjacent words rank above scattered ones.
  if (title.startsWith(all)) return BEGINNING * words.length - title.length * LENGTH
  let sum = 0
  for (const word of words) {
    const score = inTitle(word, title) || inMore(word, more)
    if (score === 0) return 0
    sum += score
  }
  return Math.max(sum - title.length * LENGTH, 0.01)
}

function inTitle(word: string, title: string): number {
  const at = title.indexOf(word)
  if (at < 0) return 0
  if (at === 0) return BEGINNING
  return beginsWord(title, at) ? WORD : INSIDE
}

function inMore(word: string, more: string): number {
  const at = more.indexOf(word)
  if (at < 0) return 0
  return beginsWord(more, at) ? ELSEWHERE_WORD : ELSEWHERE
}

const beginsWord = (text: string, at: number): boolean =>
  at === 0 || !/[a-z0-9]/.test(text[at - 1] as string)

export function best<Item>(
  items: Iterable<Item>,
  words: readonly string[],
  textOf: (item: Item) => Text,
  most: number,
): { found: { item: Item; score: number }[]; fitting: number } {
  // Sorting all matches would cost more than finding them.
  const found: { item: Item; score: number }[] = []
  let fitting = 0
  for (const item of items) {
    const score = scoreOf(words, textOf(item))
    if (score === 0) continue
    fitting++
    let at = found.length
    while (at > 0 && (found[at - 1] as { score: number }).score < score) at--
    if (at >= most) continue
    found.splice(at, 0, { item, score })
    if (found.length > most) found.pop()
  }
  return { found, fitting }
}
