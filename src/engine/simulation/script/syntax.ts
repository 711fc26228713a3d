/**
 * Parses the supported subset of the shell command language (POSIX.1-2017, "Shell Command
 * Language"; docs/simulation.md):
 * - lists, `&&`, `||`, `!`, `if`, `while`, `until`, `for`, braces
 * - redirections to files, quotes
 * - parameter expansion, command substitution and arithmetic expansion
 */

/** The script uses syntax or commands outside the supported subset. */
export class OutsideSubset extends Error {}

export type Part =
  | { kind: 'text'; text: string; quoted: boolean }
  | { kind: 'variable'; name: string; quoted: boolean; otherwise: Word | undefined }
  | { kind: 'output'; list: Node; quoted: boolean }
  | { kind: 'sum'; word: Word; quoted: boolean }

export type Word = readonly Part[]

export interface Redirection {
  /** The file descriptor: 1 for output, 2 for errors. */
  from: number
  to: Word | 'output'
  append: boolean
}

export type Node =
  | { kind: 'simple'; words: Word[]; redirections: Redirection[] }
  | { kind: 'list'; nodes: Node[] }
  | { kind: 'and' | 'or'; left: Node; right: Node }
  | { kind: 'not'; node: Node }
  | { kind: 'if'; condition: Node; then: Node; otherwise: Node | undefined }
  | { kind: 'loop'; condition: Node; until: boolean; body: Node }
  | { kind: 'for'; variable: string; words: Word[]; body: Node }

type Token =
  | { kind: 'word'; word: Word; plain: string | undefined }
  | { kind: 'sign'; text: string }
  | { kind: 'end' }

const LONGEST = 16_384
const DEEPEST = 20
const RESERVED = new Set(['then', 'elif', 'else', 'fi', 'do', 'done', '}', 'esac'])
const UNSUPPORTED = new Set(['case', 'select', 'function', 'time', 'coproc'])

/** @throws OutsideSubset */
export function parseScript(text: string, depth = 0): Node {
  if (text.length > LONGEST || depth > DEEPEST) throw new OutsideSubset('too long or too deep')
  const parser = new Parser(tokensOf(text, depth), depth)
  return parser.whole()
}

class Parser {
  private at = 0

  constructor(
    private readonly tokens: readonly Token[],
    private depth: number,
  ) {}

  whole(): Node {
    const list = this.list()
    if (this.token().kind !== 'end') throw new OutsideSubset('a word out of place')
    return list
  }

  private token(): Token {
    return this.tokens[this.at] ?? { kind: 'end' }
  }

  /** Reads the next token if it is this operator. */
  private sign(...texts: string[]): string | undefined {
    const token = this.token()
    if (token.kind !== 'sign' || !texts.includes(token.text)) return undefined
    this.at++
    return token.text
  }

  private plain(): string | undefined {
    const token = this.token()
    return token.kind === 'word' ? token.plain : undefined
  }

  private expect(word: string): void {
    if (this.plain() !== word) throw new OutsideSubset(`no ${word}`)
    this.at++
  }

  private list(): Node {
    const nodes: Node[] = []
    for (;;) {
      while (this.sign('\n') || (nodes.length > 0 && this.sign(';')));
      const token = this.token()
      if (token.kind === 'end' || (token.kind === 'word' && RESERVED.has(token.plain ?? ''))) break
      if (token.kind === 'sign' && token.text !== '!') throw new OutsideSubset(token.text)
      nodes.push(this.chain())
      const after = this.token()
      if (after.kind === 'sign' && after.text !== ';' && after.text !== '\n')
        throw new OutsideSubset(after.text)
    }
    return { kind: 'list', nodes }
  }

  private chain(): Node {
    let left = this.command()
    for (;;) {
      const sign = this.sign('&&', '||')
      if (sign === undefined) return left
      while (this.sign('\n'));
      left = { kind: sign === '&&' ? 'and' : 'or', left, right: this.command() }
    }
  }

