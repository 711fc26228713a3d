/** Large answers go out compressed to clients that can read them (document 1, "Compression"; threshold and header recorded). */
import { type ApiRequest, type ApiResponse, isStream } from './messages'

/** Packs bytes as gzip does (RFC 1952); comes from the host. */
export type Compress = (bytes: Uint8Array) => Promise<Uint8Array>

/** Only what is larger is worth it. */
const THRESHOLD_BYTES = 128 * 1024

/** What a compressed answer depends on. */
const ENCODING = 'Accept-Encoding'

const encoder = new TextEncoder()

/** Whether the request takes an answer compressed that may be large enough: few are, and nobody waits for the others. */
export function isCompressible(
  request: ApiRequest,
  { body, status, headers }: ApiResponse,
): boolean {
  // Parts are counted in bytes of the plain form.
  if (status === 206 || body === undefined || isStream(body) || body.length * 3 <= THRESHOLD_BYTES)
    return false
  // What comes from a server behind this one may be packed already.
  return headers['content-encoding'] === undefined && takesGzip(request)
}

/** The same answer, compressed if it is large enough. @param response one that is compressible */
export async function compressed(response: ApiResponse, compress: Compress): Promise<ApiResponse> {
  const { body } = response
  if (body === undefined || isStream(body)) return response
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  if (bytes.length <= THRESHOLD_BYTES) return response
  const told = [response.headers.vary ?? []].flat()
  const vary = told.includes(ENCODING) ? told : [...told, ENCODING].join(', ')
  const headers = { ...response.headers, 'content-encoding': 'gzip', vary }
  return { ...response, headers, body: await compress(bytes) }
}

/** Codings with parameters are not looked at (recorded: wire-negotiation, "gzip-threshold"). */
function takesGzip(request: ApiRequest): boolean {
  const codings = request.header('accept-encoding')
  return codings?.split(',').some((coding) => coding.trim() === 'gzip') ?? false
}
