/** Expands the words of a script (POSIX.1-2017, "Word Expansions"). */
import { withoutTrailing } from '../../core/text-end'
import { sumOf } from './conditions'
import type { FileSystem } from './files'
import { hasPattern, literal, matches, pathsOf, trimmed } from './patterns'
import { OutsideSubset, type Part, type Word } from './words'

export interface ExpansionState {
  readonly files: FileSystem
  readonly variables: ReadonlyMap<string, string>
  readonly parameters: readonly string[]
  readonly code: number
  /** The number of the last background command. */
  readonly lastJob: number
  set(name: string, value: string): void
  step(): void
  /** Counts the characters of a result. */
  count(text: string): void
  /** The output of a script in a subshell. */
  outputOf(script: string): string
  /** Ends the script with an error. */
  fail(message: string): never
}

/** A field that is being built, and the pattern for names of files that it contains. */
interface Field {
  text: string
  pattern: string
  isPattern: boolean
}

const MAXIMUM_TRIMMED = 2000
const MAXIMUM_PATTERN = 100

export class Expansion {
  constructor(private readonly state: ExpansionState) {}

  /** Expands a word without splitting it. */
  joined(word: Word): string {
    const text = word.map((part) => this.valueOf(part)).join('')
    this.state.count(text)
    return text
  }

  /** Expands a word to a pattern, in which quoted characters are literal. */
  pattern(word: Word): string {
    return word
      .map((part) => (part.quoted ? literal(this.valueOf(part)) : this.valueOf(part)))
      .join('')
  }

  /** Expands a word to fields, and patterns to names of files. */
  fields(word: Word): string[] {
    const fields: Field[] = []
    let open: Field | undefined
    const close = () => {
      if (open !== undefined) fields.push(open)
      open = undefined
    }
    const add = (text: string, quoted: boolean) => {
      open ??= { text: '', pattern: '', isPattern: false }
      open.text += text
      open.pattern += quoted ? literal(text) : text
      open.isPattern ||= !quoted && hasPattern(text)
    }
    for (const [index, part] of word.entries()) {
      if (part.kind === 'text') {
        const home = index === 0 && !part.quoted && /^~(?=\/|$)/.test(part.text)
        add(
          home ? `${this.state.variables.get('HOME') ?? ''}${part.text.slice(1)}` : part.text,
          part.quoted,
        )
      } else if (part.kind === 'parameter' && part.name === '@' && part.operator === undefined) {
        for (const [at, parameter] of this.state.parameters.entries()) {
          if (at > 0) close()
          add(parameter, true)
        }
      } else if (part.quoted) add(this.valueOf(part), true)
      else
        for (const [at, piece] of this.split(this.valueOf(part)).entries()) {
          if (at > 0) close()
          if (piece !== '') add(piece, false)
        }
    }
    close()
    const words = fields.flatMap(({ text, pattern, isPattern }) => {
      const paths = isPattern ? pathsOf(this.state.files, pattern) : []
      return paths.length > 0 ? paths : [text]
    })
    for (const one of words) this.state.count(one)
    return words
  }

  private split(text: string): string[] {
    const separators = this.state.variables.get('IFS') ?? ' \t\n'
    const pieces: string[] = ['']
    for (const character of text)
      if (separators.includes(character)) pieces.push('')
      else pieces.push((pieces.pop() ?? '') + character)
    return pieces
  }

  private valueOf(part: Part): string {
    this.state.step()
    switch (part.kind) {
      case 'text':
        return part.text
      case 'parameter':
        return this.parameter(part)
      case 'sum':
        return String(sumOf(this.joined(part.word), (name) => this.state.variables.get(name) ?? ''))
      case 'output':
        return withoutTrailing(this.state.outputOf(part.script), '\n')
    }
  }

  private parameter(part: Extract<Part, { kind: 'parameter' }>): string {
    const { name, operator, word = [] } = part
    const value = this.plain(name)
    this.state.count(value ?? '')
    if (operator === undefined) return value ?? ''
    if (operator === 'length') return String((value ?? '').length)
    const isAbsent = value === undefined || (operator.startsWith(':') && value === '')
    switch (operator.replace(':', '')) {
      case '-':
        return isAbsent ? this.joined(word) : value
      case '+':
        return isAbsent ? '' : this.joined(word)
      case '=': {
        if (!isAbsent) return value
        const assigned = this.joined(word)
        this.state.set(name, assigned)
        return assigned
      }
      case '?':
        if (!isAbsent) return value
        return this.state.fail(`${name}: ${this.joined(word) || 'parameter not set'}`)
      case '/':
      case '//':
        return this.replaced(value ?? '', word, operator === '//')
      default: {
        const pattern = this.pattern(word)
        const text = value ?? ''
        if (text.length > MAXIMUM_TRIMMED || pattern.length > MAXIMUM_PATTERN)
          throw new OutsideSubset(operator)
        return trimmed(text, pattern, operator)
      }
    }
  }

  private plain(name: string): string | undefined {
    const { variables, parameters, code, lastJob } = this.state
    if (name === 'RANDOM') throw new OutsideSubset('RANDOM')
    if (name === '?') return String(code)
    if (name === '#') return String(parameters.length)
    if (name === '@' || name === '*') return parameters.join(' ')
    if (name === '$') return '1'
    if (name === '!') return lastJob === 0 ? '' : String(lastJob)
    if (name === '-') return ''
    if (/^[1-9]\d*$/.test(name)) return parameters[Number(name) - 1]
    return variables.get(name)
  }

  /** `${name/text/replacement}` of bash, without patterns. */
  private replaced(text: string, word: Word, all: boolean): string {
    const [from = '', ...rest] = this.joined(word).split('/')
    if (from === '' || hasPattern(from)) throw new OutsideSubset('replacement')
    return all
      ? text.replaceAll(from, () => rest.join('/'))
      : text.replace(from, () => rest.join('/'))
  }
}

export const matchesAny = (patterns: readonly string[], text: string): boolean =>
  patterns.some((pattern) => matches(pattern, text))
