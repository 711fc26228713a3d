/**
 * Port forwarding over WebSockets (packages cri/streaming/portforward and wsstream), in one of two
 * forms:
 * - SPDY/3.1 inside messages, since release 1.31 (`SPDY/3.1+portforward.k8s.io`).
 * - Two numbered channels for each port, for older clients.
 */
import type { PortEnd, PortForwarding } from '../../engine/http/messages'
import { PORT_FORWARD_PROTOCOL, portForward } from './spdy/port-forward'
import { MAX_BUFFERED_BYTES } from './watch-writer'
import type { MessageListener, WebSocketConnection } from './web-socket'
import { FIRST_DIGIT, inBase64, type WebSocketProtocol } from './web-socket-protocol'

const TUNNELED = `SPDY/3.1+${PORT_FORWARD_PROTOCOL}`
const NUMBERED = ['v4.channel.k8s.io', 'v4.base64.channel.k8s.io']
/** A channel number is one byte, and a port has two. */
const MOST_PORTS = 128

export const forwardedPorts = (forwarding: PortForwarding): WebSocketProtocol => ({
  selectProtocol(offered) {
    if (offered.includes(TUNNELED)) return TUNNELED
    return offered.length === 0 ? '' : offered.find((name) => NUMBERED.includes(name))
  },
  rejection: (_, offered) =>
    offered.includes(TUNNELED) || isNumbered(forwarding) ? undefined : 400,
  begin: (connection, protocol) =>
    protocol === TUNNELED
      ? tunneled(forwarding, connection)
      : numbered(forwarding, connection, inBase64(protocol)),
})

const isNumbered = ({ ports }: PortForwarding): boolean =>
  ports.length > 0 && ports.length <= MOST_PORTS

function tunneled(forwarding: PortForwarding, connection: WebSocketConnection): MessageListener {
  const session = portForward(forwarding, {
    write: (bytes) => send(connection, bytes),
    end: () => connection.close(),
  })
  return { message: (bytes) => session.take(Buffer.from(bytes)), closed: () => session.closed() }
}

function send(connection: WebSocketConnection, message: string | Uint8Array): void {
  if (connection.send(message) > MAX_BUFFERED_BYTES) connection.cut()
}

/** Both channels of a port begin with its number. */
function numbered(
  { ports, connect }: PortForwarding,
  connection: WebSocketConnection,
  coded: boolean,
): MessageListener {
  const sent = (channel: number, content: Buffer) =>
    send(
      connection,
      coded
        ? `${channel}${content.toString('base64')}`
        : Buffer.concat([Buffer.of(channel), content]),
    )
  ports.forEach((port, i) => {
    const number = Buffer.alloc(2)
    number.writeUInt16LE(port)
    for (const channel of [2 * i, 2 * i + 1]) sent(channel, number)
  })
  let open = ports.length
  const begun = (port: number, i: number): PortEnd =>
    connect(port, {
      send: (content) => sent(2 * i, Buffer.from(content)),
      fail: (message) => sent(2 * i + 1, Buffer.from(message)),
      end() {
        open--
        if (open === 0) connection.close()
      },
    })
  const ends = ports.map(begun)
  return {
    message(frame) {
      const channel = (frame[0] ?? 0) - (coded ? FIRST_DIGIT : 0)
      if (channel % 2 === 1) return
      const content = Buffer.from(frame.subarray(1))
      ends[channel / 2]?.receive(
        coded ? Buffer.from(content.toString('latin1'), 'base64') : content,
      )
    },
    closed() {
      for (const end of ends) end.ended()
    },
  }
}
