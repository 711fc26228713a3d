/** Plain and quoted scalars (YAML 1.1, sections 9.1 to 9.3). */

import { entryOf } from '../../core/object'
import {
  APOSTROPHE,
  BACKSLASH,
  COLON,
  endsPlainInFlow,
  HASH,
  isBlank,
  isBreak,
  isSpace,
  QUOTE,
  TAB,
} from './chars'
import type { Cursor } from './cursor'
import { scannerProblem } from './errors'

/** Blanks and breaks between words. */
class Gap {
  private blanks = ''
  private first = ''
  private breaks = ''
  /** Blanks after a break are indentation. */
  broken = false

  get isEmpty(): boolean {
    return !this.broken && this.blanks === ''
  }

  blank(sign: number): void {
    if (!this.broken) this.blanks += String.fromCharCode(sign)
  }

  break(text: string): void {
    if (this.broken) this.breaks += text
    else this.first = text
    this.broken = true
  }

  /** One break becomes a space, more become one less. */
  folded(): string {
    if (!this.broken) return this.blanks
    if (this.first !== '\n') return this.first + this.breaks
    return this.breaks === '' ? ' ' : this.breaks
  }
}

/**
 * @param indent minimum column of further lines
 * @returns `endsLine`: a key may follow
 * @throws YamlSyntaxError
 */
export function plainScalar(
  cursor: Cursor,
  indent: number,
  inFlow: boolean,
): { value: string; endsLine: boolean } {
  let value = ''
  let gap = new Gap()
  let endLine = cursor.line
  while (!cursor.isDocumentMark && cursor.char !== HASH) {
    const word = plainWord(cursor, inFlow)
    if (word !== '') {
      value += gap.folded() + word
      gap = new Gap()
      endLine = cursor.line
    }
    if (!isBlank(cursor.char) && !isBreak(cursor.char)) break
    skipPlainGap(cursor, indent, gap)
    if (!inFlow && cursor.column < indent) break
  }
  return { value, endsLine: cursor.line > endLine }
}

function plainWord(cursor: Cursor, inFlow: boolean): string {
  const begin = cursor.at
  for (let { char } = cursor; !isSpace(char); char = cursor.char) {
    if ((char === COLON && isSpace(cursor.ahead(1))) || (inFlow && endsPlainInFlow(char))) break
    cursor.skip()
  }
  return cursor.text.slice(begin, cursor.at)
}

function skipPlainGap(cursor: Cursor, indent: number, gap: Gap): void {
  for (let { char } = cursor; isBlank(char) || isBreak(char); char = cursor.char) {
    if (isBreak(char)) {
      gap.break(cursor.skipBreak())
      continue
    }
    if (gap.broken && char === TAB && cursor.column < indent) {
      throw scannerProblem('found a tab character that violates indentation', cursor.line)
    }
    gap.blank(char)
    cursor.skip()
  }
}

/** @throws YamlSyntaxError */
export function quotedScalar(cursor: Cursor): string {
  const quote = cursor.char
  cursor.skip()
  let value = ''
  for (;;) {
    if (cursor.isDocumentMark)
      throw scannerProblem('found unexpected document indicator', cursor.line)
    if (cursor.atEnd) throw scannerProblem('found unexpected end of stream', cursor.line)
    const gap = new Gap()
    value += quotedWord(cursor, quote, gap)
    if (cursor.char === quote) break
    for (let { char } = cursor; isBlank(char) || isBreak(char); char = cursor.char) {
      if (isBreak(char)) gap.break(cursor.skipBreak())
      else {
        gap.blank(char)
        cursor.skip()
      }
    }
    value += gap.folded()
  }
  cursor.skip()
  return value
}

/** @param gap records an escaped line break, which leaves no space */
function quotedWord(cursor: Cursor, quote: number, gap: Gap): string {
  let value = ''
  let begin = cursor.at
  const take = () => {
    value += cursor.text.slice(begin, cursor.at)
  }
  for (let { char } = cursor; !isSpace(char); char = cursor.char) {
    if (char === quote) {
      if (quote !== APOSTROPHE || cursor.ahead(1) !== APOSTROPHE) break
      cursor.skip()
      take()
    } else if (char === BACKSLASH && quote === QUOTE) {
      take()
      cursor.skip()
      if (isBreak(cursor.char)) {
        cursor.skipBreak()
        gap.break('')
        return value
      }
      value += escaped(cursor)
    } else {
      cursor.skip()
      continue
    }
    if (char === APOSTROPHE) cursor.skip()
    begin = cursor.at
  }
  take()
  return value
}

/** `\/` is from YAML 1.2. */
const ESCAPES: Record<string, string> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
}

const DIGITS: Record<string, number> = { x: 2, u: 4, U: 8 }

const LAST_CHARACTER = 0x10ffff
const isHalf = (number: number): boolean => number >= 0xd800 && number <= 0xdfff

function escaped(cursor: Cursor): string {
  const letter = cursor.text.charAt(cursor.at)
  const digits = entryOf(DIGITS, letter)
  if (digits === undefined) {
    const meaning = entryOf(ESCAPES, letter)
    if (meaning === undefined) throw scannerProblem('found unknown escape character', cursor.line)
    cursor.skip()
    return meaning
  }
  cursor.skip()
  const number = cursor.text.slice(cursor.at, cursor.at + digits)
  if (!/^[0-9A-Fa-f]+$/.test(number) || number.length < digits) {
    throw scannerProblem('did not find expected hexdecimal number', cursor.line)
  }
  const code = Number.parseInt(number, 16)
  if (isHalf(code) || code > LAST_CHARACTER)
    throw scannerProblem('found invalid Unicode character escape code', cursor.line)
  for (let digit = 0; digit < digits; digit++) cursor.skip()
  return String.fromCodePoint(code)
}
