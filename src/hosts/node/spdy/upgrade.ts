import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ApiResponse, PortForwarding, Tunnel } from '../../../engine/http/messages'
import { MAX_BUFFERED_BYTES } from '../watch-writer'
import { negotiated, rejection, switchingHead } from './handshake'
import { PORT_FORWARD_PROTOCOL, portForward } from './port-forward'
import { remoteCommand } from './remote-command'
import type { SpdySession, Wire } from './session'

export interface SpdyUpgrade {
  agreed: string
  begin(wire: Wire): SpdySession
}

/**
 * @returns the upgrade, or the response that rejects it; undefined if the response has only an HTTP
 * form
 */
export function spdyUpgradeOf(
  { tunnel, forwarding }: ApiResponse,
  message: IncomingMessage,
): SpdyUpgrade | ApiResponse | undefined {
  if (tunnel) return commanding(tunnel, message)
  return forwarding && forwardingOver(forwarding, negotiated(message, [PORT_FORWARD_PROTOCOL]))
}

function commanding(tunnel: Tunnel, message: IncomingMessage): SpdyUpgrade | ApiResponse {
  const { protocols, requested } = tunnel.streams
  if (requested.every((type) => type === 'resize'))
    return rejection(400, 'you must specify at least 1 of stdin, stdout, stderr')
  const agreed = negotiated(message, protocols)
  return typeof agreed === 'string'
    ? { agreed, begin: (wire) => remoteCommand(tunnel, agreed, wire) }
    : agreed
}

function forwardingOver(
  forwarding: PortForwarding,
  agreed: string | ApiResponse,
): SpdyUpgrade | ApiResponse {
  return typeof agreed === 'string'
    ? { agreed, begin: (wire) => portForward(forwarding, wire) }
    : agreed
}

/** @param head bytes after the client's request */
export function openSpdy({ agreed, begin }: SpdyUpgrade, socket: Duplex, head: Buffer): void {
  socket.write(switchingHead(agreed))
  const session = begin({
    write(bytes) {
      socket.write(bytes)
      // Bounds the memory of a slow reader.
      if (socket.writableLength > MAX_BUFFERED_BYTES) socket.destroy()
    },
    end: () => (socket as Socket).destroySoon(),
  })
  socket.on('data', (bytes: Buffer) => session.take(bytes))
  socket.on('end', () => socket.end())
  socket.on('close', () => session.closed())
  if (socket.destroyed) session.closed()
  else session.take(head)
}
