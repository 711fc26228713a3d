export type CharacterTest = (codePoint: number) => boolean

export type Ranges = readonly (readonly [first: number, last: number])[]

const DIGIT: Ranges = [[0x30, 0x39]]
const SPACE: Ranges = [[0x09, 0x0a], [0x0c, 0x0d], [0x20, 0x20]] // biome-ignore format: one table
const UPPER: Ranges = [[0x41, 0x5a]]
const LOWER: Ranges = [[0x61, 0x7a]]
const ALPHA: Ranges = [...UPPER, ...LOWER]
const ALNUM: Ranges = [...DIGIT, ...ALPHA]
const WORD: Ranges = [...ALNUM, [0x5f, 0x5f]]

export const PERL_CLASSES: Readonly<Record<string, Ranges>> = { d: DIGIT, s: SPACE, w: WORD }

export const POSIX_CLASSES: Readonly<Record<string, Ranges>> = {
  alnum: ALNUM,
  alpha: ALPHA,
  ascii: [[0, 0x7f]],
  blank: [[0x09, 0x09], [0x20, 0x20]], // biome-ignore format: one line
  cntrl: [[0, 0x1f], [0x7f, 0x7f]], // biome-ignore format: one line
  digit: DIGIT,
  graph: [[0x21, 0x7e]],
  lower: LOWER,
  print: [[0x20, 0x7e]],
  punct: [[0x21, 0x2f], [0x3a, 0x40], [0x5b, 0x60], [0x7b, 0x7e]], // biome-ignore format: one line
  space: [[0x09, 0x0d], [0x20, 0x20]], // biome-ignore format: one line
  upper: UPPER,
  word: WORD,
  xdigit: [...DIGIT, [0x41, 0x46], [0x61, 0x66]],
}

export const inRanges = (ranges: Ranges): CharacterTest =>
  ranges.length === 1 && ranges[0] !== undefined
    ? between(ranges[0][0], ranges[0][1])
    : (codePoint) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last)

const between =
  (first: number, last: number): CharacterTest =>
  (codePoint) =>
    codePoint >= first && codePoint <= last

export const not =
  (test: CharacterTest): CharacterTest =>
  (codePoint) =>
    !test(codePoint)

export const anyOf = (tests: readonly CharacterTest[]): CharacterTest =>
  tests.length === 1 && tests[0] !== undefined
    ? tests[0]
    : (codePoint) => tests.some((test) => test(codePoint))

export function folded(test: CharacterTest): CharacterTest {
  return (codePoint) => test(codePoint) || caseVariants(codePoint).some(test)
}

function caseVariants(codePoint: number): number[] {
  const character = String.fromCodePoint(codePoint)
  const variants = [character.toLowerCase(), character.toUpperCase()]
  // The long s and the Kelvin sign: no case conversion of `s` or `k` gives them.
  if (character === 's' || character === 'S') variants.push('\u017f')
  if (character === 'k' || character === 'K') variants.push('\u212a')
  return variants
    .filter((variant) => variant.length <= 2 && [...variant].length === 1)
    .map((variant) => variant.codePointAt(0) as number)
}

/** A general category or a script. @returns undefined for an unknown name */
export function unicodeClass(name: string): CharacterTest | undefined {
  if (name === 'Any') return () => true
  for (const property of [name, `Script=${name}`]) {
    // RE2 has only categories in short form.
    if (property === name && !/^[LMNPSZC][a-z&]?$/.test(name)) continue
    try {
      const expression = new RegExp(`^\\p{${property}}$`, 'u')
      return (codePoint) => expression.test(String.fromCodePoint(codePoint))
    } catch {}
  }
  return undefined
}
