/**
 * Remote commands over SPDY/3.1, as the kubelet serves them: a stream for each standard stream and
 * the exit status; then the command starts (package cri/streaming/remotecommand).
 */

import { entryOf } from '../../../engine/core/object'
import type { StreamType, Tunnel, TunnelEnd } from '../../../engine/http/messages'
import { Backlog } from './backlog'
import { SpdySession, type SpdyStream, type StreamListener, type Wire } from './session'

/**
 * Channel numbers of WebSockets for remote commands (package
 * k8s.io/apimachinery/pkg/util/remotecommand).
 */
const CHANNELS: Record<StreamType | 'error', number> = {
  stdin: 0,
  stdout: 1,
  stderr: 2,
  error: 3,
  resize: 4,
}
const END_OF_CHANNEL = 255
/** Protocol versions that support terminal resizing. */
const RESIZING = ['v4.', 'v3.']
const CREATION_MILLISECONDS = 30_000

export function remoteCommand(tunnel: Tunnel, protocol: string, wire: Wire): SpdySession {
  const resizes = RESIZING.some((version) => protocol.startsWith(version))
  const expected =
    1 + tunnel.streams.requested.filter((type) => type !== 'resize' || resizes).length
  const streams = new Map<number, SpdyStream>()
  const input = new Backlog<TunnelEnd>()
  const given = setTimeout(() => wire.end(), CREATION_MILLISECONDS)
  let opened = 0

  const begin = () => {
    clearTimeout(given)
    const sink = {
      send: (channel: number, content: string | Uint8Array) => streams.get(channel)?.send(content),
      end() {
        for (const stream of streams.values()) stream.end()
        session.leave()
      },
    }
    input.deliverTo(tunnel.open(sink, protocol))
  }

  const accept = (stream: SpdyStream): StreamListener | undefined => {
    const channel = entryOf(CHANNELS, stream.headers.get('streamtype') ?? '')
    if (channel === undefined || streams.has(channel)) return undefined
    streams.set(channel, stream)
    const hear = (size: number, run: (end: TunnelEnd) => void) => {
      if (!input.deliver(size, run)) wire.end()
    }
    return {
      opened() {
        opened++
        if (opened === expected) begin()
      },
      receive: (bytes) => hear(bytes.length, (end) => end.receive(channel, bytes)),
      ended: () => hear(1, (end) => end.receive(END_OF_CHANNEL, Uint8Array.of(channel))),
      closed: () => hear(1, (end) => end.receive(END_OF_CHANNEL, Uint8Array.of(channel))),
    }
  }

  const session = new SpdySession(wire, accept, () => {
    clearTimeout(given)
    input.deliver(0, (end) => end.closed())
  })
  return session
}
