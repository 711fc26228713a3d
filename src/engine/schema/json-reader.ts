/** JSON with a fast path for valid texts without repeated names. */
import type { Json } from '../core/object'
import { type DocumentDetails, JsonSyntaxError, parseJson } from './json-parser'
import { MOST_READ } from './nesting'

export { type DocumentDetails, JsonSyntaxError } from './json-parser'

export interface ReadDocument {
  value: Json
  duplicates: string[]
  /** If the text has more information than the value. */
  details?: DocumentDetails
}

/**
 * @param deepest MOST_NESTED for values that are stored or merged
 * @throws JsonSyntaxError with Go's message (recording `wire-bodies`)
 */
export function readJson(text: string, deepest = MOST_READ): ReadDocument {
  const members = plainMembers(text)
  if (members >= 0) {
    const value = tryParse(text)
    if (value !== undefined && countMembers(value) === members) return { value, duplicates: [] }
  }
  return parseJson(text, deepest)
}

/** Empty for valid JSON. */
export function goJsonError(text: string): string {
  try {
    parseJson(text)
    return ''
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message
    throw error
  }
}

function tryParse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** The fast path recurses. */
const PLAIN_DEPTH = 200

/** Longer integers may lose precision. */
const SAFE_DIGITS = 15

/**
 * Counts colons outside of strings.
 * @returns -1 for what the fast path does not support: deep nesting, numbers that print otherwise,
 * lone surrogates
 */
function plainMembers(text: string): number {
  if (text.includes('\\u') && /\\u[dD][89a-fA-F]/.test(text)) return -1
  let members = 0
  let depth = 0
  const length = text.length
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) {
      i = endOfString(text, i)
      if (i < 0) return -1
    } else if (code === 0x3a) members++
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > PLAIN_DEPTH) return -1
    } else if (code === 0x7d || code === 0x5d) depth--
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      i = endOfPlainNumber(text, i)
      if (i < 0) return -1
    }
  }
  return members
}

/** @returns -1 without a closing quote */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && text.charCodeAt(end - 1) === 0x5c) {
    let backslashes = 1
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++
    if (backslashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return end
}

/** @returns -1 for a number that prints otherwise */
function endOfPlainNumber(text: string, start: number): number {
  let end = start + 1
  let plain = true
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code >= 0x30 && code <= 0x39) continue
    if (code !== 0x2e && code !== 0x2b && code !== 0x2d && (code | 0x20) !== 0x65) break
    plain = false
  }
  if (plain && end - start <= SAFE_DIGITS) return end - 1
  const literal = text.slice(start, end)
  return String(Number(literal)) === literal ? end - 1 : -1
}

function countMembers(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countMembers(item)
    return count
  }
  for (const name in value) {
    count++
    const member = value[name]
    if (typeof member === 'object') count += countMembers(member)
  }
  return count
}
