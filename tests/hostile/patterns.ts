/**
 * Texts on which a regular expression that goes back would take more than linear time: repeated
 * characters that the expression names, before an end that does not fit.
 */

/** A text is measured at this many characters, then at four times as many. */
const LENGTH = 6000
const LARGER = 4
/** Milliseconds for the smaller text below which no measurement is compared. */
const QUICK = 1
/** Linear time grows by LARGER, pairs by its square. */
const SUPERLINEAR = 8
const MEASUREMENTS = 4
/** Milliseconds that no short text takes. */
const LONG = 10
/** Short texts, each a little longer: exponential time ends the list early. */
const SHORT = [16, 20, 24, 27, 30, 33, 37, 41, 50, 60, 80, 110, 150, 220, 350, 600, 1000, 1700]

/** Characters that represent classes, and characters that an expression does not name. */
const COMMON = ['a', '0', ' ', '\n', '.', '/', '-', '"', '\u0000', 'A']
const ENDS = ['', '\u0000', '\n!']

/** Without a repetition of any length no match is longer than the expression. */
const REPEATS = /[*+]|\{\d+,\}/

/** Returns a text on which the time grows faster than its length, in words; or undefined. */
export function slowText(pattern: RegExp): string | undefined {
  if (!REPEATS.test(pattern.source)) return undefined
  const run = (text: string): void => {
    // Every start of a match is tried, as by callers that replace.
    if (pattern.global) text.replace(pattern, '')
    else pattern.test(text)
  }
  for (const { start, unit, end } of attacks(pattern)) {
    const text = (length: number): string =>
      start + unit.repeat(Math.ceil(length / unit.length)) + end
    // Exponential time shows in short texts already.
    const growing = SHORT.find((length) => takesLong(run, text(length)))
    if (growing === undefined) {
      if (elapsed(run, text(LENGTH)) < QUICK) continue
      const [small, large] = [LENGTH, LARGER * LENGTH].map((length) => fastest(run, text(length)))
      if ((small as number) < QUICK || (large as number) < SUPERLINEAR * (small as number)) continue
    }
    return JSON.stringify([start, unit, end])
  }
  return undefined
}

function elapsed(run: (text: string) => void, text: string): number {
  const begin = performance.now()
  run(text)
  return performance.now() - begin
}

/** Pauses of the program, which any single measurement may meet, do not repeat. */
function takesLong(run: (text: string) => void, text: string): boolean {
  return elapsed(run, text) > LONG && fastest(run, text) > LONG
}

function fastest(run: (text: string) => void, text: string): number {
  return Math.min(...Array.from({ length: MEASUREMENTS }, () => elapsed(run, text)))
}

interface Attack {
  start: string
  unit: string
  end: string
}

function attacks(pattern: RegExp): Attack[] {
  const named = charactersOf(pattern.source)
  const characters = [...new Set([...named.slice(0, 12), ...COMMON])]
  const words = wordsOf(pattern.source)
  const units = [
    ...characters,
    ...words,
    ...named.slice(0, 5).flatMap((one) => named.slice(0, 5).map((other) => one + other)),
    ...words.flatMap((word) => ['a', ' ', '0'].map((character) => word + character)),
  ]
  const starts = ['', ...named.slice(0, 2), ...words.slice(0, 2)]
  return [...new Set(units)].flatMap((unit) =>
    starts.flatMap((start) => ENDS.map((end) => ({ start, unit, end }))),
  )
}

/** Returns the characters that the expression names, and one of each class. */
function charactersOf(source: string): string[] {
  const found = new Set<string>()
  const classes: Record<string, string> = { d: '0', w: 'a', s: ' ', n: '\n', r: '\r', t: '\t' }
  for (let at = 0; at < source.length; at++) {
    const character = source[at] as string
    if (character === '\\') {
      const next = source[++at] ?? ''
      const standing = classes[next]
      if (standing !== undefined) found.add(standing)
      else if (/[^A-Za-z0-9]/.test(next)) found.add(next)
    } else if (!/[\^$()[\]{}|?*+]/.test(character)) found.add(character)
  }
  return [...found]
}

/** Returns the literal words of the expression. */
function wordsOf(source: string): string[] {
  return [...new Set(source.match(/[A-Za-z0-9=:/]{2,}/g) ?? [])].slice(0, 6)
}
