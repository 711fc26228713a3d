/** Explains YAML syntax errors with a fix. */

import { isCollection, isScalar, type ParsedNode, visit, type YAMLParseError } from 'yaml'
import { entryOf } from '../../../engine/core/object'
import { YAML } from './texts'

/** By the package's codes; its other messages are clear. */
const WORDS: Partial<Record<YAMLParseError['code'], string>> = {
  BLOCK_AS_IMPLICIT_KEY: YAML.nestedMapping,
  MULTILINE_IMPLICIT_KEY: YAML.missingColon,
  TAB_AS_INDENT: YAML.tab,
  BAD_ALIAS: YAML.alias,
}

/** Blanks that YAML does not accept as spaces; copied text often has them. */
const OTHER_BLANK = '[\\u00a0\\u2000-\\u200b\\u202f\\u3000\\ufeff]'
export const BEGINS_WITH_OTHER_BLANK = new RegExp(`^${OTHER_BLANK}`)
export const NO_INDENTATION = YAML.otherSpace

/** Artifacts of a copied manifest, such as a shell prompt, and their fix. */
const COPIED: readonly (readonly [line: RegExp, message: string])[] = [
  [new RegExp(`^ *${OTHER_BLANK}`), NO_INDENTATION],
  [/^\s*```/, YAML.markdown],
  [/^(?:(?!\{\{).)*\{\{.*\}\}/, YAML.template],
  [/^\s*(?:\$ *)?(?:cat|echo|kubectl)\s/, YAML.command],
  [/^(?:--- a\/|\+\+\+ b\/|@@ )/, YAML.diff],
  [/(?:^|[\s,{[])\/\//, YAML.comment],
]

export const copiedIn = (line: string): string | undefined =>
  COPIED.find(([pattern]) => pattern.test(line))?.[1]

export interface Mistake {
  message: string
  at: [begin: number, end: number]
}

/**
 * @param contents the result of parsing despite the errors
 * @returns one error per position, without consequences of an earlier error
 */
export function yamlMistakes(
  text: string,
  errors: readonly Pick<YAMLParseError, 'code' | 'message' | 'pos'>[],
  contents: ParsedNode | null,
): Mistake[] {
  const places = new Set<number>()
  const first = errors.filter(({ pos }) => {
    const isNew = !places.has(pos[0])
    places.add(pos[0])
    return isNew
  })
  const copied = new Map(first.flatMap(({ pos }) => copiedAt(text, ...pos)))
  if (copied.size > 0) return [...copied.values()]
  const mistakes: Mistake[] = []
  for (const { code, message, pos } of first) {
    const open = unclosed(text, message, pos[0], contents)
    mistakes.push(open ?? { message: WORDS[code] ?? message, at: [pos[0], pos[1]] })
    // Everything after it was parsed as its content.
    if (open) break
  }
  return mistakes
}

const CLOSED_BY: Record<string, string> = { '[': ']', '{': '}', '"': '"', "'": "'" }

/**
 * The parser reports an unclosed bracket where the text ends or the next key starts. This finds the
 * opening: for `a: [b` followed by `c: d`, `[` instead of `c`.
 * @param place of the error
 */
function unclosed(
  text: string,
  message: string,
  place: number,
  contents: ParsedNode | null,
): Mistake | undefined {
  if (!/ end with a [\]}]$|^Missing closing /.test(message)) return undefined
  let opened: number | undefined
  visit(contents, (_, node) => {
    const isOpen =
      (isCollection(node) && node.flow === true) ||
      (isScalar(node) && node.type?.startsWith('QUOTE_') === true)
    // The innermost of several open nodes is visited last.
    if (isOpen && node.range?.[1] === place) opened = node.range[0]
  })
  const mark = opened === undefined ? undefined : text[opened]
  if (opened === undefined || mark === undefined || !(mark in CLOSED_BY)) return undefined
  const lineEnd = text.indexOf('\n', opened)
  return {
    message: YAML.unclosed(mark, entryOf(CLOSED_BY, mark) ?? ''),
    at: [opened, lineEnd < 0 ? text.length : lineEnd],
  }
}

function copiedAt(text: string, begin: number, end: number): [line: number, mistake: Mistake][] {
  const line = text.lastIndexOf('\n', begin - 1) + 1
  const lineEnd = text.indexOf('\n', line)
  const message = copiedIn(text.slice(line, lineEnd < 0 ? text.length : lineEnd))
  return message === undefined ? [] : [[line, { message, at: [begin, end] }]]
}
