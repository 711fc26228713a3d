/**
 * Parses quotes, pipes, `&&`, `;` and here-documents like a shell. Variables, substitutions and
 * redirections are errors, so that a line is not misread.
 */
import { CommandError } from './errors'

/** Each command's output is the next one's input. */
export interface Pipeline {
  stages: Stage[]
  /** Runs only if the previous one succeeded (`&&`). */
  onSuccess: boolean
}

export interface Stage {
  words: string[]
  /** Text of a here-document. */
  input?: string
}

type Token = { word: string } | { sign: '|' | '&&' | ';' | '\n' }

/** @throws CommandError for unsupported syntax */
export function readLine(text: string): Pipeline[] {
  return new LineReader(text).read()
}

/** Open quotes, a backslash at the end, or an open here-document. */
export function isUnfinished(text: string): boolean {
  try {
    readLine(text)
    return false
  } catch (error) {
    return error instanceof UnfinishedLine
  }
}

class UnfinishedLine extends CommandError {}

const UNSUPPORTED: [pattern: RegExp, why: string][] = [
  [/^\$\(|^`/, 'command substitution is not available here: the console has no shell'],
  [/^\$[A-Za-z_{]/, 'variables are not available here; quote a literal $ with single quotes'],
  [/^>/, 'files are not available here: output cannot be redirected'],
  [/^<(?!<)/, 'files are not available here: name an open file with -f'],
  [/^<<</, 'here-strings are not available here: use a here-document (<<END) or echo'],
  [/^\|\|/, '|| is not available here'],
  [/^&(?!&)/, 'commands cannot run in the background here'],
]

class LineReader {
  private at = 0
  private readonly pending: { end: string; stage: Stage; indented: boolean }[] = []

  constructor(private readonly text: string) {}

  read(): Pipeline[] {
    const pipelines: Pipeline[] = []
    let stage: Stage = { words: [] }
    let pipeline: Pipeline = { stages: [stage], onSuccess: false }
    const end = (onSuccess: boolean) => {
      if (pipeline.stages.length > 1 || stage.words.length > 0)
        pipelines.push(this.checked(pipeline))
      stage = { words: [] }
      pipeline = { stages: [stage], onSuccess }
    }
    for (let token = this.token(stage); token !== undefined; token = this.token(stage)) {
      if ('word' in token) stage.words.push(token.word)
      else if (token.sign === '|') {
        if (stage.words.length === 0)
          throw new CommandError("syntax error near unexpected token `|'")
        stage = { words: [] }
        pipeline.stages.push(stage)
      } else if (token.sign === '\n' && pipeline.stages.length > 1 && stage.words.length === 0)
        continue
      else {
        if (token.sign === '\n') this.readPending()
        if (token.sign === '&&' && stage.words.length === 0)
          throw new CommandError("syntax error near unexpected token `&&'")
        end(token.sign === '&&')
      }
    }
    if (this.pending.length > 0)
      throw new UnfinishedLine(
        `here-document wants ${JSON.stringify(this.pending[0]?.end)} at its end`,
      )
    end(false)
    return pipelines
  }

  private checked(pipeline: Pipeline): Pipeline {
    if (pipeline.stages.some(({ words }) => words.length === 0))
      throw new UnfinishedLine('a command is missing behind |')
    return pipeline
  }

  private token(stage: Stage): Token | undefined {
    for (;;) {
      while (/[ \t\r]/.test(this.text[this.at] ?? '')) this.at++
      if (this.takes('\\\n')) continue
      if (this.text[this.at] === '#')
        while (this.at < this.text.length && this.text[this.at] !== '\n') this.at++
      if (this.at >= this.text.length) return undefined
      const rest = this.text.slice(this.at)
      this.reject(rest)
      const hereDocument = /^<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|([\w.-]+))/.exec(rest)
      if (hereDocument !== null) {
        this.at += hereDocument[0].length
        this.pending.push({
          end: (hereDocument[2] ?? hereDocument[3] ?? hereDocument[4]) as string,
          stage,
          indented: hereDocument[1] === '-',
        })
        continue
      }
      if (rest.startsWith('<'))
        throw new CommandError('syntax error: << wants a word that ends the here-document')
      for (const sign of ['|', '&&', ';', '\n'] as const) if (this.takes(sign)) return { sign }
      return { word: this.word() }
    }
  }

  private word(): string {
    let word = ''
    while (this.at < this.text.length && !/[ \t\r\n|;&<>]/.test(this.text[this.at] as string)) {
      const sign = this.text[this.at++] as string
      if (sign === "'") word += this.quoted("'")
      else if (sign === '"') word += this.doubleQuoted()
      else if (sign === '\\') {
        if (this.at >= this.text.length) throw new UnfinishedLine('the line ends with a backslash')
        const escaped = this.text[this.at++] as string
        word += escaped === '\n' ? '' : escaped
      } else if (sign === '$' || sign === '`') {
        this.reject(sign + this.text.slice(this.at))
        word += sign
      } else word += sign
    }
    return word
  }

  private quoted(end: string): string {
    const close = this.text.indexOf(end, this.at)
    if (close < 0) throw new UnfinishedLine(`a quote (${end}) is not closed`)
    const inside = this.text.slice(this.at, close)
    this.at = close + 1
    return inside
  }

  /** In double quotes, a backslash escapes only `"`, `\`, `$`, a backquote and a line end. */
  private doubleQuoted(): string {
    let inside = ''
    for (;;) {
      const sign = this.text[this.at++]
      if (sign === undefined) throw new UnfinishedLine('a quote (") is not closed')
      if (sign === '"') return inside
      if (sign === '\\' && /["\\$`\n]/.test(this.text[this.at] ?? '')) {
        const escaped = this.text[this.at++] as string
        inside += escaped === '\n' ? '' : escaped
      } else {
        if (sign === '$' || sign === '`') this.reject(sign + this.text.slice(this.at))
        inside += sign
      }
    }
  }

  /** @throws CommandError for unsupported shell syntax */
  private reject(rest: string): void {
    for (const [pattern, why] of UNSUPPORTED) if (pattern.test(rest)) throw new CommandError(why)
  }

  private readPending(): void {
    for (const { end, stage, indented } of this.pending.splice(0)) {
      const lines: string[] = []
      for (;;) {
        if (this.at >= this.text.length)
          throw new UnfinishedLine(`here-document wants ${JSON.stringify(end)} at its end`)
        const newline = this.text.indexOf('\n', this.at)
        const line = this.text.slice(this.at, newline < 0 ? undefined : newline)
        this.at = newline < 0 ? this.text.length : newline + 1
        const shown = indented ? line.replace(/^\t+/, '') : line
        if (shown.trimEnd() === end) break
        lines.push(`${shown}\n`)
      }
      stage.input = lines.join('')
    }
  }

  private takes(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false
    this.at += sign.length
    return true
  }
}
