/** Attach to a simulated container: streams its output from now on. Standard input is ignored. */
import type { Engine } from '../../engine'
import type { Pod } from '../../registry/core/pod-types'
import type { Run } from '../../simulation/log-lines'
import type { Tunnel } from '../messages'
import { flag } from '../options'
import type { Query } from '../query'
import { CHANNEL, remoteProtocols, sendExit } from './pod-exec'
import { followedOutput } from './pod-log'

/** @param run the attached run @param key of the pod in storage */
export async function simulatedAttach(
  engine: Engine,
  pod: Pod,
  name: string,
  run: Run,
  query: Query,
  key: string,
): Promise<Tunnel> {
  const follow = await followedOutput(engine, pod, name, run, key)
  const tty = flag(query, 'tty') ?? false
  return {
    ...remoteProtocols(query),
    open(sink, protocol) {
      const stop = follow({
        write(chunk) {
          const text = typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
          sink.send(CHANNEL.output, tty ? text.replaceAll('\n', '\r\n') : text)
          return true
        },
        end: () => sendExit(sink, protocol, 0),
        abort: () => sink.end(),
      })
      return { receive() {}, closed: stop }
    },
  }
}
