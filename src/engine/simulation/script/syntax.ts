/**
 * Parses the shell command language (POSIX.1-2017, "Shell Command Language"; docs/simulation.md),
 * without job control.
 */
import { OutsideSubset, type Token, tokensOf, type Word } from './words'

export { OutsideSubset } from './words'

export interface Redirection {
  /** The file descriptors: 0 for input, 1 for output, 2 for errors. */
  from: readonly number[]
  kind: 'read' | 'write' | 'append' | 'copy' | 'document'
  /** A path, the text of a here-document, or a file descriptor to copy. */
  to: Word | number
}

export interface Branch {
  patterns: readonly Word[]
  body: Node
}

export type Node =
  | { kind: 'simple'; words: Word[]; redirections: Redirection[] }
  | { kind: 'list'; nodes: Node[] }
  | { kind: 'and' | 'or'; left: Node; right: Node }
  | { kind: 'not' | 'subshell' | 'background'; node: Node }
  | { kind: 'pipe'; left: Node; right: Node }
  | { kind: 'if'; condition: Node; then: Node; otherwise: Node | undefined }
  | { kind: 'loop'; condition: Node; until: boolean; body: Node }
  | { kind: 'for'; variable: string; words: Word[] | undefined; body: Node }
  | { kind: 'case'; word: Word; branches: Branch[] }
  | { kind: 'function'; name: string; body: Node }
  | { kind: 'redirected'; node: Node; redirections: Redirection[] }

const LONGEST = 16_384
const DEEPEST = 20
const RESERVED = new Set(['then', 'elif', 'else', 'fi', 'do', 'done', '}', 'esac'])
const UNSUPPORTED = new Set(['select', 'function', 'time', 'coproc'])
const END: Token = { kind: 'end' }

/** @throws OutsideSubset */
export function parseScript(text: string): Node {
  if (text.length > LONGEST) throw new OutsideSubset('too long')
  return new Parser(tokensOf(text)).whole()
}

class Parser {
  private at = 0
  private depth = 0

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Node {
    const list = this.list()
    if (this.token().kind !== 'end') throw new OutsideSubset('a word out of place')
    return list
  }

  private token(offset = 0): Token {
    return this.tokens[this.at + offset] ?? END
  }

  private isOperator(text: string, offset = 0): boolean {
    const token = this.token(offset)
    return token.kind === 'operator' && token.text === text
  }

  /** Reads the next token if it is one of these operators. */
  private operator(...texts: string[]): string | undefined {
    const token = this.token()
    if (token.kind !== 'operator' || !texts.includes(token.text)) return undefined
    this.at++
    return token.text
  }

  private newlines(): void {
    while (this.operator('\n'));
  }

  private plain(): string | undefined {
    const token = this.token()
    return token.kind === 'word' ? token.plain : undefined
  }

  private expect(word: string): void {
    if (this.plain() !== word) throw new OutsideSubset(`no ${word}`)
    this.at++
  }

  private expectOperator(text: string): void {
    if (this.operator(text) === undefined) throw new OutsideSubset(`no ${text}`)
  }

  private list(): Node {
    const nodes: Node[] = []
    for (;;) {
      this.newlines()
      if (this.endsList()) break
      const node = this.chain()
      const isBackground = this.operator('&') !== undefined
      nodes.push(isBackground ? { kind: 'background', node } : node)
      if (!isBackground && !this.operator(';', '\n')) {
        if (!this.endsList()) throw new OutsideSubset('an operator out of place')
        break
      }
    }
    return { kind: 'list', nodes }
  }

  private endsList(): boolean {
    const token = this.token()
    if (token.kind === 'end') return true
    if (token.kind === 'operator') return token.text === ')' || token.text === ';;'
    return token.kind === 'word' && RESERVED.has(token.plain ?? '')
  }

  private chain(): Node {
    let left = this.pipeline()
    for (;;) {
      const operator = this.operator('&&', '||')
      if (operator === undefined) return left
      this.newlines()
      left = { kind: operator === '&&' ? 'and' : 'or', left, right: this.pipeline() }
    }
  }

  private pipeline(): Node {
    if (this.plain() === '!') {
      this.at++
      return { kind: 'not', node: this.nested(() => this.pipeline()) }
    }
    let left = this.command()
    while (this.operator('|')) {
      this.newlines()
      left = { kind: 'pipe', left, right: this.command() }
    }
    return left
  }

  private nested(read: () => Node): Node {
    if (++this.depth > DEEPEST) throw new OutsideSubset('too deep')
    try {
      return read()
    } finally {
      this.depth--
    }
  }

  private command(): Node {
    return this.nested(() => {
      const compound = this.compound()
      if (compound === undefined) return this.simple()
      const redirections = this.redirections()
      return redirections.length > 0
        ? { kind: 'redirected', node: compound, redirections }
        : compound
    })
  }

