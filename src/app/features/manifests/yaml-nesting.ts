/** Counts the nesting of YAML before parsing, because composing recurses for every level. */
import { type CST, Lexer, Parser } from 'yaml'
import { MOST_NESTED, MOST_READ } from '../../../engine/schema/nesting'
import { tooDeep, YamlSyntaxError } from '../../../engine/schema/yaml/errors'

/**
 * For texts that the `yaml` package parses. @throws YamlSyntaxError above the nesting limit of
 * objects
 */
export function checkNesting(text: string): void {
  for (const _token of shallowTokens(text));
}

export function nestsTooDeep(text: string): boolean {
  try {
    checkNesting(text)
    return false
  } catch (error) {
    if (error instanceof YamlSyntaxError) return true
    throw error
  }
}

/**
 * Tokens for a Composer. @param onNewLine called with the offset of each line
 * @throws YamlSyntaxError as `checkNesting` does
 */
export function* shallowTokens(
  text: string,
  onNewLine?: (offset: number) => void,
): Generator<CST.Token> {
  for (const token of tokensOf(text, onNewLine)) {
    if (token.type === 'document') {
      const levels = writtenLevels(token.value)
      if (levels > MOST_NESTED) throw tooDeep(levels > MOST_READ ? MOST_READ : MOST_NESTED)
      if (levelsOf(token.value, new Map()) > MOST_NESTED) throw tooDeep(MOST_NESTED)
    }
    yield token
  }
}

/** Open tokens other than collections: the document, and the scalar at the end. */
const NO_LEVELS = 2

/** Stops at the depth limit: parsing a body full of brackets would take half a minute. */
function* tokensOf(text: string, onNewLine?: (offset: number) => void): Generator<CST.Token> {
  const parser = new Parser(onNewLine)
  onNewLine?.(0)
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme)
    if (parser.stack.length > MOST_READ + NO_LEVELS) throw tooDeep(MOST_READ)
  }
  yield* parser.end()
}

interface Item {
  start?: readonly CST.SourceToken[]
  key?: CST.Token | null
  sep?: readonly CST.SourceToken[]
  value?: CST.Token
}

const itemsOf = (token: CST.Token): readonly Item[] => ('items' in token ? token.items : [])

/** Levels without aliases; counts to slightly above the limit. */
function writtenLevels(value: CST.Token | undefined): number {
  let level: CST.Token[] = value !== undefined && 'items' in value ? [value] : []
  let levels = 0
  for (; level.length > 0 && levels <= MOST_READ; levels++) level = level.flatMap(below)
  return levels
}

function below(token: CST.Token): CST.Token[] {
  const inner: CST.Token[] = []
  for (const { key, value } of itemsOf(token)) {
    if (key && 'items' in key) inner.push(key)
    if (value && 'items' in value) inner.push(value)
  }
  return inner
}

/**
 * Levels with aliases: a chain of anchors is as deep as all of them together.
 * @param anchors levels of each anchor so far
 */
function levelsOf(token: CST.Token | null | undefined, anchors: Map<string, number>): number {
  if (!token) return 0
  if (token.type === 'alias') return anchors.get(token.source.slice(1)) ?? 0
  if (!('items' in token)) return 0
  let deepest = 0
  for (const { start, key, sep, value } of itemsOf(token)) {
    const ofKey = named(start, levelsOf(key, anchors), anchors)
    const ofValue = named(sep ?? start, levelsOf(value, anchors), anchors)
    deepest = Math.max(deepest, ofKey, ofValue)
  }
  return deepest + 1
}

function named(
  before: readonly CST.SourceToken[] | undefined,
  levels: number,
  anchors: Map<string, number>,
): number {
  for (const { type, source } of before ?? [])
    if (type === 'anchor') anchors.set(source.slice(1), levels)
  return levels
}