  private command(): Node {
    if (this.depth++ > DEEPEST) throw new OutsideSubset('too deep')
    try {
      const word = this.plain() ?? ''
      if (UNSUPPORTED.has(word) || RESERVED.has(word)) throw new OutsideSubset(word)
      if (word === '!') return this.inside(() => ({ kind: 'not', node: this.command() }))
      if (word === 'if') return this.inside(() => this.branches())
      if (word === 'while' || word === 'until')
        return this.inside(() => this.loop(word === 'until'))
      if (word === 'for') return this.inside(() => this.each())
      if (word === '{') return this.inside(() => this.closed('}'))
      return this.simple()
    } finally {
      this.depth--
    }
  }

  private inside(rest: () => Node): Node {
    this.at++
    return rest()
  }

  private closed(end: string): Node {
    const list = this.list()
    this.expect(end)
    return list
  }

  private branches(): Node {
    const condition = this.closed('then')
    const then = this.list()
    const word = this.plain()
    this.at++
    if (word === 'fi') return { kind: 'if', condition, then, otherwise: undefined }
    if (word === 'elif') return { kind: 'if', condition, then, otherwise: this.branches() }
    if (word !== 'else') throw new OutsideSubset('no fi')
    return { kind: 'if', condition, then, otherwise: this.closed('fi') }
  }

  private loop(until: boolean): Node {
    const condition = this.closed('do')
    return { kind: 'loop', condition, until, body: this.closed('done') }
  }

  private each(): Node {
    const variable = this.plain() ?? ''
    this.at++
    this.expect('in')
    const words: Word[] = []
    for (let token = this.token(); token.kind === 'word'; token = this.token()) {
      words.push(token.word)
      this.at++
    }
    if (!/^\w+$/.test(variable) || !this.sign(';', '\n')) throw new OutsideSubset('for')
    while (this.sign('\n'));
    this.expect('do')
    return { kind: 'for', variable, words, body: this.closed('done') }
  }

  private simple(): Node {
    const words: Word[] = []
    const redirections: Redirection[] = []
    for (let token = this.token(); ; token = this.token()) {
      if (token.kind === 'word') {
        words.push(token.word)
        this.at++
        continue
      }
      const sign = this.sign('>', '>>', '1>', '2>', '2>>', '2>&1', '1>&2', '>&2')
      if (sign === undefined) break
      const from = sign.startsWith('2') ? 2 : 1
      if (sign === '2>&1') redirections.push({ from, to: 'output', append: true })
      else if (!sign.endsWith('&2')) {
        const target = this.token()
        if (target.kind !== 'word') throw new OutsideSubset(sign)
        this.at++
        redirections.push({ from, to: target.word, append: sign.endsWith('>>') })
      }
    }
    if (words.length === 0) throw new OutsideSubset('no command')
    return { kind: 'simple', words, redirections }
  }
}

const SIGN = /^(?:&&|\|\||2>&1|1>&2|>&2|2>>|1>|2>|>>|>|;;|[;&|()<\n])/
const NAME = /^\w+/

function tokensOf(text: string, depth: number): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const sign = text[at] ?? ''
    if (sign === ' ' || sign === '\t' || sign === '\r') at++
    else if (sign === '#') while (at < text.length && text[at] !== '\n') at++
    else if (text.startsWith('\\\n', at)) at += 2
    else {
      const found = SIGN.exec(text.slice(at, at + 4))?.[0]
      if (found !== undefined) {
        tokens.push({ kind: 'sign', text: found })
        at += found.length
        continue
      }
      const reader = new WordReader(text, at, depth)
      const word = reader.word()
      at = reader.at
      const [only] = word
      const plain =
        word.length === 1 && only?.kind === 'text' && !only.quoted ? only.text : undefined
      tokens.push({ kind: 'word', word, plain })
    }
  }
  return tokens
}

class WordReader {
  private readonly parts: Part[] = []

  constructor(
    private readonly text: string,
    public at: number,
    private readonly depth: number,
  ) {}

  /** Reads a word up to a character that ends it outside quotes. */
  word(): Word {
    for (
      let sign = this.text[this.at];
      sign !== undefined && !/[\s;&|<>()]/.test(sign);
      sign = this.text[this.at]
    ) {
      if (sign === "'") this.single()
      else if (sign === '"') this.double()
      else if (sign === '\\') this.escaped(this.text[this.at + 1] ?? '')
      else if (sign === '$') this.dollar(false)
      else if (sign === '`') throw new OutsideSubset('`')
      else this.add(sign, false, 1)
    }
    return this.parts
  }

