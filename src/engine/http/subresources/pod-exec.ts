/**
 * Commands in containers of simulated nodes, over the channels of remote commands (KEP-4006,
 * `v5.channel.k8s.io`):
 * - 0 standard input, 1 output, 2 error output
 * - 3 exit status, 4 terminal size, 255 close of a channel
 *
 * The oldest protocols send a text on channel 3 if the command fails (k8s.io/apiserver,
 * util/wsstream).
 */
import type { Engine } from '../../engine'
import { API_DOMAIN } from '../../names'
import type { Pod } from '../../registry/core/pod-types'
import {
  type ExecContext,
  isCat,
  isScripted,
  isShell,
  run,
  runScript,
} from '../../simulation/shell'
import type { Tunnel, TunnelSink } from '../messages'
import { flag } from '../options'
import type { Query } from '../query'
import { simulatedContainer } from './simulated-containers'

const STATUS_PROTOCOLS = ['v5.channel', 'v4.channel', 'v4.base64.channel'].map(
  (name) => `${name}.${API_DOMAIN}`,
)
const TEXT_PROTOCOLS = ['channel', 'base64.channel'].map((name) => `${name}.${API_DOMAIN}`)
const EXEC_PROTOCOLS: readonly string[] = [...STATUS_PROTOCOLS, ...TEXT_PROTOCOLS]
/** Stream protocols: v4 reports a Status, older ones a text. */
const STREAM_PROTOCOLS = ['v4.channel', 'v3.channel', 'v2.channel', 'channel'].map(
  (name) => `${name}.${API_DOMAIN}`,
)

export const CHANNEL = { input: 0, output: 1, error: 2, status: 3, end: 255 } as const

export async function simulatedExec(
  engine: Engine,
  pod: Pod,
  name: string,
  query: Query,
): Promise<Tunnel> {
  const container = await simulatedContainer(engine, pod, name)
  const context: ExecContext = {
    container: name,
    surroundings: container.surroundings,
    files: container.files,
    now: engine.clock.now(),
    outputs: container.behavior.exec ?? [],
  }
  const command = query.all('command')
  const tty = flag(query, 'tty') ?? false
  return {
    ...remoteProtocols(query),
    open(sink, protocol) {
      const end = (code: number) => {
        sendExit(sink, protocol, code)
      }
      if (isCat(command) && !isScripted(command, context))
        return flag(query, 'stdin')
          ? new Cat(sink, tty, end)
          : respond(sink, ['true'], context, tty, end)
      return isShell(command)
        ? new Shell(sink, context, tty, end)
        : respond(sink, command, context, tty, end)
    },
  }
}

/** The protocols for a container, by the streams that the query requests. */
export function remoteProtocols(query: Query): Pick<Tunnel, 'protocols' | 'streams'> {
  const tty = flag(query, 'tty') === true
  const standard = (['stdin', 'stdout', 'stderr'] as const).filter(
    (type) => flag(query, type) === true,
  )
  // A terminal has a single output stream.
  const requested = tty
    ? [...standard.filter((type) => type !== 'stderr'), 'resize' as const]
    : standard
  return { protocols: EXEC_PROTOCOLS, streams: { protocols: STREAM_PROTOCOLS, requested } }
}

/** @param code 0 for success */
export function sendExit(sink: TunnelSink, protocol: string, code: number): void {
  const last = STATUS_PROTOCOLS.includes(protocol)
    ? JSON.stringify(statusOfEnd(code))
    : inWords(code)
  if (last !== '') sink.send(CHANNEL.status, last)
  sink.end()
}

function respond(
  sink: TunnelSink,
  command: string[],
  context: ExecContext,
  tty: boolean,
  end: (code: number) => void,
) {
  const { output, error, code } = run(command, context)
  sendOutput(sink, tty ? output + error : output, tty ? '' : error, tty)
  end(code)
  return { receive() {}, closed() {} }
}

