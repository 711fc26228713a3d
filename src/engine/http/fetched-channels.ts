/**
 * A connection over one request and response: the request's body is the whole channel 0, the
 * response streams JSON lines `[channel, text]`.
 */
import type { ApiResponse, Tunnel, TunnelSink } from './messages'

/** Channel 0 is standard input. A message on channel 255 names a channel to close. */
const INPUT = 0
const END = 255

export function respondOver(tunnel: Tunnel, input: Uint8Array): ApiResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson' },
    body: {
      start(sink) {
        const decoder = new TextDecoder()
        const channels: TunnelSink = {
          send(channel, content) {
            sink.write(
              `${JSON.stringify([channel, typeof content === 'string' ? content : decoder.decode(content)])}\n`,
            )
          },
          end: () => sink.end(),
        }
        const end = tunnel.open(channels, tunnel.protocols[0] ?? '')
        if (input.length > 0) end.receive(INPUT, input)
        end.receive(END, Uint8Array.of(INPUT))
        return () => end.closed()
      },
    },
  }
}
