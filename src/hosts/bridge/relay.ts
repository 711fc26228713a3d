import { Buffer } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebSocket } from 'ws'
import { CLIENT_HEADER, UPGRADE_HEADER } from '../../engine/core/names.ts'
import { setMember } from '../../engine/core/object'
import {
  FrameError,
  type FromServer,
  type FromTab,
  pieceOf,
  REPLACED,
  type RequestHead,
  readFrame,
  readPiece,
  UNREADABLE,
} from './frames.ts'
import { rejectionOf, rejectRemoteAddress } from './guard.ts'

/** The engine rejects bodies above 3 MiB; slightly more suffices for its response. */
const LARGEST_BODY = 4 * 1024 * 1024

/** Including watches. */
const MOST_WAITING = 1000

/** Buffer limit of a client that does not read; above it the connection is cut. */
const HELD_BYTES_AT_MOST = 32 * 1024 * 1024

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and those that the next hop sets. */
const OWN_HEADERS = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'accept-encoding',
]

export class Relay {
  private tab: WebSocket | undefined
  private lastId = 0
  private readonly waiting = new Map<number, ServerResponse>()

  /** The latest tab serves all requests. Tabs elect one by a lock. */
  connect(socket: WebSocket): void {
    const former = this.tab
    this.tab = socket
    former?.close(REPLACED)
    socket.on('message', (data, isBinary) => {
      try {
        if (isBinary) this.piece(new Uint8Array(data as Buffer))
        else this.head(readFrame(String(data)))
      } catch (error) {
        // After an invalid frame, later frames cannot be trusted.
        socket.close(
          UNREADABLE,
          error instanceof FrameError ? error.message : 'the response cannot be forwarded',
        )
        if (this.tab === socket) this.tab = undefined
        this.endAll('the response of the tab cannot be forwarded')
      }
    })
    if (former) this.endAll('another tab took over during the response')
    socket.on('close', () => {
      if (this.tab !== socket) return
      this.tab = undefined
      this.endAll('the tab was closed during the response')
    })
  }

  /** Never rejects: errors become responses. */
  async handle(request: IncomingMessage, response: ServerResponse, target: string): Promise<void> {
    const rejection =
      rejectionOf(request.headers) ?? rejectRemoteAddress(request.socket.remoteAddress)
    if (rejection !== undefined) return sendStatus(response, 403, 'Forbidden', rejection)
    // A request of the page itself would loop: no service worker serves it.
    if (request.headers['sec-fetch-site'] === 'same-origin')
      return sendStatus(
        response,
        503,
        'ServiceUnavailable',
        'the service worker of this page is not there yet',
      )
    let body: Buffer | undefined
    try {
      body = await bodyOf(request)
    } catch {
      response.destroy()
      return
    }
    if (body === undefined)
      return sendStatus(
        response,
        413,
        'RequestEntityTooLarge',
        'the body is larger than any that the API takes',
      )
    const { tab } = this
    if (tab === undefined) {
      response.setHeader('retry-after', '1')
      return sendStatus(
        response,
        503,
        'ServiceUnavailable',
        'no tab of the page is open: the cluster lives in it',
      )
    }
    if (this.waiting.size >= MOST_WAITING) {
      response.setHeader('retry-after', '1')
      return sendStatus(
        response,
        429,
        'TooManyRequests',
        `${MOST_WAITING} requests wait for the tab already`,
      )
    }
    const id = ++this.lastId
    this.waiting.set(id, response)
    response.on('close', () => {
      if (this.waiting.delete(id)) this.send({ kind: 'cancel', id })
    })
    this.send({
      kind: 'request',
      id,
      method: request.method ?? 'GET',
      target,
      headers: forwarded(request),
      body: body.length > 0,
    })
    if (body.length > 0) tab.send(pieceOf(id, body))
  }

  private send(message: FromServer): void {
    this.tab?.send(JSON.stringify(message))
  }

  private head(message: FromTab): void {
    const response = this.waiting.get(message.id)
    if (response === undefined) return
    switch (message.kind) {
      case 'response':
        response.writeHead(message.status, respond(message.headers))
        // Clients of a watch wait for its headers.
        response.flushHeaders()
        break
      case 'end':
        this.waiting.delete(message.id)
        response.end()
        break
      case 'failed':
        this.waiting.delete(message.id)
        if (response.headersSent) response.destroy()
        else
          sendStatus(
            response,
            503,
            'ServiceUnavailable',
            `the tab failed to respond: ${message.message}`,
          )
    }
  }

  private piece(data: Uint8Array): void {
    const { id, bytes } = readPiece(data)
    const response = this.waiting.get(id)
    response?.write(bytes)
    // The `close` listener cancels the request in the tab.
    if (response !== undefined && response.writableLength > HELD_BYTES_AT_MOST) response.destroy()
  }

  private endAll(why: string): void {
    for (const [id, response] of this.waiting) {
      this.waiting.delete(id)
      if (response.headersSent) response.destroy()
      else sendStatus(response, 503, 'ServiceUnavailable', why)
    }
  }
}

/** @returns undefined for a body that is too large; the rest is not read */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  let length = 0
  // Keeps the connection open for the error response.
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > LARGEST_BODY) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Browsers set User-Agent themselves; another header has the client's. */
function forwarded({ headers }: IncomingMessage): RequestHead['headers'] {
  const sent: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OWN_HEADERS.includes(name))
      setMember(sent, name, Array.isArray(value) ? value.join(', ') : value)
  const { 'user-agent': agent, ...others } = sent
  // Makes the engine report the unsupported upgrade, not a missing Upgrade header.
  return {
    ...others,
    [CLIENT_HEADER]: agent ?? '',
    ...(headers.upgrade && { [UPGRADE_HEADER]: headers.upgrade }),
  }
}

/** The browser already decompressed the body. */
function respond(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !OWN_HEADERS.includes(name) && name !== 'content-encoding',
    ),
  )
}

function sendStatus(response: ServerResponse, code: number, reason: string, message: string): void {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    code,
  }
  response
    .writeHead(code, { 'content-type': 'application/json' })
    .end(`${JSON.stringify(status)}\n`)
}
