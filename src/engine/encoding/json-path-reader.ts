import { entryOf } from '../core/object'
import {
  always,
  chain,
  children,
  comparing,
  descend,
  having,
  index,
  JsonPathError,
  member,
  type Slice,
  type Step,
  slice,
  text,
  union,
} from './json-path-steps'

export type TemplatePart =
  | { kind: 'steps'; step: Step }
  | { kind: 'range'; step: Step }
  | { kind: 'end' }

/** @throws JsonPathError */
export function readTemplate(template: string, strict: boolean): TemplatePart[] {
  const parts: TemplatePart[] = []
  let at = 0
  while (at < template.length) {
    const open = template.indexOf('{', at)
    const end = open < 0 ? template.length : open
    if (end > at) parts.push({ kind: 'steps', step: text(template.slice(at, end)) })
    if (open < 0) break
    const reader = new ActionReader(template, open + 1, strict)
    parts.push(reader.read())
    at = reader.at
  }
  return parts
}

/** Without braces. @throws JsonPathError */
export function readPath(path: string, strict: boolean): Step {
  const part = new ActionReader(`${path}}`, 0, strict).read()
  if (part.kind !== 'steps') throw new JsonPathError('a range has no place here')
  return part.step
}

const NAME_END = /[\s.,[\]$@{}]/

class ActionReader {
  private readonly steps: Step[] = []
  private word: 'range' | 'end' | undefined
  private lastDescends = false

  constructor(
    private readonly source: string,
    public at: number,
    private readonly strict: boolean,
  ) {}

  read(): TemplatePart {
    while (!this.takes('}')) this.readStep()
    if (this.word === 'end') return { kind: 'end' }
    return { kind: this.word ?? 'steps', step: chain(this.steps) }
  }

  private readStep(): void {
    const sign = this.source[this.at]
    if (sign === undefined || /[\r\n]/.test(sign)) throw new JsonPathError('unclosed action')
    if (this.takes('[?(')) this.push(this.filter())
    else if (this.takes('..')) this.recursive()
    else if (this.takes('[')) this.push(this.bracket())
    else if (this.takes('.')) this.push(this.field())
    else if (sign === '"' || sign === "'") this.push(text(this.quoted(sign)))
    else if (/[+\-\d]/.test(sign)) this.push(this.number())
    else if (/[\p{L}_]/u.test(sign)) this.identifier()
    else if (!this.takes(' ') && !this.takes('@') && !this.takes('$'))
      throw new JsonPathError(`unrecognized character in action: ${shown(sign)}`)
  }

  private push(step: Step): void {
    this.steps.push(step)
    this.lastDescends = false
  }

  private recursive(): void {
    if (this.lastDescends) throw new JsonPathError('invalid multiple recursive descent')
    this.push(descend)
    this.lastDescends = true
    if (/[\p{L}\d_]/u.test(this.source[this.at] ?? '')) this.push(this.field())
  }

  private identifier(): void {
    const name = this.upToNameEnd()
    if (name === 'true' || name === 'false') this.push(always(name === 'true'))
    else if (name === 'range' || name === 'end') this.word = name
    else {
      this.push(() => {
        throw new JsonPathError(`unrecognized identifier ${name}`)
      })
    }
  }

  /** A backslash escapes the next character. */
  private field(): Step {
    const name = this.upToNameEnd()
    return name === '*' ? children : member(name.replaceAll('\\', ''), this.strict)
  }

  private upToNameEnd(): string {
    const start = this.at
    while (this.at < this.source.length && !NAME_END.test(this.source[this.at] as string))
      this.at += this.source[this.at] === '\\' ? 2 : 1
    return this.source.slice(start, this.at)
  }

  private number(): Step {
    const start = this.at++
    while (/[\d.]/.test(this.source[this.at] ?? '')) this.at++
    const written = this.source.slice(start, this.at)
    if (!/^[+-]?(\d+(?:\.\d*)?|\.\d+)$/.test(written))
      throw new JsonPathError(`cannot parse number ${written}`)
    return always(Number(written))
  }

  private quoted(quote: string): string {
    const start = this.at++
    for (;;) {
      const sign = this.source[this.at++]
      if (sign === undefined || sign === '\n') throw new JsonPathError('unterminated quoted string')
      if (sign === quote && this.source[this.at - 2] !== '\\') break
    }
    return unquoted(this.source.slice(start, this.at))
  }

  private bracket(): Step {
    const end = this.source.indexOf(']', this.at)
    const inside = this.source.slice(this.at, Math.max(this.at, end))
    if (end < 0 || inside.includes('\n')) throw new JsonPathError('unterminated array')
    this.at = end + 1
    const parts = inside.split(',')
    return parts.length > 1
      ? union(parts.map((part) => this.element(part.trim())))
      : this.element(inside)
  }

  private element(inside: string): Step {
    if (inside === '*') return slice({ from: undefined, to: undefined, by: undefined })
    const [, key] = /^'([^']*)'$/.exec(inside) ?? []
    if (key !== undefined) return readPath(`.${key}`, this.strict)
    const [whole, from = '', to, by] = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(inside) ?? []
    if (whole === undefined) throw new JsonPathError(`invalid array index ${inside}`)
    if (to === undefined) return index(from === '' ? 0 : numbered(from))
    const bounds: Slice = { from: optional(from), to: optional(to), by: optional(by ?? '') }
    return slice(bounds)
  }

  private filter(): Step {
    const start = this.at
    let quote: string | undefined
    let closed = false
    for (;;) {
      const sign = this.source[this.at++]
      if (sign === undefined || sign === '\n') throw new JsonPathError('unterminated filter')
      if (sign === '"' || sign === "'") {
        if (quote === undefined) quote = sign
        else if (sign === quote && this.source[this.at - 2] !== '\\') closed = true
      } else if (sign === ')' && (quote === undefined || closed)) break
    }
    const inside = this.source.slice(start, this.at - 1)
    if (!this.takes(']')) throw new JsonPathError('unclosed array expect ]')
    const [, left, operator, right] = /^([^!<>=]+)([!<>=]+)(.+)$/s.exec(inside) ?? []
    if (left === undefined || operator === undefined || right === undefined)
      return having(readPath(inside, this.strict))
    return comparing(readPath(left, this.strict), operator, readPath(right, this.strict))
  }

  private takes(sign: string): boolean {
    if (!this.source.startsWith(sign, this.at)) return false
    this.at += sign.length
    return true
  }
}

/** As Go's `%#U` prints a character. */
const shown = (sign: string): string =>
  `U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')} '${sign}'`

const optional = (written: string): number | undefined =>
  written === '' ? undefined : numbered(written)

function numbered(written: string): number {
  if (!/^-?\d+$/.test(written)) throw new JsonPathError(`array index ${written} is not a number`)
  return Number(written)
}

const ESCAPES: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
}

function unquoted(quoted: string): string {
  const quote = quoted[0] as string
  return quoted
    .slice(1, -1)
    .replace(
      /\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{3}|.)/gs,
      (_, written: string) => {
        if (/^[xuU]./.test(written))
          return String.fromCodePoint(Number.parseInt(written.slice(1), 16))
        if (/^[0-7]{3}$/.test(written)) return String.fromCharCode(Number.parseInt(written, 8))
        const short = written === quote ? quote : entryOf(ESCAPES, written)
        if (short === undefined)
          throw new JsonPathError(`unquote string ${quoted} error invalid syntax`)
        return short
      },
    )
}
