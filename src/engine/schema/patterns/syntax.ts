/** RE2's syntax (github.com/google/re2, doc/syntax), with the errors of Go's regexp package. */
import { entryOf } from '../../core/object'
import {
  anyOf,
  type CharacterTest,
  folded,
  inRanges,
  not,
  PERL_CLASSES,
  POSIX_CLASSES,
  type Ranges,
  unicodeClass,
} from './characters'
import { type Assertion, PatternError, type PatternNode } from './pattern-node'
import { boundsOf, MAX_REPEAT, repeats } from './repetition'

interface Flags {
  foldCase: boolean
  multiLine: boolean
  dotAll: boolean
  swapGreed: boolean
}
const MAX_DEPTH = 1000

/** @throws PatternError */
export function parsePattern(pattern: string): PatternNode {
  return new PatternParser(pattern).parse()
}

class PatternParser {
  private readonly characters: string[]
  private at = 0
  private depth = 0
  private flags: Flags = { foldCase: false, multiLine: false, dotAll: false, swapGreed: false }

  constructor(private readonly pattern: string) {
    this.characters = Array.from(pattern)
  }

  parse(): PatternNode {
    const node = this.choice()
    if (this.at < this.characters.length) throw new PatternError('unexpected )', this.pattern)
    return node
  }

  private get current(): string | undefined {
    return this.characters[this.at]
  }

  private from(start: number, end = this.characters.length): string {
    return this.characters.slice(start, end).join('')
  }

  private looksAt(text: string): boolean {
    return this.from(this.at, this.at + text.length) === text
  }

