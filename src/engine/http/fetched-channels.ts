/**
 * Carries the channels of a connection over one request and one response. The request's body is the
 * complete input of channel 0. The response streams lines of JSON, `[channel, text]`, in order.
 * A client cannot send more once the response has begun.
 */
import type { ApiResponse, Tunnel, TunnelSink } from './messages'

/**
 * Channel 0 of remote commands is standard input. A message on channel 255 closes the channel in
 * its one byte.
 */
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