  /** Reads a text with parameter, arithmetic and command expansion only. */
  quotedWord(end: number): Word {
    while (this.at < end) {
      if (this.text[this.at] === '$') this.dollar(true)
      else this.add(this.text[this.at] ?? '', true, 1)
    }
    return this.parts
  }

  private add(text: string, quoted: boolean, length: number): void {
    this.at += length
    const last = this.parts.at(-1)
    if (last?.kind === 'text' && last.quoted === quoted) last.text += text
    else this.parts.push({ kind: 'text', text, quoted })
  }

  private escaped(sign: string): void {
    if (sign === '') throw new OutsideSubset('\\')
    this.add(sign === '\n' ? '' : sign, true, 2)
  }

  private single(): void {
    const end = this.text.indexOf("'", this.at + 1)
    if (end < 0) throw new OutsideSubset("'")
    this.add(this.text.slice(this.at + 1, end), true, end + 1 - this.at)
  }

  private double(): void {
    this.add('', true, 1)
    for (let sign = this.text[this.at]; sign !== '"'; sign = this.text[this.at]) {
      if (sign === undefined || sign === '`') throw new OutsideSubset('"')
      const next = this.text[this.at + 1] ?? ''
      if (sign === '\\' && '$`"\\\n'.includes(next)) this.escaped(next)
      else if (sign === '$') this.dollar(true)
      else this.add(sign, true, 1)
    }
    this.at++
  }

  private dollar(quoted: boolean): void {
    const rest = this.text.slice(this.at + 1, this.at + 256)
    if (rest.startsWith('((')) this.sum(quoted)
    else if (rest.startsWith('(')) this.output(quoted)
    else if (rest.startsWith('{')) this.braced(quoted)
    else this.named(rest, quoted)
  }

  private named(rest: string, quoted: boolean): void {
    const name = /^[?0-9]/.test(rest) ? (rest[0] ?? '') : NAME.exec(rest)?.[0]
    if (name === undefined) {
      if (/^[@*#$!-]/.test(rest)) throw new OutsideSubset(`$${rest[0]}`)
      this.add('$', true, 1)
      return
    }
    this.at += 1 + name.length
    this.parts.push({ kind: 'variable', name, quoted, otherwise: undefined })
  }

  private braced(quoted: boolean): void {
    const end = this.text.indexOf('}', this.at)
    const inner = /^(\w+)(?::-([^'"`\\]*))?$/.exec(this.text.slice(this.at + 2, end))
    if (end < 0 || inner === null) throw new OutsideSubset('${')
    const from = this.at + 2 + (inner[1] ?? '').length + 2
    const otherwise =
      inner[2] === undefined
        ? undefined
        : new WordReader(this.text, from, this.depth).quotedWord(end)
    this.at = end + 1
    this.parts.push({ kind: 'variable', name: inner[1] ?? '', quoted, otherwise })
  }

  private output(quoted: boolean): void {
    const end = this.closing(this.at + 2)
    const list = parseScript(this.text.slice(this.at + 2, end), this.depth + 1)
    this.at = end + 1
    this.parts.push({ kind: 'output', list, quoted })
  }

  private sum(quoted: boolean): void {
    const end = this.closing(this.at + 3)
    if (this.text[end + 1] !== ')') throw new OutsideSubset('$((')
    const word = new WordReader(this.text, this.at + 3, this.depth).quotedWord(end)
    this.at = end + 2
    this.parts.push({ kind: 'sum', word, quoted })
  }

  /** The index at which the open parenthesis closes. */
  private closing(from: number): number {
    let open = 1
    for (let at = from; at < this.text.length; at++) {
      const sign = this.text[at]
      if (sign === "'" || sign === '"') {
        at = this.text.indexOf(sign, at + 1)
        if (at < 0) break
      } else if (sign === '(') open++
      else if (sign === ')' && --open === 0) return at
    }
    throw new OutsideSubset('$(')
  }
}
