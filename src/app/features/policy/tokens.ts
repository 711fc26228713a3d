import { entryOf } from '../../../engine/core/object'
/** Tokens of incomplete expressions; the engine's lexer accepts complete ones only. */

export interface Token {
  kind: 'name' | 'number' | 'string' | 'sign'
  text: string
  start: number
  end: number
}

const TOKEN =
  /\/\/.*|(?<name>[A-Za-z_]\w*)|(?<number>\d[\w.]*)|(?<string>(?:[rRbB]{1,2})?(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*(?:"|$)|'(?:[^'\\\n]|\\.)*(?:'|$)))|(?<sign>&&|\|\||[<>=!]=|\S)/g

/** Omits comments and spaces. An unterminated string extends to the end. */
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
 * Finds the chain of members, calls and indexes that ends before `end`.
 * @returns index of its first token; undefined without a chain
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
