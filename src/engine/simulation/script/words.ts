/** The words of a shell script: quotes, parameters and substitutions (POSIX.1-2017, "Token
 * Recognition" and "Word Expansions"). */

/** The script uses syntax or commands outside the supported subset. */
export class OutsideSubset extends Error {}

/** A command reads standard input, which nothing provides. */
export class WithoutInput extends OutsideSubset {}

export type Part =
  | { kind: 'text'; text: string; quoted: boolean }
  | { kind: 'parameter'; name: string; quoted: boolean; operator?: string; word?: Word }
  | { kind: 'output'; script: string; quoted: boolean }
  | { kind: 'sum'; word: Word; quoted: boolean }

export type Word = readonly Part[]

export type Token =
  | { kind: 'word'; word: Word; plain: string | undefined }
  | { kind: 'operator'; text: string }
  | { kind: 'document'; word: Word }
  | { kind: 'end' }

const OPERATOR = /^(?:&&|\|\||[012]?>&[12-]|&>>?|[012]?>>|[12]>|>\||>|0?<<-?|0?<|;;|[;&|()\n])/
const NAME = /^[A-Za-z_]\w*/
const SPECIAL = /^[?0-9@*#$!-]/

interface Pending {
  delimiter: string
  literal: boolean
  indented: boolean
  token: { kind: 'document'; word: Word }
}

/** @throws OutsideSubset */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let pending: Pending[] = []
  let at = 0
  while (at < text.length) {
    const character = text[at] ?? ''
    if (character === ' ' || character === '\t' || character === '\r') at++
    else if (character === '#') while (at < text.length && text[at] !== '\n') at++
    else if (text.startsWith('\\\n', at)) at += 2
    else {
      const operator = OPERATOR.exec(text.slice(at, at + 5))?.[0]
      if (operator !== undefined) {
        at += operator.length
        tokens.push({ kind: 'operator', text: operator.replace(/^0</, '<') })
        if (operator === '\n') {
          for (const one of pending) at = readDocument(text, at, one)
          pending = []
        } else if (/<<-?$/.test(operator)) {
          while (text[at] === ' ' || text[at] === '\t') at++
          const reader = new WordReader(text, at)
          const word = reader.word()
          at = reader.at
          const token: Pending['token'] = { kind: 'document', word: [] }
          tokens.push(token)
          pending.push({
            delimiter: word.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
            literal: word.some((part) => part.kind === 'text' && part.quoted),
            indented: operator.endsWith('-'),
            token,
          })
        }
        continue
      }
      const reader = new WordReader(text, at)
      const word = reader.word()
      at = reader.at
      const [only] = word
      const plain =
        word.length === 1 && only?.kind === 'text' && !only.quoted ? only.text : undefined
      tokens.push({ kind: 'word', word, plain })
    }
  }
  if (pending.length > 0) throw new OutsideSubset('<<')
  return tokens
}

/** @returns the index after the here-document that begins at an index */
function readDocument(text: string, from: number, pending: Pending): number {
  const lines: string[] = []
  let at = from
  for (;;) {
    if (at >= text.length) throw new OutsideSubset(`no ${pending.delimiter}`)
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const raw = text.slice(at, end)
    const line = pending.indented ? raw.replace(/^\t+/, '') : raw
    at = end + 1
    if (line === pending.delimiter) break
    lines.push(`${line}\n`)
  }
  const body = lines.join('')
  pending.token.word = pending.literal
    ? [{ kind: 'text', text: body, quoted: true }]
    : new WordReader(body, 0).document()
  return Math.min(at, text.length)
}

class WordReader {
  private readonly parts: Part[] = []

  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  /** Reads a word up to a character that ends it outside quotes. */
  word(): Word {
    for (
      let character = this.text[this.at];
      character !== undefined && !/[\s;&|<>()]/.test(character);
      character = this.text[this.at]
    ) {
      if (character === "'") this.single()
      else if (character === '"') this.double()
      else if (character === '\\') this.escaped(this.text[this.at + 1] ?? '')
      else if (character === '$') this.dollar(false)
      else if (character === '`') this.backquoted(false)
      else this.add(character, false, 1)
    }
    if (this.parts.length === 0) throw new OutsideSubset(this.text[this.at] ?? '')
    return this.parts
  }

  /** Reads the body of a here-document. */
  document(): Word {
    return this.quotedUntil(this.text.length)
  }

  /** Reads a text with expansions only, as in double quotes. */
  private quotedUntil(end: number): Word {
    while (this.at < end) this.inQuotes()
    return this.parts
  }

