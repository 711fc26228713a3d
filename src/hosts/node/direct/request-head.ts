/**
 * Parses common requests: complete in one chunk, with ordinary headers (RFC 9112). Node.js parses
 * all others.
 *
 *     POST /api/v1/pods HTTP/1.1␍␊Host: 127.0.0.1:8080␍␊Content-Length: 2␍␊␍␊{}
 */
import { hasBrokenEscape } from '../requests'

export interface WholeRequest {
  method: string
  target: string
  headers: Headers
  body: Uint8Array
}

export type Headers = ReadonlyMap<string, string>

const REQUEST_LINE = /^(GET|POST|PUT|PATCH|DELETE) (\/[\x21-\x7e]*) HTTP\/1\.1$/
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Invalid in header values (RFC 9110, section 5.5). */
export const NO_VALUE = /[^\t\x20-\x7e\x80-\xff]/
const HEAD_END = '\r\n\r\n'

/** Headers that change how the connection is parsed. */
const UNUSUAL = [
  'transfer-encoding',
  'expect',
  'upgrade',
  'trailer',
  'proxy-connection',
  'http2-settings',
]
const LENGTH = /^\d{1,7}$/
const MOST_HEADERS = 64

export class RequestReader {
  /** The last headers, because clients repeat them. */
  private known: { lines: string; headers: Headers } | undefined

  /** @returns undefined unless the chunk is exactly one common request */
  read(chunk: Buffer): WholeRequest | undefined {
    const headEnd = chunk.indexOf(HEAD_END, 0, 'latin1')
    if (headEnd < 0) return undefined
    const head = chunk.toString('latin1', 0, headEnd)
    const lineEnd = head.indexOf('\r\n')
    if (lineEnd < 0) return undefined
    const [, method, target] = REQUEST_LINE.exec(head.slice(0, lineEnd)) ?? []
    if (method === undefined || target === undefined || hasBrokenEscape(target)) return undefined
    const headers = this.headersOf(head.slice(lineEnd + 2))
    const bodyStart = headEnd + HEAD_END.length
    if (
      headers === undefined ||
      Number(headers.get('content-length') ?? 0) !== chunk.length - bodyStart
    )
      return undefined
    return { method, target, headers, body: chunk.subarray(bodyStart) }
  }

  private headersOf(lines: string): Headers | undefined {
    if (this.known?.lines === lines) return this.known.headers
    const headers = usualHeaders(lines)
    if (headers !== undefined) this.known = { lines, headers }
    return headers
  }
}

function usualHeaders(lines: string): Headers | undefined {
  const headers = new Map<string, string>()
  const each = lines.split('\r\n')
  if (each.length > MOST_HEADERS) return undefined
  for (const line of each) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    const value = withoutBlanks(line, colon + 1)
    if (!NAME.test(name) || NO_VALUE.test(value) || headers.has(name)) return undefined
    headers.set(name, value)
  }
  return isUsual(headers) ? headers : undefined
}

/** `trim` removes more than HTTP's spaces and tabs. */
function withoutBlanks(line: string, from: number): string {
  let start = from
  let end = line.length
  while (start < end && isBlank(line[start])) start++
  while (end > start && isBlank(line[end - 1])) end--
  return line.slice(start, end)
}

const isBlank = (sign: string | undefined): boolean => sign === ' ' || sign === '\t'

const isUsual = (headers: Headers): boolean =>
  headers.has('host') &&
  (headers.get('connection') ?? 'keep-alive').toLowerCase() === 'keep-alive' &&
  LENGTH.test(headers.get('content-length') ?? '0') &&
  !UNUSUAL.some((name) => headers.has(name))
