/**
 * The engine's outbound requests in a browser: to handlers in the page, and to servers with CORS
 * and a trusted certificate.
 */

import {
  type Outbound,
  OutboundError,
  type OutboundRequest,
  type PassedRequest,
  type PassedResponse,
} from '../../engine/core/outbound'
import type { BodyStream, StreamSink } from '../../engine/http/messages'
import {
  type CallHandlers,
  type CallMessage,
  CONNECTION_REFUSED,
  type Handler,
  type HandlerCall,
  handlerAt,
} from './handlers'

export function browserOutbound(
  handlers: () => readonly Handler[],
  call: CallHandlers,
): Required<Omit<Outbound, 'upgrade'>> {
  const pass = async (
    request: PassedRequest,
    onCancel: (run: () => void) => void,
  ): Promise<PassedResponse> => {
    const handler = handlerAt(handlers(), request)
    if (handler !== undefined)
      return called(call, callOf(handler, request), addressOf(request), onCancel)
    if (request.service !== undefined || request.connectTo !== undefined)
      throw connectionRefused(addressOf(request))
    return fetched(request, onCancel)
  }
  const whole = async (request: PassedRequest, onCancel: (run: () => void) => void) => {
    const { status, headers, body } = await pass(request, onCancel)
    return { status, contentType: String(headers['content-type'] ?? ''), body: await textOf(body) }
  }
  return {
    post: ({ body, ...request }: OutboundRequest, onCancel) =>
      whole({ ...request, method: 'POST', body: new TextEncoder().encode(body) }, onCancel),
    get: (request, onCancel) => whole({ ...request, method: 'GET' }, onCancel),
    pass,
  }
}

function callOf(handler: Handler, { method, url, headers, body }: PassedRequest): HandlerCall {
  const joined = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])
  return {
    handler,
    method,
    url,
    headers: Object.fromEntries(joined),
    body: body === undefined ? '' : new TextDecoder().decode(body),
  }
}

/** For error messages. */
function addressOf({ url, connectTo }: PassedRequest): string {
  if (connectTo !== undefined) return connectTo
  const { hostname, port } = new URL(url)
  return `${/^[\d.]+$/.test(hostname) ? hostname : '127.0.0.1'}:${port || '443'}`
}

const connectionRefused = (address: string): OutboundError =>
  new OutboundError(`dial tcp ${address}: connect: ${CONNECTION_REFUSED}`)

function called(
  call: CallHandlers,
  request: HandlerCall,
  address: string,
  onCancel: (run: () => void) => void,
): Promise<PassedResponse> {
  return new Promise((resolve, reject) => {
    const pieces = new Pieces()
    const cancel = call(request, (message: CallMessage) => {
      if (message.kind === 'head') resolve({ ...message, body: pieces.stream(() => cancel()) })
      else if (message.kind === 'failed') {
        pieces.break()
        reject(
          message.message === CONNECTION_REFUSED
            ? connectionRefused(address)
            : new OutboundError(message.message),
        )
      } else pieces.take(message)
    })
    onCancel(cancel)
  })
}

class Pieces {
  private held: CallMessage[] = []
  private sink: StreamSink | undefined

  take(message: CallMessage): void {
    if (this.sink === undefined) this.held.push(message)
    else if (message.kind === 'chunk') this.sink.write(message.text)
    else if (message.kind === 'end') this.sink.end()
  }

  break(): void {
    this.sink?.abort()
  }

  stream(cancel: () => void): BodyStream {
    return {
      start: (sink) => {
        this.sink = sink
        for (const message of this.held.splice(0)) this.take(message)
        return cancel
      },
    }
  }
}

async function fetched(
  { method, url, headers, body }: PassedRequest,
  onCancel: (run: () => void) => void,
): Promise<PassedResponse> {
  const controller = new AbortController()
  onCancel(() => controller.abort())
  try {
    const response = await fetch(url, {
      method,
      headers: sendable(headers),
      ...(body === undefined ? {} : { body: body as BodyInit }),
      signal: controller.signal,
      credentials: 'omit',
    })
    return {
      status: response.status,
      headers: readable(response.headers),
      body: streamOf(response),
    }
  } catch (error) {
    throw new OutboundError(error instanceof Error ? error.message : String(error))
  }
}

/** The browser sets User-Agent and decompresses responses. */
function sendable(headers: PassedRequest['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, values]) =>
    name === 'user-agent' || name === 'accept-encoding'
      ? []
      : [values].flat().map((value): [string, string] => [name, value]),
  )
}

const readable = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    [...headers].filter(([name]) => name !== 'content-encoding' && name !== 'content-length'),
  )

function streamOf(response: Response): BodyStream {
  return {
    start(sink) {
      const reader = response.body?.getReader()
      const read = async (): Promise<void> => {
        for (;;) {
          const piece = await reader?.read()
          if (piece === undefined || piece.done) return sink.end()
          sink.write(piece.value)
        }
      }
      read().catch(() => sink.abort())
      return () => void reader?.cancel().catch(() => undefined)
    },
  }
}

function textOf(body: BodyStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const decoder = new TextDecoder()
    let text = ''
    body.start({
      write(chunk) {
        text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
        return true
      },
      end: () => resolve(text),
      abort: () => reject(new OutboundError('unexpected EOF')),
    })
  })
}
