/**
 * Compresses large responses for clients that accept gzip. Threshold and header are those of
 * k8s.io/apiserver endpoints/handlers/responsewriters.
 */
import { type ApiRequest, type ApiResponse, type BodyStream, isStream } from './messages'

/** gzip (RFC 1952); supplied by the host. */
export type Compress = (bytes: Uint8Array) => Promise<Uint8Array>

const THRESHOLD_BYTES = 128 * 1024

const ENCODING = 'Accept-Encoding'

const encoder = new TextEncoder()

/** Synchronous, because few responses are compressible. */
export function isCompressible(
  request: ApiRequest,
  { body, status, headers, compressible }: ApiResponse,
  compressesLarge: boolean,
): boolean {
  if (isStream(body)) return compressible === true && takesGzip(request) && !isUpgrade(request)
  // Byte ranges count bytes of the uncompressed form.
  if (!compressesLarge || status === 206 || body === undefined) return false
  if (body.length * 3 <= THRESHOLD_BYTES) return false
  // A response of a proxied server may be compressed already.
  return headers['content-encoding'] === undefined && takesGzip(request)
}

/**
 * Compresses the response if it is large enough, or a stream.
 * @param response one for which `isCompressible` is true
 */
export async function compressed(response: ApiResponse, compress: Compress): Promise<ApiResponse> {
  const { body } = response
  if (body === undefined) return response
  if (isStream(body))
    return { ...response, headers: gzipHeaders(response), body: compressedStream(body, compress) }
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  if (bytes.length <= THRESHOLD_BYTES) return response
  return { ...response, headers: gzipHeaders(response), body: await compress(bytes) }
}

function gzipHeaders({ headers }: ApiResponse): ApiResponse['headers'] {
  const present = [headers.vary ?? []].flat()
  const vary = present.includes(ENCODING) ? present : [...present, ENCODING].join(', ')
  return { ...headers, 'content-encoding': 'gzip', vary }
}

/** Each chunk is a member of the gzip file (RFC 1952, section 2.2), so that none waits for others. */
function compressedStream(body: BodyStream, compress: Compress): BodyStream {
  return {
    start(sink) {
      let last = Promise.resolve()
      let isCanceled = false
      let isReady = true
      let waiting = 0
      const next = (step: () => Promise<void> | void) => {
        last = last
          .then(() => (isCanceled ? undefined : step()))
          .catch(() => {
            isCanceled = true
            sink.abort()
          })
      }
      const cancel = body.start({
        write(chunk) {
          const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk
          waiting += bytes.length
          next(async () => {
            const packed = await compress(bytes)
            waiting -= bytes.length
            if (!isCanceled) isReady = sink.write(packed)
          })
          return isReady && waiting <= THRESHOLD_BYTES
        },
        end: () => next(() => sink.end()),
        abort() {
          isCanceled = true
          sink.abort()
        },
      })
      return () => {
        isCanceled = true
        cancel()
      }
    },
  }
}

/** Events over a WebSocket are not compressed. */
const isUpgrade = (request: ApiRequest): boolean => request.header('upgrade') !== undefined

/** Codings with parameters are ignored, as in kube-apiserver (recording `wire-negotiation`). */
function takesGzip(request: ApiRequest): boolean {
  const codings = request.header('accept-encoding')
  return codings?.split(',').some((coding) => coding.trim() === 'gzip') ?? false
}
