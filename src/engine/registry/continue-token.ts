/**
 * The `continue` token: base64url of `{"v":"meta.k8s.io/v1","rv":5,"start":"name\u0000"}`. See
 * k8s.io/apiserver, storage/continue.go.
 */

import { GROUP } from '../core/names'
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { type ApiError, badRequest } from '../http/status'
import { jsonTypeName } from '../schema/envelope'
import { goJsonError } from '../schema/json-reader'

const TOKEN = 'storage.continueToken'
const VERSION = `${GROUP.meta}/v1`

export interface ContinueToken {
  /** Negative: the current revision. */
  revision: number
  /** First key of the next chunk, relative to the prefix. */
  start: string
}

export function encodeContinue(token: ContinueToken): string {
  const json = `{"v":"${VERSION}","rv":${token.revision},"start":${JSON.stringify(token.start)}}`
  return toBase64Url(new TextEncoder().encode(json))
}

export function decodeContinue(text: string): ContinueToken {
  const invalid = (why: string) =>
    badRequest(`invalid continue token: continue key is not valid: ${why}`)
  const bytes = fromBase64Url(text)
  if (typeof bytes === 'number') throw invalid(`illegal base64 data at input byte ${bytes}`)
  let value: Json
  const json = new TextDecoder().decode(bytes)
  try {
    value = JSON.parse(json)
  } catch {
    throw invalid(goJsonError(json))
  }
  if (value !== null && !isJsonObject(value))
    throw invalid(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${TOKEN}`)
  const { v = '', rv = 0, start = '' } = membersOf(value ?? {}, invalid)
  if (v !== VERSION) throw invalid(`server does not recognize this encoded version ${v}`)
  if (rv === 0) throw invalid(`incorrect encoded start resourceVersion (version ${VERSION})`)
  if (start === '') throw invalid(`encoded start key empty (version ${VERSION})`)
  const key = start.startsWith('/') ? start : `/${start}`
  if (!isClean(key)) throw invalid(start)
  return { revision: rv, start: key.slice(1) }
}

function membersOf(
  value: JsonObject,
  invalid: (why: string) => ApiError,
): { v?: string; rv?: number; start?: string } {
  const misfit = (name: string, type: string): ApiError => {
    const found = value[name] as Json
    const kind =
      typeof found === 'number' && type !== 'string' ? `number ${found}` : jsonTypeName(found)
    return invalid(
      `json: cannot unmarshal ${kind} into Go struct field continueToken.${name} of type ${type}`,
    )
  }
  const members: { v?: string; rv?: number; start?: string } = {}
  for (const name in value) {
    const member = value[name] as Json
    if (member === null) continue
    if (name === 'rv') {
      if (typeof member !== 'number' || !Number.isInteger(member) || Math.abs(member) >= 2 ** 63)
        throw misfit(name, 'int64')
      members.rv = member
    } else if (name === 'v' || name === 'start') {
      if (typeof member !== 'string') throw misfit(name, 'string')
      members[name] = member
    }
  }
  return members
}

/** A key without `..` stays below the prefix. */
const isClean = (key: string): boolean =>
  key === '/' || key.split('/').every((part, i) => i === 0 || !['', '.', '..'].includes(part))

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b, c] = [bytes[i] as number, bytes[i + 1], bytes[i + 2]]
    text += ALPHABET[a >> 2]
    text += ALPHABET[((a & 3) << 4) | ((b ?? 0) >> 4)]
    if (b !== undefined) text += ALPHABET[((b & 15) << 2) | ((c ?? 0) >> 6)]
    if (c !== undefined) text += ALPHABET[c & 63]
  }
  return text
}

/** @returns the bytes, or the index of the first invalid character */
function fromBase64Url(text: string): Uint8Array | number {
  const bytes: number[] = []
  let buffer = 0
  let bits = 0
  for (let i = 0; i < text.length; i++) {
    const value = ALPHABET.indexOf(text[i] as string)
    if (value < 0) return i
    buffer = ((buffer << 6) | value) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes.push((buffer >> bits) & 0xff)
    }
  }
  return text.length % 4 === 1 ? text.length - 1 : Uint8Array.from(bytes)
}
