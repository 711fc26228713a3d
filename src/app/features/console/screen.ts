export interface Prompt {
  /** Without color codes. */
  text: string
  /** Includes color codes. */
  drawn: string
}

const CONTINUED = '> '

interface Place {
  row: number
  column: number
}

export class Screen {
  /** Row of the drawing that has the cursor. */
  private row = 0

  constructor(
    private readonly write: (text: string) => void,
    private readonly columns: () => number,
  ) {}

  draw(prompt: Prompt, text: string, cursor: number): void {
    const up = this.row > 0 ? `\x1b[${this.row}A` : ''
    const shown = text.replaceAll('\n', `\r\n${CONTINUED}`)
    const end = this.place(prompt, text, text.length)
    const target = this.place(prompt, text, cursor)
    // A full row keeps the cursor at its end until more is written.
    const wrap = end.column === 0 && end.row > 0 ? ' \r' : ''
    const back = end.row > target.row ? `\x1b[${end.row - target.row}A` : ''
    const column = target.column > 0 ? `\r\x1b[${target.column}C` : '\r'
    this.write(`${up}\r\x1b[J${prompt.drawn}${shown}${wrap}${back}${column}`)
    this.row = target.row
  }

  /** Moves the cursor to a new row after the whole line. */
  leave(prompt: Prompt, text: string, cursor: number): void {
    const down = this.place(prompt, text, text.length).row - this.place(prompt, text, cursor).row
    this.write(`${down > 0 ? `\x1b[${down}B` : ''}\r\n`)
    this.row = 0
  }

  reset(): void {
    this.row = 0
  }

  private place(prompt: Prompt, text: string, cursor: number): Place {
    const columns = Math.max(1, this.columns())
    const lines = text.slice(0, cursor).split('\n')
    const lengths = lines.map(
      (line, at) => [...line].length + (at === 0 ? [...prompt.text].length : CONTINUED.length),
    )
    const last = lengths.pop() ?? 0
    const before = lengths.reduce(
      (rows, length) => rows + Math.max(1, Math.ceil(length / columns)),
      0,
    )
    return { row: before + Math.floor(last / columns), column: last % columns }
  }
}

/** `␛` instead of Escape. */
function pictured(sign: string): string {
  const code = sign.charCodeAt(0)
  return code === 0x7f ? '\u2421' : code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd'
}

/** Output is text: escapes control characters, and converts line ends. */
export function harmless(text: string): string {
  return text
    .replace(/\p{Cc}\[[\d;]*m/gu, '')
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, pictured)
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .replaceAll('\n', '\r\n')
}