  private choice(): PatternNode {
    if (++this.depth > MAX_DEPTH)
      throw new PatternError('expression nests too deeply', this.pattern)
    const alternatives = [this.sequence()]
    while (this.current === '|') {
      this.at++
      alternatives.push(this.sequence())
    }
    this.depth--
    return alternatives.length === 1
      ? (alternatives[0] as PatternNode)
      : { kind: 'choice', alternatives }
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = []
    /** The previous repetition's start, if only flags followed it. */
    let before: number | undefined
    while (this.current !== undefined && this.current !== '|' && this.current !== ')') {
      const operator = this.repetitionAt(this.at)
      if (operator !== undefined) {
        const start = this.at
        parts.push(this.repeated(parts.pop(), operator, before))
        before = start
        continue
      }
      before = undefined
      if (this.looksAt('\\Q')) {
        for (const literal of this.quoted()) parts.push(literal)
        continue
      }
      const atom = this.atom()
      // A repetition after flags applies to the previous atom.
      if (atom !== undefined) parts.push(atom)
    }
    if (parts.length === 0) return { kind: 'empty' }
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'sequence', parts }
  }

  /** Numbers have no leading zeros. */
  private repetitionAt(at: number): string | undefined {
    const character = this.characters[at]
    if (character === '*' || character === '+' || character === '?') return character
    if (character !== '{') return undefined
    let end = this.numberEnd(at + 1)
    if (end === undefined) return undefined
    if (this.characters[end] === ',')
      end = this.characters[end + 1] === '}' ? end + 1 : this.numberEnd(end + 1)
    return end !== undefined && this.characters[end] === '}' ? this.from(at, end + 1) : undefined
  }

  private numberEnd(start: number): number | undefined {
    let end = start
    while (isDigit(this.characters[end])) end++
    return end === start || (this.characters[start] === '0' && end > start + 1) ? undefined : end
  }

  private repeated(
    part: PatternNode | undefined,
    operator: string,
    before: number | undefined,
  ): PatternNode {
    const start = this.at
    const { min, max } = boundsOf(operator)
    if (min > MAX_REPEAT || (max !== Number.POSITIVE_INFINITY && (max > MAX_REPEAT || max < min))) {
      throw new PatternError('invalid repeat count', operator)
    }
    this.at += operator.length
    const greedy = this.current !== '?'
    if (!greedy) this.at++
    if (before !== undefined)
      throw new PatternError('invalid nested repetition operator', this.from(before, this.at))
    const written = this.from(start, this.at)
    if (part === undefined)
      throw new PatternError('missing argument to repetition operator', written)
    const node: PatternNode = {
      kind: 'repetition',
      of: part,
      min,
      max,
      greedy: greedy !== this.flags.swapGreed,
    }
    const isCounted =
      operator.startsWith('{') && (min >= 2 || (max >= 2 && max !== Number.POSITIVE_INFINITY))
    if (isCounted && repeats(node) > MAX_REPEAT)
      throw new PatternError('invalid repeat count', written)
    return node
  }

  private quoted(): PatternNode[] {
    this.at += 2
    const nodes: PatternNode[] = []
    while (this.current !== undefined && !this.looksAt('\\E'))
      nodes.push(this.literal(this.characters[this.at++] as string))
    if (this.looksAt('\\E')) this.at += 2
    return nodes
  }

  private literal(character: string): PatternNode {
    const code = character.codePointAt(0) as number
    return { kind: 'character', test: this.fold(inRanges([[code, code]])) }
  }

  private fold(test: CharacterTest): CharacterTest {
    return this.flags.foldCase ? folded(test) : test
  }

  private atom(): PatternNode | undefined {
    const character = this.characters[this.at] as string
    switch (character) {
      case '(':
        return this.group()
      case '[':
        return { kind: 'character', test: this.characterClass() }
      case '.':
        this.at++
        return { kind: 'character', test: this.flags.dotAll ? () => true : (code) => code !== 10 }
      case '^':
        this.at++
        return { kind: 'assertion', assertion: this.flags.multiLine ? 'lineStart' : 'textStart' }
      case '$':
        this.at++
        return { kind: 'assertion', assertion: this.flags.multiLine ? 'lineEnd' : 'textEnd' }
      case '\\':
        return this.escape()
      default:
        this.at++
        return this.literal(character)
    }
  }

  private group(): PatternNode | undefined {
    const start = this.at
    const outer = { ...this.flags }
    if (this.characters[this.at + 1] === '?') {
      const named = /^\(\?P?</.exec(this.from(this.at, this.at + 4))
      if (named !== null && !/^\(\?<[=!]/.test(this.from(this.at, this.at + 4)))
        this.groupName(start, named[0].length)
      else if (this.flagsOfGroup(start)) return undefined
    } else this.at++
    const node = this.choice()
    if (this.current !== ')') throw new PatternError('missing closing )', this.pattern)
    this.at++
    this.flags = outer
    return node
  }

  private groupName(start: number, length: number): void {
    const end = this.characters.indexOf('>', start)
    if (end < 0) throw new PatternError('invalid named capture', this.from(start))
    const name = this.from(start + length, end)
    if (!/^\w+$/.test(name))
      throw new PatternError('invalid named capture', this.from(start, end + 1))
    this.at = end + 1
  }

  /** `(?i)` sets flags for the rest, `(?i:` for a group. @returns whether there is no group */
  private flagsOfGroup(start: number): boolean {
    let value = true
    let given = false
    for (this.at = start + 2; this.current !== undefined; this.at++) {
      const character = this.current
      const flag = entryOf(FLAGS, character)
      if (flag !== undefined) {
        this.flags = { ...this.flags, [flag]: value }
        given = true
      } else if (character === '-' && value) {
        value = false
        given = false
      } else if ((character === ':' || character === ')') && (value || given)) {
        this.at++
        return character === ')'
      } else break
    }
    if (this.current === undefined) throw new PatternError('missing closing )', this.pattern)
    throw new PatternError('invalid or unsupported Perl syntax', this.from(start, this.at + 1))
  }

  private escape(): PatternNode {
    const letter = this.characters[this.at + 1]
    const assertion = letter === undefined ? undefined : entryOf(ASSERTIONS, letter)
    if (assertion !== undefined) {
      this.at += 2
      return { kind: 'assertion', assertion }
    }
    const test = this.classEscape()
    if (test !== undefined) return { kind: 'character', test }
    const code = this.characterEscape()
    return { kind: 'character', test: this.fold(inRanges([[code, code]])) }
  }

  /** `\d`, `\pL`, `\P{Greek}` */
  private classEscape(): CharacterTest | undefined {
    const letter = this.characters[this.at + 1] ?? ''
    const ranges = entryOf(PERL_CLASSES, letter.toLowerCase())
    if (ranges !== undefined) {
      this.at += 2
      return letter === letter.toLowerCase() ? inRanges(ranges) : not(inRanges(ranges))
    }
    return letter === 'p' || letter === 'P' ? this.unicode(letter === 'P') : undefined
  }

  private unicode(isNegated: boolean): CharacterTest {
    const start = this.at
    let name = this.characters[start + 2] ?? ''
    let end = start + 3
    if (name === '{') {
      const close = this.characters.indexOf('}', start)
      if (close < 0) throw new PatternError('invalid character class range', this.from(start))
      name = this.from(start + 3, close)
      end = close + 1
    }
    const isInverse = name.startsWith('^')
    const test = unicodeClass(isInverse ? name.slice(1) : name)
    if (test === undefined)
      throw new PatternError('invalid character class range', this.from(start, end))
    this.at = end
    const whole = this.fold(test)
    return isNegated !== isInverse ? not(whole) : whole
  }

  private characterEscape(): number {
    const start = this.at
    const letter = this.characters[start + 1]
    if (letter === undefined) throw new PatternError('trailing backslash at end of expression', '')
    const rest = this.from(start + 1, start + 13)
    const invalid = (length: number) =>
      new PatternError('invalid escape sequence', this.from(start, start + length))
    const octal = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(rest)
    if (octal !== null) {
      this.at += 1 + octal[0].length
      return Number.parseInt(octal[0], 8)
    }
    if (letter === 'x') {
      const hex = /^x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]+)\})/.exec(rest)
      const code = hex === null ? Number.NaN : Number.parseInt(hex[1] ?? hex[2] ?? '', 16)
      if (hex === null || code > 0x10ffff)
        throw invalid(/^x\{?[0-9a-fA-F]*/.exec(rest)?.[0].length ?? 1)
      this.at += 1 + hex[0].length
      return code
    }
    const control = entryOf(CONTROLS, letter)
    if (control === undefined && (/[A-Za-z0-9]/.test(letter) || letter > '\x7f')) throw invalid(2)
    this.at += 2
    return control ?? (letter.codePointAt(0) as number)
  }

  private characterClass(): CharacterTest {
    const start = this.at++
    const isNegated = this.current === '^'
    if (isNegated) this.at++
    const tests: CharacterTest[] = []
    const ranges: [number, number][] = []
    for (let isFirst = true; this.current !== ']' || isFirst; isFirst = false) {
      if (this.current === undefined) throw new PatternError('missing closing ]', this.from(start))
      const named = this.posixClass() ?? (this.current === '\\' ? this.classEscape() : undefined)
      if (named !== undefined) {
        tests.push(named)
        continue
      }
      ranges.push(this.classRange(start))
    }
    this.at++
    if (ranges.length > 0) tests.push(inRanges(ranges as Ranges))
    const test = this.fold(anyOf(tests))
    return isNegated ? not(test) : test
  }

  private posixClass(): CharacterTest | undefined {
    if (!this.looksAt('[:')) return undefined
    const written = /^\[:(\^?)(\w*):\]/.exec(this.from(this.at, this.at + 16))
    if (written === null) return undefined
    const ranges = entryOf(POSIX_CLASSES, written[2] as string)
    if (ranges === undefined) throw new PatternError('invalid character class range', written[0])
    this.at += written[0].length
    return written[1] === '^' ? not(inRanges(ranges)) : inRanges(ranges)
  }

  private classRange(classStart: number): [number, number] {
    const start = this.at
    const first = this.classCharacter(classStart)
    const next = this.characters[this.at + 1]
    if (this.current !== '-' || next === ']' || next === undefined) return [first, first]
    this.at++
    const last = this.classCharacter(classStart)
    if (last < first)
      throw new PatternError('invalid character class range', this.from(start, this.at))
    return [first, last]
  }

  private classCharacter(classStart: number): number {
    if (this.current === undefined)
      throw new PatternError('missing closing ]', this.from(classStart))
    if (this.current === '\\') return this.characterEscape()
    return (this.characters[this.at++] as string).codePointAt(0) as number
  }
}

const FLAGS: Readonly<Record<string, keyof Flags>> = {
  i: 'foldCase',
  m: 'multiLine',
  s: 'dotAll',
  U: 'swapGreed',
}

const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  A: 'textStart',
  z: 'textEnd',
  b: 'wordBoundary',
  B: 'noWordBoundary',
}

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 }

const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9'