  private inQuotes(): void {
    const character = this.text[this.at] ?? ''
    const next = this.text[this.at + 1] ?? ''
    if (character === '\\' && next !== '' && '$`"\\\n'.includes(next)) this.escaped(next)
    else if (character === '$') this.dollar(true)
    else if (character === '`') this.backquoted(true)
    else this.add(character, true, 1)
  }

  private add(text: string, quoted: boolean, length: number): void {
    this.at += length
    const last = this.parts.at(-1)
    if (last?.kind === 'text' && last.quoted === quoted) last.text += text
    else this.parts.push({ kind: 'text', text, quoted })
  }

  private escaped(character: string): void {
    if (character === '') throw new OutsideSubset('\\')
    this.add(character === '\n' ? '' : character, true, 2)
  }

  private single(): void {
    const end = this.text.indexOf("'", this.at + 1)
    if (end < 0) throw new OutsideSubset("'")
    this.add(this.text.slice(this.at + 1, end), true, end + 1 - this.at)
  }

  private double(): void {
    this.add('', true, 1)
    while (this.text[this.at] !== '"') {
      if (this.at >= this.text.length) throw new OutsideSubset('"')
      this.inQuotes()
    }
    this.at++
  }

  private backquoted(quoted: boolean): void {
    const end = this.text.indexOf('`', this.at + 1)
    if (end < 0) throw new OutsideSubset('`')
    this.parts.push({ kind: 'output', script: this.text.slice(this.at + 1, end), quoted })
    this.at = end + 1
  }

  private dollar(quoted: boolean): void {
    const rest = this.text.slice(this.at + 1, this.at + 256)
    if (rest.startsWith('((')) this.sum(quoted)
    else if (rest.startsWith('(')) {
      const end = closing(this.text, this.at + 2, '(', ')')
      this.parts.push({ kind: 'output', script: this.text.slice(this.at + 2, end), quoted })
      this.at = end + 1
    } else if (rest.startsWith('{')) this.braced(quoted)
    else this.named(rest, quoted)
  }

  private named(rest: string, quoted: boolean): void {
    const name = (SPECIAL.exec(rest) ?? NAME.exec(rest))?.[0]
    if (name === undefined) {
      this.add('$', true, 1)
      return
    }
    this.at += 1 + name.length
    this.parts.push({ kind: 'parameter', name, quoted })
  }

  private braced(quoted: boolean): void {
    const end = closing(this.text, this.at + 2, '{', '}')
    const inner = this.text.slice(this.at + 2, end)
    this.at = end + 1
    const length = /^#([A-Za-z_]\w*|[0-9@*]+)$/.exec(inner)
    if (length) {
      this.parts.push({ kind: 'parameter', name: length[1] ?? '', quoted, operator: 'length' })
      return
    }
    const found = /^([A-Za-z_]\w*|\d+|[?@*#$!-])(:?[-=+?]|##?|%%?|\/\/?)?/.exec(inner)
    const [whole = '', name = '', operator] = found ?? []
    if (found === null || (operator === undefined && whole.length < inner.length))
      throw new OutsideSubset(`\${${inner.slice(0, 40)}}`)
    this.parts.push({
      kind: 'parameter',
      name,
      quoted,
      ...(operator && { operator, word: patternWord(inner.slice(whole.length)) }),
    })
  }

  private sum(quoted: boolean): void {
    const end = closing(this.text, this.at + 3, '(', ')')
    if (this.text[end + 1] !== ')') throw new OutsideSubset('$((')
    const word = new WordReader(this.text.slice(this.at + 3, end), 0).document()
    this.at = end + 2
    this.parts.push({ kind: 'sum', word, quoted })
  }

  /** Reads all of a text as one word, in which blanks and operators are characters. */
  whole(): Word {
    while (this.at < this.text.length) {
      const character = this.text[this.at] ?? ''
      if (character === "'") this.single()
      else if (character === '"') this.double()
      else if (character === '\\') this.escaped(this.text[this.at + 1] ?? '')
      else if (character === '$') this.dollar(false)
      else if (character === '`') this.backquoted(false)
      else this.add(character, false, 1)
    }
    return this.parts
  }
}

const patternWord = (text: string): Word => new WordReader(text, 0).whole()

/** The index at which an open bracket closes. */
function closing(text: string, from: number, opens: string, closes: string): number {
  let open = 1
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === "'" || (character === '"' && opens === '(')) {
      at = text.indexOf(character, at + 1)
      if (at < 0) break
    } else if (character === opens) open++
    else if (character === closes && --open === 0) return at
  }
  throw new OutsideSubset(`no ${closes}`)
}
