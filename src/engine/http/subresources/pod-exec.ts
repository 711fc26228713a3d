/**
 * Channels of KEP-4006 (`v5.channel.k8s.io`):
 * - 0 standard input, 1 output, 2 error output
 * - 3 exit status, 4 terminal size, 255 close of a channel
 *
 * The oldest protocols send a text on channel 3 for a failure (k8s.io/apiserver, util/wsstream).
 */

import { API_DOMAIN } from '../../core/names'
import type { Pod } from '../../kinds/core/pod-types'
import type { Engine } from '../../registry/engine'
import {
  type ExecResult,
  isCat,
  isScripted,
  isShell,
  run,
  runLoading,
} from '../../simulation/shell'
import type { Tunnel, TunnelEnd, TunnelSink } from '../messages'
import { flag } from '../options'
import type { Query } from '../query'
import { CHANNEL, CollectedInput, readerOf, sendOutput } from './program-input'
import { execContextOf, simulatedContainer } from './simulated-containers'

const STATUS_PROTOCOLS = ['v5.channel', 'v4.channel', 'v4.base64.channel'].map(
  (name) => `${name}.${API_DOMAIN}`,
)
const TEXT_PROTOCOLS = ['channel', 'base64.channel'].map((name) => `${name}.${API_DOMAIN}`)
const EXEC_PROTOCOLS: readonly string[] = [...STATUS_PROTOCOLS, ...TEXT_PROTOCOLS]
/** v4 reports a Status, older ones a text. */
const STREAM_PROTOCOLS = ['v4.channel', 'v3.channel', 'v2.channel', 'channel'].map(
  (name) => `${name}.${API_DOMAIN}`,
)

export async function simulatedExec(
  engine: Engine,
  pod: Pod,
  name: string,
  query: Query,
): Promise<Tunnel> {
  const container = await simulatedContainer(engine, pod, name)
  const context = execContextOf(engine, container)
  const command = query.all('command')
  const tty = flag(query, 'tty') ?? false
  return {
    ...remoteProtocols(query),
    open(sink, protocol) {
      const end = (code: number) => {
        sendExit(sink, protocol, code)
      }
      const isReader = isShell(command) || (isCat(command) && !isScripted(command, context))
      if (isReader && flag(query, 'stdin')) return readerOf(command, { sink, context, tty, end })
      if (isShell(command)) return readerOf(command, { sink, context, tty, end })
      const words = isReader ? ['true'] : command
      const start = (done: (result: ExecResult) => void, input?: string) => {
        const execute = () => run(words, input === undefined ? context : { ...context, input })
        runLoading(execute, context, done)
      }
      const respond = ({ output, error, code }: ExecResult) => {
        sendOutput(sink, tty ? output + error : output, tty ? '' : error, tty)
        end(code)
      }
      if (tty || !flag(query, 'stdin')) {
        start((result) => (result.readsInput && !tty ? start(respond, '') : respond(result)))
        return NO_INPUT
      }
      const input = new CollectedInput()
      start((result) => {
        if (!result.readsInput) return respond(result)
        input.whenWhole((text) => (text === undefined ? respond(TOO_LONG) : start(respond, text)))
      })
      return input
    },
  }
}

export function remoteProtocols(query: Query): Pick<Tunnel, 'protocols' | 'streams'> {
  const tty = flag(query, 'tty') === true
  const standard = (['stdin', 'stdout', 'stderr'] as const).filter(
    (type) => flag(query, type) === true,
  )
  // A terminal has one output stream.
  const requested = tty
    ? [...standard.filter((type) => type !== 'stderr'), 'resize' as const]
    : standard
  return { protocols: EXEC_PROTOCOLS, streams: { protocols: STREAM_PROTOCOLS, requested } }
}

export function sendExit(sink: TunnelSink, protocol: string, code: number): void {
  const last = STATUS_PROTOCOLS.includes(protocol)
    ? JSON.stringify(statusOfEnd(code))
    : inWords(code)
  if (last !== '') sink.send(CHANNEL.status, last)
  sink.end()
}

const NO_INPUT: TunnelEnd = { receive() {}, closed() {} }
const TOO_LONG: ExecResult = { output: '', error: 'the input is too long\n', code: 1 }

const inWords = (code: number): string =>
  code === 0 ? '' : `command terminated with non-zero exit code: exit code ${code}`

const statusOfEnd = (code: number): object =>
  code === 0
    ? { metadata: {}, status: 'Success' }
    : {
        metadata: {},
        status: 'Failure',
        message: inWords(code),
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
      }
