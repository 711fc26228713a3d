/** Writes YAML in the layout of kube-apiserver. Recorded from kube-apiserver 1.31. */
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { YamlLines } from './yaml-lines'
import { writeScalar } from './yaml-scalar'

const INDENT = 2
/** Longer keys cannot be before their colon on one line. */
const LONGEST_KEY = 128

/** Ends with a newline. */
export function toYaml(document: JsonObject): string {
  const lines = new YamlLines()
  if (isEmpty(document)) lines.write('{}')
  else writeMapping(lines, document, 0, true)
  return `${lines.text}\n`
}

function isEmpty(value: JsonObject | Json[]): boolean {
  return Object.keys(value).length === 0
}

/** @param inline the first key is on the current line */
function writeMapping(
  lines: YamlLines,
  mapping: JsonObject,
  indent: number,
  inline: boolean,
): void {
  let first = inline
  for (const key of Object.keys(mapping).sort(naturally)) {
    if (!first) lines.newLine(indent)
    first = false
    const value = mapping[key] as Json
    if (key.length <= LONGEST_KEY && !key.includes('\n')) {
      writeScalar(lines, key, indent + INDENT, true)
      lines.write(':')
      writeValue(lines, value, indent, false)
    } else {
      lines.write('? ')
      writeScalar(lines, key, indent + INDENT, false)
      lines.newLine(indent)
      lines.write(':')
      writeValue(lines, value, indent, true)
    }
  }
}

function writeSequence(lines: YamlLines, items: Json[], indent: number, inline: boolean): void {
  let first = inline
  for (const item of items) {
    if (!first) lines.newLine(indent)
    first = false
    lines.write('-')
    writeValue(lines, item, indent, true)
  }
}

function writeValue(lines: YamlLines, value: Json, indent: number, inline: boolean): void {
  const isCollection = Array.isArray(value) || isJsonObject(value)
  if (!isCollection || isEmpty(value)) {
    lines.write(' ')
    if (isCollection) lines.write(Array.isArray(value) ? '[]' : '{}')
    else writeScalar(lines, value, indent + INDENT, false)
    return
  }
  if (inline) lines.write(' ')
  const inner = inline || isJsonObject(value) ? indent + INDENT : indent
  if (!inline) lines.newLine(inner)
  if (Array.isArray(value)) writeSequence(lines, value, inner, true)
  else writeMapping(lines, value, inner, true)
}

const LETTER = /\p{L}/u
const DIGIT = /\d/

/** Letters first, digits by number: `a2` before `a10`. */
function naturally(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  for (let i = 0; i < left.length && i < right.length; i++) {
    const [x, y] = [left[i] as string, right[i] as string]
    if (x === y) continue
    const [isLetter, otherIsLetter] = [LETTER.test(x), LETTER.test(y)]
    if (isLetter && otherIsLetter) return codePoint(x) - codePoint(y)
    if (isLetter || otherIsLetter) return otherIsLetter ? -1 : 1
    return compareNumbers(left, right, i)
  }
  return left.length - right.length
}

const codePoint = (sign: string): number => sign.codePointAt(0) as number

/** Leading zeros count as digits. */
function compareNumbers(left: string[], right: string[], i: number): number {
  let before = 0
  if (left[i] === '0' || right[i] === '0') {
    for (let j = i - 1; j >= 0 && DIGIT.test(left[j] as string); j--) {
      if (left[j] !== '0') {
        before = 1
        break
      }
    }
  }
  const [number, digits] = numberAt(left, i, before)
  const [otherNumber, otherDigits] = numberAt(right, i, before)
  return (
    number - otherNumber ||
    digits - otherDigits ||
    codePoint(left[i] as string) - codePoint(right[i] as string)
  )
}

function numberAt(
  characters: string[],
  start: number,
  before: number,
): [number: number, digits: number] {
  let number = before
  let i = start
  while (i < characters.length && DIGIT.test(characters[i] as string))
    number = number * 10 + Number(characters[i++])
  return [number, i - start]
}
