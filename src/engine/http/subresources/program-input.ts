/** Programs that read standard input from a remote command: `cat` and a shell. */
import {
  type ExecContext,
  type ExecResult,
  isCat,
  runLoading,
  runScript,
} from '../../simulation/shell'
import type { TunnelEnd, TunnelSink } from '../messages'

export const CHANNEL = { input: 0, output: 1, error: 2, status: 3, end: 255 } as const

export interface Reading {
  sink: TunnelSink
  context: ExecContext
  tty: boolean
  end(code: number): void
}

export function readerOf(
  command: readonly string[],
  { sink, context, tty, end }: Reading,
): TunnelEnd {
  return isCat(command) ? new Cat(sink, tty, end) : new Shell(sink, context, tty, end)
}

/** Bytes of input that a filter may read. */
const MOST_INPUT = 1024 * 1024

/** Collects the input of a filter until its end. */
export class CollectedInput implements TunnelEnd {
  private readonly decoder = new TextDecoder()
  private text = ''
  private isOpen = true
  private isWhole = false
  private reader: ((text: string | undefined) => void) | undefined

  /** @param read gets the whole input, once; undefined if it is too long */
  whenWhole(read: (text: string | undefined) => void): void {
    this.reader = read
    this.deliver()
  }

  receive(channel: number, bytes: Uint8Array): void {
    if (!this.isOpen) return
    if (channel === CHANNEL.input) {
      this.text += this.decoder.decode(bytes, { stream: true })
      if (this.text.length > MOST_INPUT) this.end()
    } else if (channel === CHANNEL.end && bytes[0] === CHANNEL.input) {
      this.text += this.decoder.decode()
      this.end()
    }
  }

  closed(): void {
    this.isOpen = false
  }

  private end(): void {
    this.isOpen = false
    this.isWhole = true
    this.deliver()
  }

  private deliver(): void {
    if (!this.isWhole || this.reader === undefined) return
    this.reader(this.text.length > MOST_INPUT ? undefined : this.text)
  }
}

export function sendOutput(sink: TunnelSink, output: string, error: string, tty: boolean): void {
  const shown = (text: string) => (tty ? text.replaceAll('\n', '\r\n') : text)
  if (output !== '') sink.send(CHANNEL.output, shown(output))
  if (error !== '') sink.send(CHANNEL.error, shown(error))
}

/** Repeats its input, line by line on a terminal. */
class Cat {
  /** Decodes characters that are split over several messages. */
  private readonly text = new TextDecoder()
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
    else
      for (const sign of this.text.decode(bytes, { stream: true })) if (this.open) this.take(sign)
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

/** Characters. */
const LONGEST_LINE = 64 * 1024
const PROMPT = '# '
/** Marks the end of the input among typed characters. */
const END_OF_INPUT = '\uffff'

/** With a prompt and an echo on a terminal. */
class Shell {
  /** Decodes characters that are split over several messages. */
  private readonly text = new TextDecoder()
  private line = ''
  private code = 0
  private open = true
  /** Input that arrives while a command loads what it needs. */
  private typed = ''
  private isBusy = false

  constructor(
    private readonly sink: TunnelSink,
    private readonly context: ExecContext,
    private readonly tty: boolean,
    private readonly end: (code: number) => void,
  ) {
    this.prompt()
  }

  receive(channel: number, bytes: Uint8Array): void {
    const isEnd = channel === CHANNEL.end && bytes[0] === CHANNEL.input
    if (!isEnd && channel !== CHANNEL.input) return
    this.typed += isEnd ? END_OF_INPUT : this.text.decode(bytes, { stream: true })
    this.takeTyped()
  }

  private takeTyped(): void {
    while (this.typed !== '' && !this.isBusy && this.open) {
      const [sign = ''] = this.typed
      this.typed = this.typed.slice(sign.length)
      if (sign === END_OF_INPUT) this.leave()
      else this.take(sign)
    }
  }

  /** Runs a line; later input waits until it is done. */
  private run(line: string, done: (result: ExecResult) => void): void {
    this.isBusy = true
    runLoading(
      () => runScript(line, this.context),
      this.context,
      (result) => {
        this.isBusy = false
        this.code = result.code
        done(result)
      },
    )
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
    this.line = ''
    this.run(line, ({ output, error }) => {
      sendOutput(this.sink, this.tty ? output + error : output, this.tty ? '' : error, this.tty)
      if (/^\s*exit\b/.test(line)) this.leave()
      else this.begin('')
      this.takeTyped()
    })
  }

  private prompt(): void {
    if (this.tty) this.sink.send(CHANNEL.output, PROMPT)
  }

  private leave(): void {
    if (!this.open) return
    this.open = false
    const { line } = this
    if (line === '' || this.tty) {
      this.end(this.code)
      return
    }
    // A last line without a newline is run too.
    this.run(line, ({ output, error, code }) => {
      sendOutput(this.sink, output, error, false)
      this.end(code)
    })
  }
}
