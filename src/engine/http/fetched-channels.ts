/**
 * A connection's channels where there are only requests and answers: the request's body is what goes in on channel 0, whole; the
 * answer is a stream of lines of JSON, `[channel, text]`, in the order in which they come. Nothing can be sent once the answer has begun.
 */
import type { ApiResponse, Tunnel, TunnelSink } from './messages'

/** Remote commands: standard input; the end of a channel that is named by the one byte of the message. */
const INPUT = 0
const END = 255

/** @param input what goes in */
export function answerOver(tunnel: Tunnel, input: Uint8Array): ApiResponse {
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
