/** As k8s.io/apiserver, endpoints/handlers/responsewriters. */
import { type ApiRequest, type ApiResponse, isStream } from './messages'

/** gzip (RFC 1952); supplied by the host. */
export type Compress = (bytes: Uint8Array) => Promise<Uint8Array>

const THRESHOLD_BYTES = 128 * 1024

const ENCODING = 'Accept-Encoding'

const encoder = new TextEncoder()

/** Synchronous, because few responses are compressible. */
export function isCompressible(
  request: ApiRequest,
  { body, status, headers }: ApiResponse,
): boolean {
  // Byte ranges refer to the uncompressed form.
  if (status === 206 || body === undefined || isStream(body) || body.length * 3 <= THRESHOLD_BYTES)
    return false
  // A proxied server may have compressed its response.
  return headers['content-encoding'] === undefined && takesGzip(request)
}

export async function compressed(response: ApiResponse, compress: Compress): Promise<ApiResponse> {
  const { body } = response
  if (body === undefined || isStream(body)) return response
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  if (bytes.length <= THRESHOLD_BYTES) return response
  const present = [response.headers.vary ?? []].flat()
  const vary = present.includes(ENCODING) ? present : [...present, ENCODING].join(', ')
  const headers = { ...response.headers, 'content-encoding': 'gzip', vary }
  return { ...response, headers, body: await compress(bytes) }
}

/** Ignores codings with parameters (recording `wire-negotiation`). */
function takesGzip(request: ApiRequest): boolean {
  const codings = request.header('accept-encoding')
  return codings?.split(',').some((coding) => coding.trim() === 'gzip') ?? false
}
