import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { complete } from '../../../console/completion'
import { isUnfinished } from '../../../console/line'
import { wrapped } from '../../../console/output/wrap'
import type { Session } from '../../../console/session'
import { commandOf } from '../../commands/match-shortcut'
import { history } from './history'
import { keysOf, LineEditor } from './line-editor'
import { pageContexts, pageSession } from './page-session'
import { harmless, type Prompt, Screen } from './screen'
import { terminalTheme } from './terminal-theme'
import { TERMINAL } from './texts'

const BOLD = '\x1b[1m'
/** Dim text with sufficient contrast. */
const DIM = '\x1b[90m'
const BLUE = '\x1b[34m'
const RED = '\x1b[31m'
const YELLOW = '\x1b[33m'
const PLAIN = '\x1b[0m'

/** Narrower terminals get short texts. */
const NARROW = 60

export class ConsoleTerminal {
  private readonly terminal: Terminal
  private readonly fit = new FitAddon()
  private readonly editor = new LineEditor(history, isUnfinished)
  private readonly screen: Screen
  private readonly session: Session
  private running: AbortController | undefined
  private readonly waiting: string[] = []
  private opened = false
  private lineOpen = false
  private readonly listeners = new Set<(running: boolean) => void>()

  /** @param onLeave moves the focus after Esc */
  constructor(private readonly onLeave: () => void) {
    this.terminal = new Terminal({
      cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
      fontSize: 12.5,
      lineHeight: 1.25,
      screenReaderMode: true,
      scrollback: 5000,
      theme: terminalTheme(),
    })
    this.terminal.loadAddon(this.fit)
    this.screen = new Screen(
      (text) => this.terminal.write(text),
      () => this.terminal.cols,
    )
    const { terminal } = this
    this.session = pageSession({
      get columns() {
        return terminal.cols
      },
      write: (text) => this.print(harmless(text)),
      writeError: (text) => this.print(colored(harmless(text))),
      clear: () => this.clear(),
      focus: () => this.focus(),
    })
    this.terminal.onData((data) => this.type(data))
    this.terminal.attachCustomKeyEventHandler((event) => this.takes(event))
    this.terminal.onResize(() => {
      this.refresh()
    })
  }

  attach(parent: HTMLElement): void {
    if (!this.opened) {
      this.terminal.open(parent)
      this.fit.fit()
      this.welcome()
      this.opened = true
      this.prompt()
    } else if (this.terminal.element) parent.append(this.terminal.element)
    this.resize()
  }

  resize(): void {
    if (this.opened && this.terminal.element?.isConnected) this.fit.fit()
  }

  applyTheme(): void {
    this.terminal.options.theme = terminalTheme()
  }

  focus(): void {
    this.terminal.focus()
  }

  clear(): void {
    // Clears by an escape sequence, to stay in order with earlier output.
    this.terminal.write('\x1b[2J\x1b[3J\x1b[H')
    this.screen.reset()
    this.refresh()
  }

  refresh(): void {
    if (this.opened && this.running === undefined) this.prompt()
  }

  submit(text: string): void {
    this.editor.set(text)
    this.prompt()
    this.type('\r')
  }

  interrupt(): void {
    this.type('\x03')
  }

  async completed(text: string): Promise<string> {
    const found = await complete(this.session, text)
    if (found.words.length > 1) this.list(found.words)
    return (
      text.slice(0, found.from) +
      (commonStart(found.words) || text.slice(found.from)) +
      (found.words.length === 1 && found.space ? ' ' : '')
    )
  }

  onRunning(listener: (running: boolean) => void): () => void {
    this.listeners.add(listener)
    listener(this.running !== undefined)
    return () => this.listeners.delete(listener)
  }

