import { entryOf } from '../../../engine/core/object'
/** Tokenizes an incomplete expression, which the engine's lexer rejects. */

export interface Token {
  kind: 'name' | 'number' | 'string' | 'sign'
  text: string
  start: number
  end: number
}

const TOKEN =
  /\/\/.*|(?<name>[A-Za-z_]\w*)|(?<number>\d[\w.]*)|(?<string>(?:[rRbB]{1,2})?(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*(?:"|$)|'(?:[^'\\\n]|\\.)*(?:'|$)))|(?<sign>&&|\|\||[<>=!]=|\S)/g

/** Skips comments and space. An unterminated string extends to the end. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (const { 0: found, index, groups = {} } of text.matchAll(TOKEN)) {
    const kind = (['name', 'number', 'string', 'sign'] as const).find(
      (name) => groups[name] !== undefined,
    )
    if (kind !== undefined)
      tokens.push({ kind, text: found, start: index, end: index + found.length })
  }
  return tokens
}

const CLOSING: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/**
 * Finds the start of a chain of members, calls and indexes.
 * @param end index after its last token
 * @returns index of its first token
 */
export function chainBefore(tokens: readonly Token[], end: number): number | undefined {
  let at = end - 1
  for (;;) {
    const start = primaryBefore(tokens, at)
    if (start === undefined) return undefined
    const before = tokens[start - 1]?.text === '?' ? start - 2 : start - 1
    if (tokens[before]?.text !== '.') return start
    at = before - 1
  }
}

/** Finds a name, literal or parenthesized expression with its calls and indexes. */
function primaryBefore(tokens: readonly Token[], last: number): number | undefined {
  let at = last
  for (;;) {
    const token = tokens[at]
    if (token === undefined) return undefined
    const opening = token.kind === 'sign' ? entryOf(CLOSING, token.text) : undefined
    if (opening === undefined) return token.kind === 'sign' ? undefined : at
    const open = openingBefore(tokens, at, opening, token.text)
    if (open === undefined) return undefined
    const inFront = tokens[open - 1]
    const goesOn =
      inFront !== undefined &&
      (inFront.kind !== 'sign' || entryOf(CLOSING, inFront.text) !== undefined) &&
      inFront.text !== 'in'
    if (token.text === '}' || !goesOn) return open
    at = open - 1
  }
}

function openingBefore(
  tokens: readonly Token[],
  close: number,
  opening: string,
  closing: string,
): number | undefined {
  let depth = 0
  for (let at = close; at >= 0; at--) {
    const { kind, text } = tokens[at] as Token
    if (kind !== 'sign') continue
    if (text === closing) depth++
    else if (text === opening && --depth === 0) return at
  }
  return undefined
}