function sendOutput(sink: TunnelSink, output: string, error: string, tty: boolean): void {
  const shown = (text: string) => (tty ? text.replaceAll('\n', '\r\n') : text)
  if (output !== '') sink.send(CHANNEL.output, shown(output))
  if (error !== '') sink.send(CHANNEL.error, shown(error))
}

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

/** `cat`: repeats its input, line by line on a terminal. */
class Cat {
  private line = ''
  private open = true

  constructor(
    private readonly sink: TunnelSink,
    private readonly tty: boolean,
    private readonly end: (code: number) => void,
  ) {}

  receive(channel: number, bytes: Uint8Array): void {
    if (channel === CHANNEL.end && bytes[0] === CHANNEL.input) this.leave(0)
    if (channel !== CHANNEL.input || !this.open) return
    if (!this.tty) this.sink.send(CHANNEL.output, bytes)
    else for (const sign of text.decode(bytes)) if (this.open) this.take(sign)
  }

  closed(): void {
    this.open = false
  }

  private take(sign: string): void {
    if (sign === '\u0004' && this.line === '') this.leave(0)
    else if (sign === '\u0003') this.leave(130)
    else if (sign === '\r' || sign === '\n') {
      this.sink.send(CHANNEL.output, `\r\n${this.line}\r\n`)
      this.line = ''
    } else if (this.line.length < LONGEST_LINE) {
      this.line += sign
      this.sink.send(CHANNEL.output, sign)
    }
  }

  private leave(code: number): void {
    if (!this.open) return
    this.open = false
    this.end(code)
  }
}

/** The maximum length of one line. */
const LONGEST_LINE = 64 * 1024
const PROMPT = '# '
const text = new TextDecoder()

/** A shell: reads and runs lines, with a prompt and an echo on a terminal. */
class Shell {
  private line = ''
  private code = 0
  private open = true

  constructor(
    private readonly sink: TunnelSink,
    private readonly context: ExecContext,
    private readonly tty: boolean,
    private readonly end: (code: number) => void,
  ) {
    this.prompt()
  }

  receive(channel: number, bytes: Uint8Array): void {
    if (channel === CHANNEL.end && bytes[0] === CHANNEL.input) this.leave()
    if (channel !== CHANNEL.input) return
    for (const sign of text.decode(bytes)) if (this.open) this.take(sign)
  }

  closed(): void {
    this.open = false
  }

  private take(sign: string): void {
    if (sign === '\u0004' && this.line === '') this.leave()
    else if (sign === '\u0003') this.begin('^C\n')
    else if (sign === '\r' || sign === '\n') this.enter()
    else if (sign === '\u007f' || sign === '\b') {
      if (this.line !== '' && this.tty) this.sink.send(CHANNEL.output, '\b \b')
      this.line = this.line.slice(0, -1)
    } else if (this.line.length < LONGEST_LINE) {
      this.line += sign
      if (this.tty) this.sink.send(CHANNEL.output, sign)
    }
  }

  private begin(shown: string): void {
    this.line = ''
    if (this.tty) sendOutput(this.sink, shown, '', true)
    this.prompt()
  }

  private enter(): void {
    const { line } = this
    if (this.tty) sendOutput(this.sink, '\n', '', true)
    const { output, error, code } = runScript(line, this.context)
    this.code = code
    sendOutput(this.sink, this.tty ? output + error : output, this.tty ? '' : error, this.tty)
    if (/^\s*exit\b/.test(line)) this.leave()
    else this.begin('')
  }

  private prompt(): void {
    if (this.tty) this.sink.send(CHANNEL.output, PROMPT)
  }

  private leave(): void {
    if (!this.open) return
    this.open = false
    // A last line without a newline is run too.
    if (this.line !== '' && !this.tty) {
      const { output, error, code } = runScript(this.line, this.context)
      this.code = code
      sendOutput(this.sink, output, error, false)
    }
    this.end(this.code)
  }
}
