/** The `continue` token of chunked lists: base64url of `{"v":"meta.k8s.io/v1","rv":5,"start":"name\u0000"}` (recorded). */
import { badRequest } from '../http/status'
import { GROUP } from '../names'
import { jsonTypeName } from '../schema/envelope'
import { goJsonError } from '../schema/json-reader'

const TOKEN = 'storage.continueToken'
const VERSION = `${GROUP.meta}/v1`

export interface ContinueToken {
  /** The snapshot; negative: whatever is current. */
  revision: number
  /** First key of the next chunk, relative to the list's prefix. */
  start: string
}

export function encodeContinue(token: ContinueToken): string {
  const json = `{"v":"${VERSION}","rv":${token.revision},"start":${JSON.stringify(token.start).replaceAll('\\u0000', '\\u0000')}}`
  return toBase64Url(new TextEncoder().encode(json))
}

/** @throws ApiError 400 saying what is wrong with the token */
export function decodeContinue(text: string): ContinueToken {
  const invalid = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`)
  const bytes = fromBase64Url(text)
  if (typeof bytes === 'number') throw invalid(`illegal base64 data at input byte ${bytes}`)
  let value: { v?: string; rv?: number; start?: string } | null
  const json = new TextDecoder().decode(bytes)
  try {
    value = JSON.parse(json)
  } catch {
    throw invalid(goJsonError(json))
  }
  if (value === null) throw invalid('server does not recognize this encoded version ')
  if (typeof value !== 'object' || Array.isArray(value))
    throw invalid(`json: cannot unmarshal ${jsonTypeName(value)} into Go value of type ${TOKEN}`)
  if (value.v !== VERSION) throw invalid(`server does not recognize this encoded version ${value.v ?? ''}`)
  if (!value.rv) throw invalid(`incorrect encoded start resourceVersion (version ${VERSION})`)
  if (!value.start) throw invalid(`encoded start key empty (version ${VERSION})`)
  const key = value.start.startsWith('/') ? value.start : `/${value.start}`
  if (key.split('/').some((part) => part === '..')) throw invalid(value.start)
  return { revision: value.rv, start: key.slice(1) }
}

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

/** @returns the bytes, or the position of the first byte that is not base64url */
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
