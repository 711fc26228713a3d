/**
 * Methods that Node.js's parser rejects get 405, or 403 if denied (recorded from kube-apiserver
 * 1.31). The request is parsed here, and its connection closed afterwards.
 */
import { METHODS, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ApiRequest, isStream } from '../../engine/http/messages'
import { afterLastResponse, type Handle } from './adapter'

interface ParseError extends Error {
  code?: string
  rawPacket?: Buffer
}

/** Listener of `clientError`. @returns whether it handles a request with an unknown method */
export function respondToUnknownMethod(error: ParseError, socket: Duplex, handle: Handle): boolean {
  const request =
    error.code === 'HPE_INVALID_METHOD' && error.rawPacket
      ? readHead(error.rawPacket.toString('latin1'))
      : undefined
  if (request === undefined) return false
  afterLastResponse(socket, () => respond(request, socket, handle))
  return true
}

function respond(request: ApiRequest, socket: Duplex, handle: Handle): void {
  handle(request).then(
    ({ status, headers, body }) => {
      const content = body === undefined || isStream(body) ? '' : body
      const lines = Object.entries(headers).flatMap(([name, value]) =>
        [value].flat().map((one) => `${name}: ${one}`),
      )
      const head = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
        ...lines,
        `content-length: ${Buffer.byteLength(content)}`,
        'connection: close',
        '',
        '',
      ]
      socket.write(head.join('\r\n'))
      socket.end(content)
    },
    () => socket.destroy(),
  )
}

/** A request without a body (RFC 9112, sections 3 and 5). */
function readHead(packet: string): ApiRequest | undefined {
  const [requestLine = '', ...lines] = packet.slice(0, packet.indexOf('\r\n\r\n')).split('\r\n')
  const [, method, target] =
    /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/1\.[01]$/.exec(requestLine) ?? []
  // A known method belongs to an earlier, handled request of the packet.
  if (method === undefined || target === undefined || METHODS.includes(method)) return undefined
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  return {
    method,
    target,
    header: (name) => headers.get(name),
    headerNames: () => [...headers.keys()],
    body: () => Promise.resolve(new Uint8Array()),
  }
}
