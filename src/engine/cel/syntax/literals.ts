import { append } from '../../core/lists'
import { entryOf } from '../../core/object'
import { UInt, type Value } from '../values/value'
import type { Token } from './lexer'

const MAX_INT = 2n ** 63n
const MAX_UINT = 2n ** 64n

export function literalValue({ kind, text }: Token, negative: boolean): Value | undefined {
  switch (kind) {
    case 'NUM_INT':
      return intLiteral(text, negative)
    case 'NUM_UINT':
      return uintLiteral(text)
    case 'NUM_FLOAT':
      return doubleLiteral(negative ? `-${text}` : text)
    case 'STRING':
    case 'BYTES':
      return quotedLiteral(text)
    case 'null':
      return null
    default:
      return kind === 'true'
  }
}

function intLiteral(text: string, negative: boolean): bigint | undefined {
  const value = negative ? -BigInt(text) : BigInt(text)
  return value >= MAX_INT || value < -MAX_INT ? undefined : value
}

function uintLiteral(text: string): UInt | undefined {
  const value = BigInt(text.slice(0, -1))
  return value >= MAX_UINT ? undefined : new UInt(value)
}

function doubleLiteral(text: string): number | undefined {
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

const SHORT_ESCAPES: Record<string, string> = {
  a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\\': '\\', "'": "'", '"': '"', '`': '`', '?': '?',
} // biome-ignore format: one table

/** cel-go, parser/unescape.go. @returns undefined for an invalid code point, or for one in bytes */
function quotedLiteral(written: string): Value | undefined {
  const prefix = /^[rRbB]*/.exec(written)?.[0].toLowerCase() ?? ''
  const body = written.slice(prefix.length).replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const quotes = body.length >= 6 && (body.startsWith('"""') || body.startsWith("'''")) ? 3 : 1
  const inner = body.slice(quotes, -quotes)
  const isBytes = prefix.includes('b')
  if (prefix.includes('r') || !inner.includes('\\'))
    return isBytes ? new TextEncoder().encode(inner) : inner
  return isBytes ? unescapedBytes(inner) : unescapedText(inner)
}

interface Escape {
  code: number
  length: number
}

/** Invalid in bytes. */
const CODE_POINTS: ReadonlySet<string> = new Set('uU')

function escapeAt(text: string, at: number): Escape {
  const letter = text[at + 1] as string
  const short = entryOf(SHORT_ESCAPES, letter)
  if (short !== undefined) return { code: short.charCodeAt(0), length: 2 }
  if (letter === 'x' || letter === 'X')
    return { code: Number.parseInt(text.slice(at + 2, at + 4), 16), length: 4 }
  if (letter === 'u') return { code: Number.parseInt(text.slice(at + 2, at + 6), 16), length: 6 }
  if (letter === 'U')
    return { code: Number.parseInt(text.slice(at + 2, at + 10), 16) | 0, length: 10 }
  return { code: Number.parseInt(text.slice(at + 1, at + 4), 8), length: 4 }
}

function unescapedText(inner: string): string | undefined {
  let text = ''
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] !== '\\') {
      text += inner[at]
      continue
    }
    const { code, length } = escapeAt(inner, at)
    if (code > 0x10ffff) return undefined
    text += characterOf(code)
    at += length - 1
  }
  return text
}

/** A surrogate, or beyond the last code point. */
export function hasInvalidCharacter(written: string): boolean {
  const prefix = /^[rRbB]*/.exec(written)?.[0].toLowerCase() ?? ''
  if (prefix !== '') return false
  for (let at = 0; at < written.length; at++) {
    if (written[at] !== '\\') continue
    const { code, length } = escapeAt(written, at)
    if (code < 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return true
    at += length - 1
  }
  return false
}

/** `\U` with a negative 32-bit number gives a byte. */
function characterOf(code: number): string {
  const character = code < 0 ? code & 0xff : code
  const isBroken = (code < 0 && character > 0x7f) || (code >= 0xd800 && code < 0xe000)
  return isBroken ? '\ufffd' : String.fromCodePoint(character)
}

function unescapedBytes(inner: string): Uint8Array | undefined {
  const bytes: number[] = []
  const encoder = new TextEncoder()
  for (let at = 0; at < inner.length; ) {
    if (inner[at] === '\\') {
      const { code, length } = escapeAt(inner, at)
      if (CODE_POINTS.has(inner[at + 1] as string)) return undefined
      bytes.push(code)
      at += length
    } else {
      const character = String.fromCodePoint(inner.codePointAt(at) as number)
      append(bytes, encoder.encode(character))
      at += character.length
    }
  }
  return Uint8Array.from(bytes)
}
