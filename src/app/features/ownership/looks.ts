/** A name's look is stable, and never only a color. */
import { load, store } from '../../state/stored'

export interface Look {
  /** A color of theme.css: `--owner-blue`. */
  color: string
  /** The hatching behind the initials; 0 is none. */
  pattern: number
}

const COLORS = ['blue', 'orange', 'green', 'violet', 'pink', 'teal', 'olive', 'gray']
const PATTERNS = 4
const KEY = 'managers'
/** Further names share the looks of older ones. */
const KEPT = COLORS.length * PATTERNS

let names = load<string[]>(KEY, [])

/** Assigns looks in order of first use, so the first few differ most. */
export function lookOf(name: string): Look {
  let at = names.indexOf(name)
  if (at < 0 && names.length < KEPT) {
    at = names.length
    names = [...names, name]
    store(KEY, names)
  }
  if (at < 0) at = sumOf(name) % KEPT
  const row = Math.floor(at / COLORS.length)
  return { color: `--owner-${COLORS[at % COLORS.length]}`, pattern: (at + row) % PATTERNS }
}

/** A hash of the name. */
const sumOf = (name: string): number =>
  [...name].reduce((sum, letter) => (sum * 37 + (letter.codePointAt(0) ?? 0)) % 65_521, 7)

/** Two distinct letters for each name: `hpa-controller` is `hc`, `alice` is `al`. */
export function initialsOf(all: Iterable<string>): Map<string, string> {
  const given = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of [...new Set(all)].sort()) {
    const initials = candidates(name).find((candidate) => !taken.has(candidate)) ?? ''
    taken.add(initials)
    given.set(name, initials)
  }
  return given
}

function candidates(name: string): string[] {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['?']
  const letters = [...words.join('')]
  const first = letters[0] ?? '?'
  const later = [...words.slice(1).map((word) => word[0] ?? ''), ...letters.slice(1)]
  const numbers = Array.from({ length: 999 }, (_, index) => String(index + 2))
  return [...later, ...numbers, ''].map((second) => first + second)
}
