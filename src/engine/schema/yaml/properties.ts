/** Anchors, aliases, tags and directives (YAML 1.1, sections 6.8 and 6.9). */

import {
  DOT,
  EXCLAMATION_MARK,
  GREATER,
  HASH,
  isBlank,
  isBreak,
  isSpace,
  LESS,
  PERCENT,
} from './chars'
import type { Cursor } from './cursor'
import { scannerProblem } from './errors'
import type { Token } from './tokens'

const BEHIND_NAME = new Set([...'?:,]}%@`'].map((sign) => sign.charCodeAt(0)))

/** `&name` or `*name`. @throws YamlSyntaxError */
export function name(cursor: Cursor): string {
  cursor.skip()
  const read = run(cursor, /[0-9A-Za-z_-]*/y)
  if (read === '' || !(isSpace(cursor.char) || BEHIND_NAME.has(cursor.char))) {
    throw scannerProblem('did not find expected alphabetic or numeric character', cursor.line)
  }
  return read
}

/** `!suffix`, `!!suffix`, `!handle!suffix` or `!<whole>`. @throws YamlSyntaxError */
export function tag(cursor: Cursor): { handle: string; suffix: string } {
  const read = cursor.ahead(1) === LESS ? wholeTag(cursor) : shortTag(cursor)
  if (!isSpace(cursor.char))
    throw scannerProblem('did not find expected whitespace or line break', cursor.line)
  return read
}

function wholeTag(cursor: Cursor): { handle: string; suffix: string } {
  cursor.skip()
  cursor.skip()
  const suffix = uri(cursor, '')
  if (cursor.char !== GREATER) throw scannerProblem("did not find the expected '>'", cursor.line)
  cursor.skip()
  return { handle: '', suffix }
}

function shortTag(cursor: Cursor): { handle: string; suffix: string } {
  const handle = tagHandle(cursor)
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: uri(cursor, '') }
  const suffix = uri(cursor, handle)
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix }
}

/** `!`, `!!` or `!name!`; without the second `!` it belongs to the suffix. */
function tagHandle(cursor: Cursor): string {
  if (cursor.char !== EXCLAMATION_MARK)
    throw scannerProblem("did not find expected '!'", cursor.line)
  cursor.skip()
  const handle = `!${run(cursor, /[0-9A-Za-z_-]*/y)}`
  if (cursor.char !== EXCLAMATION_MARK) return handle
  cursor.skip()
  return `${handle}!`
}

function uri(cursor: Cursor, head: string): string {
  let text = head.slice(1)
  let isThere = head !== ''
  for (;;) {
    const part = run(cursor, /[0-9A-Za-z_;/?:@&=+$,.!~*'()[\]-]*/y)
    text += part
    if (part !== '') isThere = true
    if (cursor.char !== PERCENT) break
    text += octets(cursor)
    isThere = true
  }
  if (!isThere) throw scannerProblem('did not find expected tag URI', cursor.line)
  return text
}

/** One UTF-8 character, each byte as `%41`. */
function octets(cursor: Cursor): string {
  const bytes: number[] = []
  for (let width = 1; bytes.length < width; ) {
    const digits = /%([0-9A-Fa-f]{2})/y
    digits.lastIndex = cursor.at
    const byte = digits.exec(cursor.text)?.[1]
    if (byte === undefined) throw scannerProblem('did not find URI escaped octet', cursor.line)
    bytes.push(Number.parseInt(byte, 16))
    const [first = 0] = bytes
    if (bytes.length === 1) {
      width =
        first < 0x80 ? 1 : first >> 5 === 6 ? 2 : first >> 4 === 14 ? 3 : first >> 3 === 30 ? 4 : 0
      if (width === 0) throw scannerProblem('found an incorrect leading UTF-8 octet', cursor.line)
    } else if ((bytes.at(-1) as number) >> 6 !== 2) {
      throw scannerProblem('found an incorrect trailing UTF-8 octet', cursor.line)
    }
    for (let sign = 0; sign < 3; sign++) cursor.skip()
  }
  return new TextDecoder().decode(Uint8Array.from(bytes))
}

/** `%YAML 1.1` or `%TAG !e! tag:example.org,2024:` @throws YamlSyntaxError */
export function directive(cursor: Cursor): Token {
  const { line } = cursor
  cursor.skip()
  const called = run(cursor, /[0-9A-Za-z_-]*/y)
  if (called === '') throw scannerProblem('could not find expected directive name', cursor.line)
  if (!isSpace(cursor.char))
    throw scannerProblem('found unexpected non-alphabetical character', cursor.line)
  const token = directiveCalled(called, cursor, line)
  cursor.skipBlanks()
  if (cursor.char === HASH) cursor.skipComment()
  if (!cursor.atEnd) {
    if (!isBreak(cursor.char))
      throw scannerProblem('did not find expected comment or line break', cursor.line)
    cursor.skipBreak()
  }
  return token
}

function directiveCalled(called: string, cursor: Cursor, line: number): Token {
  if (called === 'YAML') {
    cursor.skipBlanks()
    const major = versionNumber(cursor)
    if (cursor.char !== DOT)
      throw scannerProblem("did not find expected digit or '.' character", cursor.line)
    cursor.skip()
    return { type: 'yaml directive', line, version: `${major}.${versionNumber(cursor)}` }
  }
  if (called !== 'TAG') throw scannerProblem('found unknown directive name', cursor.line)
  cursor.skipBlanks()
  const handle = tagHandle(cursor)
  if (!handle.endsWith('!')) throw scannerProblem("did not find expected '!'", cursor.line)
  if (!isBlank(cursor.char)) throw scannerProblem('did not find expected whitespace', cursor.line)
  cursor.skipBlanks()
  const prefix = uri(cursor, '')
  if (!isSpace(cursor.char))
    throw scannerProblem('did not find expected whitespace or line break', cursor.line)
  return { type: 'tag directive', line, handle, prefix }
}

const LONGEST_NUMBER = 2

function versionNumber(cursor: Cursor): number {
  const digits = run(cursor, /\d*/y)
  if (digits.length > LONGEST_NUMBER)
    throw scannerProblem('found extremely long version number', cursor.line)
  if (digits === '') throw scannerProblem('did not find expected version number', cursor.line)
  return Number(digits)
}

function run(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at
  const [text = ''] = pattern.exec(cursor.text) ?? []
  cursor.at += text.length
  cursor.column += text.length
  return text
}