  private welcome(): void {
    const { cols } = this.terminal
    const shown = (text: string, look: string) =>
      `${look}${wrapped(text, cols)
        .replaceAll('\n', '\r\n')
        .replace(/`([^`]*)`/g, `${PLAIN}${BLUE}$1${PLAIN}${look}`)}${PLAIN}\r\n`
    this.terminal.write(
      shown(TERMINAL.about, BOLD) +
        shown(cols < NARROW ? TERMINAL.tryNarrow : TERMINAL.tryPage, '') +
        (cols < NARROW ? '' : shown(TERMINAL.keys, DIM)),
    )
  }

  /** @returns false for keys of the page or the browser */
  private takes(event: KeyboardEvent): boolean {
    if (event.type !== 'keydown') return true
    const held = event.ctrlKey || event.metaKey
    if (event.key === 'Escape' && this.editor.search === undefined) {
      this.onLeave()
      return false
    }
    if (event.key === 'Tab' && event.shiftKey) return false
    if (held && event.key.toLowerCase() === 'c' && this.terminal.hasSelection()) return false
    if (held && event.key.toLowerCase() === 'v') return false
    return commandOf(event) === undefined
  }

  private type(data: string): void {
    for (const key of keysOf(data)) {
      if (this.running === undefined) this.key(key)
      else if (key === '\x03') {
        this.waiting.length = 0
        this.terminal.write('^C\r\n')
        this.running.abort()
      } else this.waiting.push(key)
    }
  }

  private key(key: string): void {
    const before = this.editor.line
    const event = this.editor.key(key)
    switch (event.kind) {
      case 'changed':
        this.prompt()
        break
      case 'submit':
        this.screen.leave(this.promptNow(), before.text, before.cursor)
        void this.run(event.text)
        break
      case 'complete':
        void this.complete()
        break
      case 'interrupt':
        this.screen.leave(this.promptNow(), before.text, before.cursor)
        this.editor.set('')
        this.prompt()
        break
      case 'clear':
        this.clear()
    }
  }

  private async run(text: string): Promise<void> {
    if (text.trim() !== '') {
      this.running = new AbortController()
      this.emit()
      await this.session.run(text, this.running.signal)
      this.running = undefined
      this.emit()
    }
    if (this.lineOpen) this.terminal.write(`${DIM}⏎${PLAIN}\r\n`)
    this.lineOpen = false
    this.screen.reset()
    this.prompt()
    // Up to the next command.
    for (
      let key = this.waiting.shift();
      key !== undefined;
      key = this.running === undefined ? this.waiting.shift() : undefined
    )
      this.key(key)
  }

  private async complete(): Promise<void> {
    const { text, cursor } = this.editor.line
    const { from, words, space } = await complete(this.session, text.slice(0, cursor))
    // Ignores completions of a line that has changed.
    if (this.editor.line.text !== text || words.length === 0) return
    const start = commonStart(words)
    const done = words.length === 1 && space ? `${start} ` : start
    if (done.length > cursor - from)
      this.editor.set(text.slice(0, from) + done + text.slice(cursor), from + done.length)
    else if (words.length > 1) this.list(words)
    this.prompt()
  }

  private list(words: readonly string[]): void {
    const { text, cursor } = this.editor.line
    this.screen.leave(this.promptNow(), text, cursor)
    const width = Math.max(...words.map((word) => word.length)) + 2
    const perRow = Math.max(1, Math.floor(this.terminal.cols / width))
    const rows = Math.ceil(words.length / perRow)
    for (let row = 0; row < rows; row++) {
      const cells = words.filter((_, at) => at % rows === row)
      this.terminal.write(
        `${DIM}${harmless(
          cells
            .map((word) => word.padEnd(width))
            .join('')
            .trimEnd(),
        )}${PLAIN}\r\n`,
      )
    }
    this.prompt()
  }

  private print(text: string): void {
    if (text === '') return
    this.terminal.write(text)
    this.lineOpen = !text.replaceAll(PLAIN, '').endsWith('\n')
  }

  private emit(): void {
    for (const listener of this.listeners) listener(this.running !== undefined)
  }

  private prompt(): void {
    this.screen.draw(this.promptNow(), this.editor.line.text, this.editor.line.cursor)
  }

  private promptNow(): Prompt {
    const { search } = this.editor
    if (search !== undefined) {
      const text = `(search)'${search}': `
      return { text, drawn: `${DIM}${text}${PLAIN}` }
    }
    if (this.terminal.cols < NARROW) return { text: '$ ', drawn: `${BLUE}$${PLAIN} ` }
    const name = pageContexts.current()
    const namespace = pageContexts.list().find((one) => one.name === name)?.namespace ?? ''
    return {
      text: `${name}@${namespace} $ `,
      drawn: `${DIM}${name}@${namespace}${PLAIN} ${BLUE}$${PLAIN} `,
    }
  }
}

function colored(text: string): string {
  return text
    .split('\r\n')
    .map((line) => {
      if (/^(error|Error from server)/.test(line)) return `${RED}${line}${PLAIN}`
      if (/^(Warning|warning):/.test(line)) return `${YELLOW}${line}${PLAIN}`
      return /^I\d{4} /.test(line) ? `${DIM}${line}${PLAIN}` : line
    })
    .join('\r\n')
}

function commonStart(words: readonly string[]): string {
  const [first = '', ...rest] = words
  let length = first.length
  for (const word of rest) while (!word.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}
