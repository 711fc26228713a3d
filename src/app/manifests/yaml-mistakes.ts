/** What is wrong with a text as YAML, in words that say what to do: the package's own speak of grammar. */
import type { YAMLParseError } from 'yaml'

/** By the package's codes; of the others its own words are plain enough. */
const WORDS: Partial<Record<YAMLParseError['code'], string>> = {
  BLOCK_AS_IMPLICIT_KEY:
    'two keys in one: either the next line is indented too far (keys that belong together begin at the same column), or a value with a colon in it needs quotes',
  MULTILINE_IMPLICIT_KEY: 'a colon and a space are missing behind a key: “key: value”',
  TAB_AS_INDENT: 'a tab stands where the line is indented: YAML takes only spaces there',
  BAD_ALIAS: 'a value that begins with * needs quotes: without them it stands for what is marked with & elsewhere',
}

export interface Mistake {
  message: string
  /** Where it stands in the text. */
  at: [begin: number, end: number]
}

/** @returns one for each place: what follows from a mistake is told by it */
export function yamlMistakes(errors: readonly Pick<YAMLParseError, 'code' | 'message' | 'pos'>[]): Mistake[] {
  const first = errors.filter(({ pos }, index) => errors.findIndex((other) => other.pos[0] === pos[0]) === index)
  return first.map(({ code, message, pos }) => ({ message: WORDS[code] ?? message, at: [pos[0], pos[1]] }))
}
