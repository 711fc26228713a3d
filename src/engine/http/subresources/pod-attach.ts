/**
 * Streams a simulated container's output from now on. With `stdin`, `cat` and shells read input.
 */

import type { Pod } from '../../kinds/core/pod-types'
import type { Engine } from '../../registry/engine'
import type { Run } from '../../simulation/log-lines'
import type { Tunnel, TunnelEnd, TunnelSink } from '../messages'
import { flag } from '../options'
import type { Query } from '../query'
import { endContainer } from './end-container'
import { remoteProtocols, sendExit } from './pod-exec'
import { followedOutput } from './pod-log'
import { CHANNEL, readerOf } from './program-input'
import { execContextOf, simulatedContainer } from './simulated-containers'

export async function simulatedAttach(
  engine: Engine,
  pod: Pod,
  name: string,
  run: Run,
  query: Query,
  key: string,
): Promise<Tunnel> {
  const follow = await followedOutput(engine, pod, name, run, key)
  const container = await simulatedContainer(engine, pod, name)
  const context = execContextOf(engine, container)
  const tty = flag(query, 'tty') ?? false
  const reads = flag(query, 'stdin') === true
  return {
    ...remoteProtocols(query),
    open(sink, protocol) {
      const { reader } = container
      const stop = follow({
        write(chunk) {
          const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
          sink.send(CHANNEL.output, tty ? text.replaceAll('\n', '\r\n') : text)
          return true
        },
        end: () => sendExit(sink, protocol, 0),
        abort: () => sink.end(),
      })
      if (reader === undefined || !reads) return { receive() {}, closed: stop }
      const connection = { isOpen: true }
      const input = readerOf(reader.command, {
        sink: guarded(sink, query, connection),
        context,
        tty: reader.tty,
        end(code) {
          stop()
          if (connection.isOpen) sendExit(sink, protocol, 0)
          endContainer(engine, key, name, run.began, code).catch((cause: unknown) =>
            engine.log.error(`the end of container ${name} of ${key}`, cause),
          )
        },
      })
      return attachedInput(input, reader.once, () => {
        connection.isOpen = false
        stop()
      })
    },
  }
}

const guarded = (
  sink: TunnelSink,
  query: Query,
  connection: { readonly isOpen: boolean },
): TunnelSink => ({
  send(channel, content) {
    const requested = channel === CHANNEL.output ? 'stdout' : 'stderr'
    if (connection.isOpen && flag(query, requested) === true) sink.send(channel, content)
  },
  end: () => sink.end(),
})

/**
 * @param once (`stdinOnce`) ends the program's input with the first client's
 * @param leave runs when the client disconnects
 */
const attachedInput = (input: TunnelEnd, once: boolean, leave: () => void): TunnelEnd => ({
  receive(channel, bytes) {
    if (channel !== CHANNEL.end || once) input.receive(channel, bytes)
  },
  closed() {
    leave()
    if (once) input.receive(CHANNEL.end, Uint8Array.of(CHANNEL.input))
    input.closed()
  },
})
