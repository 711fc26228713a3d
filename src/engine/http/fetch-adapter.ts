import { CHANNELS_HEADER } from '../core/names'
import { respondOver } from './fetched-channels'
import {
  type ApiRequest,
  type ApiResponse,
  IncompleteBodyError,
  isStream,
  type StreamSink,
} from './messages'

/** End when the server is replaced. */
export class OpenStreams {
  private readonly ends = new Set<() => void>()
  private draining = false

  /** While draining ends the stream at once. @returns removes the stream */
  add(end: () => void): () => void {
    if (this.draining) end()
    else this.ends.add(end)
    return () => void this.ends.delete(end)
  }

  drain(): void {
    this.draining = true
    for (const end of [...this.ends]) end()
  }

  resume(): void {
    this.draining = false
  }
}

/** A connection becomes a stream of its channels. */
export async function throughFetch(
  handle: (request: ApiRequest) => Promise<ApiResponse>,
  streams: OpenStreams,
  request: Request,
  target?: string,
): Promise<Response> {
  const apiRequest = { ...toApiRequest(request), ...(target === undefined ? {} : { target }) }
  if (!request.headers.has(CHANNELS_HEADER))
    return toResponse(await handle(apiRequest), request.method, streams)
  const response = await handle({
    ...apiRequest,
    header: (name) => (name === 'upgrade' ? CHANNELS_HEADER : apiRequest.header(name)),
  })
  const { tunnel } = response
  return toResponse(
    tunnel === undefined ? response : respondOver(tunnel, await apiRequest.body()),
    request.method,
    streams,
  )
}

function toApiRequest(request: Request): ApiRequest {
  const url = request.url
  const path = url.indexOf('/', url.indexOf('://') + 3)
  const hash = url.indexOf('#')
  return {
    method: request.method,
    target: path < 0 ? '/' : url.slice(path, hash < 0 ? undefined : hash),
    header: (name) => request.headers.get(name) ?? undefined,
    headerNames: () => [...request.headers.keys()],
    body: () => bodyOf(request),
  }
}

async function bodyOf(request: Request): Promise<Uint8Array> {
  // A body that was read before is a bug here.
  const { bodyUsed } = request
  try {
    return new Uint8Array(await request.arrayBuffer())
  } catch (error) {
    throw bodyUsed
      ? error
      : new IncompleteBodyError(error instanceof Error ? error.message : String(error))
  }
}

/** Queued bytes until backpressure. */
const HIGH_WATER_MARK = 1024 * 1024

/** The Fetch API allows them no body. */
const BODYLESS = new Set([101, 204, 205, 304])

function toResponse(response: ApiResponse, method: string, streams: OpenStreams): Response {
  // RFC 9110, section 5.3. Chromium passes only the first of repeated headers to a service worker's
  // client.
  const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ])
  const { status, body } = response
  if (body === undefined || method === 'HEAD' || BODYLESS.has(status))
    return new Response(null, { status, headers })
  if (!isStream(body)) return new Response(body as BodyInit, { status, headers })
  let stop: (() => void) | undefined
  let untrack: (() => void) | undefined
  const encoder = new TextEncoder()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      let open = true
      function close(): boolean {
        if (!open) return false
        open = false
        untrack?.()
        return true
      }
      const sink: StreamSink = {
        write(chunk) {
          if (!open) return false
          controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
          return (controller.desiredSize ?? 0) > 0
        },
        end() {
          if (close()) controller.close()
        },
        abort() {
          if (close()) controller.error(new Error('the reader did not keep up'))
        },
      }
      stop = body.start(sink)
      if (open)
        untrack = streams.add(() => {
          stop?.()
          sink.end()
        })
    },
    cancel() {
      untrack?.()
      stop?.()
    },
  }
  const held = new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_MARK })
  return new Response(new ReadableStream(source, held), { status, headers })
}
