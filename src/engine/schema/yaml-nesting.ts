/** Nesting of YAML, counted before anything walks through it: composing a document takes the stack for every level. */
import type { CST } from 'yaml'
import { MOST_NESTED, MOST_READ } from './nesting'
import { YamlSyntaxError } from './yaml-errors'

export const tooDeep = (levels: number): YamlSyntaxError => new YamlSyntaxError(`exceeded max depth of ${levels}`)

/** Passes tokens on. @throws YamlSyntaxError in place of a document that nests deeper than objects may */
export function* shallowTokens(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  for (const token of tokens) {
    const levels = token.type === 'document' ? levelsOf(token.value) : 0
    if (levels > MOST_NESTED) throw tooDeep(levels > MOST_READ ? MOST_READ : MOST_NESTED)
    yield token
  }
}

/** Counted level by level, up to a little more than any limit. */
function levelsOf(value: CST.Token | undefined): number {
  let level = value === undefined ? [] : [value]
  let levels = 0
  for (; level.length > 0 && levels <= MOST_READ; levels++) level = level.flatMap(below)
  return levels
}

function below(token: CST.Token): CST.Token[] {
  if (!('items' in token)) return []
  const inner: CST.Token[] = []
  for (const { key, value } of token.items as { key?: CST.Token | null; value?: CST.Token }[]) {
    if (key && 'items' in key) inner.push(key)
    if (value && 'items' in value) inner.push(value)
  }
  return inner
}