  /** @returns undefined for a simple command */
  private compound(): Node | undefined {
    if (this.operator('(')) {
      const node = this.list()
      this.expectOperator(')')
      return { kind: 'subshell', node }
    }
    const word = this.plain() ?? ''
    if (UNSUPPORTED.has(word) || RESERVED.has(word)) throw new OutsideSubset(word)
    if (/^[A-Za-z_][\w-]*$/.test(word) && this.isOperator('(', 1) && this.isOperator(')', 2))
      return this.definition(word)
    const read = this.readers.get(word)
    if (read === undefined) return undefined
    this.at++
    return read()
  }

  private readonly readers = new Map<string, () => Node>([
    ['if', () => this.branches()],
    ['while', () => this.loop(false)],
    ['until', () => this.loop(true)],
    ['for', () => this.each()],
    ['case', () => this.cases()],
    ['{', () => this.closed('}')],
  ])

  private definition(name: string): Node {
    this.at += 3
    this.newlines()
    const body = this.nested(() => this.compound() ?? { kind: 'list', nodes: [] })
    return { kind: 'function', name, body }
  }

  private closed(end: string): Node {
    const list = this.list()
    this.expect(end)
    return list
  }

  private branches(): Node {
    return this.nested(() => {
      const condition = this.closed('then')
      const then = this.list()
      const word = this.plain()
      this.at++
      if (word === 'fi') return { kind: 'if', condition, then, otherwise: undefined }
      if (word === 'elif') return { kind: 'if', condition, then, otherwise: this.branches() }
      if (word !== 'else') throw new OutsideSubset('no fi')
      return { kind: 'if', condition, then, otherwise: this.closed('fi') }
    })
  }

  private loop(until: boolean): Node {
    const condition = this.closed('do')
    return { kind: 'loop', condition, until, body: this.closed('done') }
  }

  private each(): Node {
    const variable = this.plain() ?? ''
    this.at++
    if (!/^[A-Za-z_]\w*$/.test(variable)) throw new OutsideSubset('for')
    let words: Word[] | undefined
    this.newlines()
    if (this.plain() === 'in') {
      this.at++
      words = this.words()
    }
    this.operator(';')
    this.newlines()
    this.expect('do')
    return { kind: 'for', variable, words, body: this.closed('done') }
  }

  private words(): Word[] {
    const words: Word[] = []
    for (let token = this.token(); token.kind === 'word'; token = this.token()) {
      words.push(token.word)
      this.at++
    }
    return words
  }

  private cases(): Node {
    const [word] = this.oneWord()
    this.newlines()
    this.expect('in')
    this.newlines()
    const branches: Branch[] = []
    while (this.plain() !== 'esac') {
      this.operator('(')
      const patterns = this.oneWord()
      while (this.operator('|')) for (const word of this.oneWord()) patterns.push(word)
      this.expectOperator(')')
      branches.push({ patterns, body: this.list() })
      if (!this.operator(';;') && this.plain() !== 'esac') throw new OutsideSubset('no ;;')
      this.newlines()
    }
    this.at++
    return { kind: 'case', word: word ?? [], branches }
  }

  private oneWord(): Word[] {
    const token = this.token()
    if (token.kind !== 'word') throw new OutsideSubset('case')
    this.at++
    return [token.word]
  }

  private redirections(): Redirection[] {
    const found: Redirection[] = []
    for (let one = this.redirection(); one !== undefined; one = this.redirection()) found.push(one)
    return found
  }

  private redirection(): Redirection | undefined {
    const token = this.token()
    if (token.kind !== 'operator' || !/[<>]/.test(token.text)) return undefined
    this.at++
    const [, digit, sign = ''] = /^([012]?)(.+)$/.exec(token.text) ?? []
    if (sign.startsWith('>&')) {
      if (sign.endsWith('-')) throw new OutsideSubset(sign)
      return { from: [Number(digit || 1)], kind: 'copy', to: Number(sign.slice(2)) }
    }
    const target = this.token()
    this.at++
    if (sign.startsWith('<<')) {
      if (target.kind !== 'document') throw new OutsideSubset('<<')
      return { from: [0], kind: 'document', to: target.word }
    }
    if (target.kind !== 'word') throw new OutsideSubset(sign)
    if (sign === '<') return { from: [0], kind: 'read', to: target.word }
    const from = sign.startsWith('&') ? [1, 2] : [Number(digit || 1)]
    return { from, kind: sign.endsWith('>>') ? 'append' : 'write', to: target.word }
  }

  private simple(): Node {
    const words: Word[] = []
    const redirections: Redirection[] = []
    for (;;) {
      for (const word of this.words()) words.push(word)
      const found = this.redirections()
      if (found.length === 0) break
      for (const redirection of found) redirections.push(redirection)
    }
    if (words.length === 0 && redirections.length === 0) throw new OutsideSubset('no command')
    return { kind: 'simple', words, redirections }
  }
}
