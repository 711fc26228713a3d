/**
 * Serves content as Go's http.ServeContent does: conditional requests and ranges (RFC 9110,
 * sections 13 and 14).
 */
import type { ApiRequest, ApiResponse } from './messages'
import { plainText } from './respond'

export interface Content {
  type: string
  /** With quotes. Absent: only the date validates. */
  etag?: string
  /** Milliseconds, compared in seconds. */
  modified: number
  vary?: string | string[]
  body(): Promise<string | Uint8Array>
}

export async function serveContent(request: ApiRequest, content: Content): Promise<ApiResponse> {
  const { etag, type, vary } = content
  const lastModified = new Date(content.modified).toUTCString()
  const verdict = evaluateConditions(request, etag, Math.floor(content.modified / 1000))
  const common = {
    ...(etag === undefined ? {} : { etag }),
    ...(vary === undefined ? {} : { vary }),
  }
  if (verdict === 'failed')
    return {
      status: 412,
      headers: { ...common, 'content-type': type, 'last-modified': lastModified },
    }
  if (verdict === 'known')
    return {
      status: 304,
      headers: etag === undefined ? { ...common, 'last-modified': lastModified } : common,
    }
  const headers: ApiResponse['headers'] = {
    'content-type': type,
    ...common,
    'last-modified': lastModified,
    'accept-ranges': 'bytes',
  }
  const wanted = rangeHeader(request, etag, lastModified)
  if (wanted === undefined)
    return request.method === 'HEAD'
      ? { status: 200, headers }
      : { status: 200, headers, body: await content.body() }
  const body = await content.body()
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const ranges = parseRanges(wanted, bytes.length)
  if (typeof ranges === 'string')
    return unsatisfiable(ranges, bytes.length, { ...common, 'last-modified': lastModified })
  const total = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  const [first, ...others] = ranges
  if (first === undefined || total > bytes.length)
    return { status: 200, headers, ...bodyFor(request, body) }
  if (others.length > 0) return inParts(request, bytes, ranges, headers)
  const part = { ...headers, 'content-range': contentRange(first, bytes.length) }
  return { status: 206, headers: part, ...bodyFor(request, bytes.subarray(first.start, first.end)) }
}

const bodyFor = (
  { method }: ApiRequest,
  body: string | Uint8Array,
): { body?: string | Uint8Array } => (method === 'HEAD' ? {} : { body })

/** RFC 9110, section 13.2.2. */
function evaluateConditions(
  request: ApiRequest,
  etag: string | undefined,
  modified: number,
): 'failed' | 'known' | 'served' {
  const [match, none] = [request.header('if-match'), request.header('if-none-match')]
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (match !== undefined) {
    if (!tagsIn(match).some((tag) => tag === '*' || tag === etag)) return 'failed'
  } else {
    const since = seconds(request.header('if-unmodified-since'))
    if (since !== undefined && modified > since) return 'failed'
  }
  if (none !== undefined) {
    const known = tagsIn(none).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
    return known ? (reads ? 'known' : 'failed') : 'served'
  }
  const since = seconds(request.header('if-modified-since'))
  return reads && since !== undefined && modified <= since ? 'known' : 'served'
}

const tagsIn = (list: string): string[] => list.split(',').map((tag) => tag.trim())

function seconds(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000)
}

/** RFC 9110, section 13.1.5. */
function rangeHeader(
  request: ApiRequest,
  etag: string | undefined,
  lastModified: string,
): string | undefined {
  const range = request.header('range')
  const condition = request.header('if-range')
  if (range === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return range
  return condition === undefined || condition === etag || condition === lastModified
    ? range
    : undefined
}

interface Range {
  start: number
  /** Exclusive. */
  end: number
}

function parseRanges(header: string, size: number): Range[] | string {
  if (header === '') return []
  if (!header.startsWith('bytes=')) return 'invalid range'
  const ranges: Range[] = []
  const specs = header
    .slice('bytes='.length)
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
  for (const text of specs) {
    const [, from = '', to = ''] = /^(\d*)\s*-\s*(\d*)$/.exec(text) ?? ['', 'none']
    if (
      from === 'none' ||
      (from === '' && to === '') ||
      (from !== '' && to !== '' && Number(from) > Number(to))
    )
      return 'invalid range'
    const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
    if (from !== '' && start >= size) continue
    ranges.push({ start, end: from === '' || to === '' ? size : Math.min(size, Number(to) + 1) })
  }
  return ranges.length === 0 && specs.length > 0 ? 'invalid range: failed to overlap' : ranges
}

function unsatisfiable(why: string, size: number, headers: ApiResponse['headers']): ApiResponse {
  const response = plainText(416, `${why}\n`)
  Object.assign(
    response.headers,
    headers,
    why === 'invalid range' ? {} : { 'content-range': `bytes */${size}` },
  )
  return response
}

const contentRange = ({ start, end }: Range, size: number): string =>
  `bytes ${start}-${end - 1}/${size}`

/** RFC 9110, section 14.6. */
function inParts(
  request: ApiRequest,
  bytes: Uint8Array,
  ranges: Range[],
  headers: ApiResponse['headers'],
): ApiResponse {
  const boundary = `part${String(headers.etag).replace(/\W/g, '').toLowerCase()}`
  const encoder = new TextEncoder()
  const pieces = ranges.flatMap((range, i) => {
    const head = `${i === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Range: ${contentRange(range, bytes.length)}\r\nContent-Type: ${headers['content-type']}\r\n\r\n`
    return [encoder.encode(head), bytes.subarray(range.start, range.end)]
  })
  pieces.push(encoder.encode(`\r\n--${boundary}--\r\n`))
  const body = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    body.set(piece, at)
    at += piece.length
  }
  return {
    status: 206,
    headers: { ...headers, 'content-type': `multipart/byteranges; boundary=${boundary}` },
    ...bodyFor(request, body),
  }
}
