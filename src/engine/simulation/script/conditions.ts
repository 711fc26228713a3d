/** `test`, `[ … ]` and `[[ … ]]` (POSIX.1-2017, "test"), and sums in `$((…))`. */
import type { FileSystem } from './files'
import { matches } from './patterns'
import { OutsideSubset } from './words'

const NUMBERS: ReadonlyMap<string, (a: number, b: number) => boolean> = new Map([
  ['-eq', (a, b) => a === b],
  ['-ne', (a, b) => a !== b],
  ['-lt', (a, b) => a < b],
  ['-le', (a, b) => a <= b],
  ['-gt', (a, b) => a > b],
  ['-ge', (a, b) => a >= b],
])
const EXISTING = new Set(['-e', '-r', '-w'])

/** @param words without the brackets @param double for `[[`, which compares with patterns */
export function holds(words: readonly string[], double: boolean, files: FileSystem): boolean {
  if (words.length > MOST_WORDS) throw new OutsideSubset('test')
  for (const [sign, or] of JOINED) {
    const at = words.indexOf(sign)
    if (at <= 0) continue
    const left = holds(words.slice(0, at), double, files)
    return or
      ? left || holds(words.slice(at + 1), double, files)
      : left && holds(words.slice(at + 1), double, files)
  }
  const [first = '', second = '', third = ''] = words
  if (words.length === 0) return false
  if (words.length === 1) return first !== ''
  if (words.length === 2) return first === '!' ? second === '' : ofOne(first, second, files)
  if (first === '!') return !holds(words.slice(1), double, files)
  if (words.length > 3) throw new OutsideSubset('test')
  const compare = NUMBERS.get(second)
  if (compare) return compare(whole(first), whole(third))
  if (second === '=' || second === '==') return double ? matches(third, first) : first === third
  if (second === '!=') return double ? !matches(third, first) : first !== third
  throw new OutsideSubset(second)
}

const MOST_WORDS = 50
const JOINED: readonly [string, boolean][] = [
  ['-o', true],
  ['-a', false],
]

function ofOne(test: string, value: string, files: FileSystem): boolean {
  if (test === '-z') return value === ''
  if (test === '-n') return value !== ''
  if (test === '-L' || test === '-h') return files.ownEntryAt(value)?.kind === 'link'
  if (EXISTING.has(test)) return files.there(value) !== undefined
  if (test === '-f') return files.there(value) === 'file'
  if (test === '-d') return files.there(value) === 'directory'
  if (test === '-s') {
    const entry = files.entryAt(value)
    return entry?.kind === 'directory' || (entry?.text ?? '') !== ''
  }
  if (test === '-x') {
    const entry = files.entryAt(value)
    return entry !== undefined && (entry.mode & 0o111) !== 0
  }
  throw new OutsideSubset(test)
}

function whole(text: string): number {
  if (!/^\s*[+-]?\d{1,15}\s*$/.test(text)) throw new OutsideSubset(text)
  return Number(text)
}

const COMPARISONS: ReadonlyMap<string, (a: number, b: number) => boolean> = new Map([
  ['<', (a, b) => a < b],
  ['<=', (a, b) => a <= b],
  ['>', (a, b) => a > b],
  ['>=', (a, b) => a >= b],
  ['==', (a, b) => a === b],
  ['!=', (a, b) => a !== b],
])

/**
 * @param text in which parameters with a dollar sign are already expanded
 * @param numberAt the value of a name without one
 */
export function sumOf(text: string, numberAt: (name: string) => string): number {
  const tokens = text.match(/\d+|\w+|[<>=!]=|[-+*/%()<>]|\S/g) ?? []
  if (tokens.length > 200) throw new OutsideSubset('$((')
  let at = 0
  const one = (): number => {
    const token = tokens[at++] ?? ''
    if (token === '-') return -one()
    if (token === '+') return one()
    if (token === '(') {
      const value = comparison()
      if (tokens[at++] !== ')') throw new OutsideSubset('$((')
      return value
    }
    if (/^\d+$/.test(token)) return whole(token)
    if (/^[A-Za-z_]\w*$/.test(token)) return whole(numberAt(token) || '0')
    throw new OutsideSubset(token)
  }
  const product = (): number => {
    let value = one()
    for (let sign = tokens[at]; sign === '*' || sign === '/' || sign === '%'; sign = tokens[at]) {
      at++
      const next = one()
      if (sign !== '*' && next === 0) throw new OutsideSubset('division by 0')
      value = sign === '*' ? value * next : sign === '/' ? Math.trunc(value / next) : value % next
    }
    return value
  }
  const sum = (): number => {
    let value = product()
    for (let sign = tokens[at]; sign === '+' || sign === '-'; sign = tokens[at]) {
      at++
      value += sign === '+' ? product() : -product()
    }
    return value
  }
  const comparison = (): number => {
    let value = sum()
    for (let compare = COMPARISONS.get(tokens[at] ?? ''); compare; ) {
      at++
      value = Number(compare(value, sum()))
      compare = COMPARISONS.get(tokens[at] ?? '')
    }
    return value
  }
  const value = comparison()
  if (at !== tokens.length || !Number.isSafeInteger(value)) throw new OutsideSubset('$((')
  return value
}
