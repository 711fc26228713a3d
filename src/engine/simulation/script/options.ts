/** Options of commands (POSIX.1-2017, "Utility Syntax Guidelines"). */
import { Pattern } from '../../schema/patterns/matcher'
import { readPattern } from '../../schema/patterns/pattern-cache'
import type { ScriptState } from './command'
import { OutsideSubset, WithoutInput } from './words'

export interface Options {
  /** Letters of options without a value. */
  has(letter: string): boolean
  /** The last value of an option. */
  value(letter: string): string | undefined
  operands: readonly string[]
}

/**
 * @param known letters of options; those followed by a colon have a value
 * @throws OutsideSubset for other options
 */
export function optionsOf(args: readonly string[], known: string): Options {
  const letters = new Set<string>()
  const values = new Map<string, string>()
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--') {
      at++
      break
    }
    if (!/^-./.test(word)) break
    if (word.startsWith('--')) throw new OutsideSubset(word)
    for (let index = 1; index < word.length; index++) {
      const letter = word[index] ?? ''
      const place = letter === ':' ? -1 : known.indexOf(letter)
      if (place < 0) throw new OutsideSubset(word)
      if (known[place + 1] !== ':') letters.add(letter)
      else {
        const rest = word.slice(index + 1)
        values.set(letter, rest !== '' ? rest : (args[++at] ?? ''))
        break
      }
    }
  }
  return {
    has: (letter) => letters.has(letter),
    value: (letter) => values.get(letter),
    operands: args.slice(at),
  }
}

export interface Inputs {
  /** The contents of all files that exist, or the standard input without operands. */
  texts: { name: string; text: string }[]
  errors: string[]
}

/** Reads the operands of a filter. @throws OutsideSubset if it would wait for input */
export function inputsOf(name: string, paths: readonly string[], state: ScriptState): Inputs {
  const inputs: Inputs = { texts: [], errors: [] }
  for (const path of paths.length > 0 ? paths : ['-']) {
    if (path === '-') {
      const text = state.readInput()
      if (text === undefined) throw new WithoutInput(name)
      inputs.texts.push({ name: '-', text })
    } else if (state.files.there(path) === 'directory')
      inputs.errors.push(`${name}: ${path}: Is a directory\n`)
    else {
      const text = state.files.read(path)
      if (text === undefined) inputs.errors.push(`${name}: ${path}: No such file or directory\n`)
      else inputs.texts.push({ name: path, text })
    }
  }
  state.step(1 + Math.floor(inputs.texts.reduce((sum, { text }) => sum + text.length, 0) / 1000))
  return inputs
}

/** Lines without their newlines. */
export function linesOf(text: string): string[] {
  if (text === '') return []
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
}

export const joinLines = (lines: readonly string[]): string =>
  lines.map((line) => `${line}\n`).join('')

const MAXIMUM_PATTERN = 200
/** Matching takes time in proportion to the product of pattern and text. */
const MAXIMUM_LINE = 10_000

/**
 * A regular expression of `grep`, `sed` or `awk`.
 * @param bound adds anchors to the translated expression
 * @throws OutsideSubset
 */
export function expressionOf(
  pattern: string,
  extended: boolean,
  bound: (source: string) => string = (source) => source,
): Pattern {
  if (pattern.length > MAXIMUM_PATTERN) throw new OutsideSubset(pattern)
  const found = readPattern(bound(extended ? pattern : fromBasic(pattern)))
  if (!(found instanceof Pattern)) throw new OutsideSubset(pattern)
  return found
}

/** Whether a line matches. @throws OutsideSubset for long lines */
export function testLine(expression: Pattern, line: string): boolean {
  if (line.length > MAXIMUM_LINE) throw new OutsideSubset('a long line')
  return expression.test(line)
}

/** Translates a basic regular expression: `\(`, `\)`, `\{`, `\}`, `\+`, `\|` are operators. */
function fromBasic(pattern: string): string {
  return pattern.replace(/\\(.)|[(){}+|?]/g, (whole, escaped?: string) =>
    escaped === undefined ? `\\${whole}` : '(){}+|?'.includes(escaped) ? escaped : whole,
  )
}
