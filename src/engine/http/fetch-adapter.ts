/** Between the Fetch API's classes and the engine's own messages. */
import { CHANNELS_HEADER } from '../names'
import { answerOver } from './fetched-channels'
import { type ApiRequest, type ApiResponse, IncompleteBodyError, isStream } from './messages'

/** @returns the engine's answer; a connection that was asked for comes as its channels */
export async function throughFetch(
  handle: (request: ApiRequest) => Promise<ApiResponse>,
  request: Request,
  target?: string,
): Promise<Response> {
  const asked = { ...toApiRequest(request), ...(target === undefined ? {} : { target }) }
  if (!request.headers.has(CHANNELS_HEADER)) return toResponse(await handle(asked), request.method)
  // The engine is to think of it as of any other request for a connection.
  const answer = await handle({
    ...asked,
    header: (name) => (name === 'upgrade' ? CHANNELS_HEADER : asked.header(name)),
  })
  const { tunnel } = answer
  return toResponse(
    tunnel === undefined ? answer : answerOver(tunnel, await asked.body()),
    request.method,
  )
}

export function toApiRequest(request: Request): ApiRequest {
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

/** @throws IncompleteBodyError when what the client streams breaks off */
async function bodyOf(request: Request): Promise<Uint8Array> {
  // A body that was read before is a mistake in here, and no client's end.
  const { bodyUsed } = request
  try {
    return new Uint8Array(await request.arrayBuffer())
  } catch (error) {
    throw bodyUsed
      ? error
      : new IncompleteBodyError(error instanceof Error ? error.message : String(error))
  }
}

/** Above this the reader of a stream does not keep up and the engine is told so. */
const HELD_BYTES_WANTED = 1024 * 1024

/** Statuses that the Fetch API allows no body for. */
const BODYLESS = new Set([101, 204, 205, 304])

export function toResponse(response: ApiResponse, method: string): Response {
  // As pairs: the response makes its own Headers of whatever it is given. Several values are one text (RFC 9110, section 5.3): of a
  // header that comes several times Chromium hands a service worker's client the first alone.
  const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : value,
  ])
  const { status, body } = response
  if (body === undefined || method === 'HEAD' || BODYLESS.has(status))
    return new Response(null, { status, headers })
  if (!isStream(body)) return new Response(body as BodyInit, { status, headers })
  let cancel: (() => void) | undefined
  const encoder = new TextEncoder()
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      let open = true
      cancel = body.start({
        write(chunk) {
          if (!open) return false
          controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
          return (controller.desiredSize ?? 0) > 0
        },
        end() {
          if (!open) return
          open = false
          controller.close()
        },
        abort() {
          if (!open) return
          open = false
          controller.error(new Error('the reader did not keep up'))
        },
      })
    },
    cancel() {
      cancel?.()
    },
  }
  const held = new ByteLengthQueuingStrategy({ highWaterMark: HELD_BYTES_WANTED })
  return new Response(new ReadableStream(source, held), { status, headers })
}
