/** `sed` and `awk`, as far as one-line scripts use them. */
import type { Pattern } from '../../../schema/patterns/matcher'
import type { Builtin } from '../command'
import { expressionOf, inputsOf, joinLines, linesOf, optionsOf, testLine } from '../options'
import { OutsideSubset } from '../words'

interface Address {
  first: number | Pattern | 'last' | undefined
  last: number | Pattern | 'last' | undefined
}

interface Step extends Address {
  command: 's' | 'd' | 'p' | 'q'
  expression?: Pattern
  all?: boolean
  replacement?: string
  prints?: boolean
}

const MAXIMUM_STEPS = 20

/** @throws OutsideSubset */
function stepsOf(script: string, extended: boolean): Step[] {
  const steps: Step[] = []
  let rest = script.trim()
  while (rest !== '') {
    if (steps.length >= MAXIMUM_STEPS) throw new OutsideSubset('sed')
    const address = readAddress(rest, extended)
    rest = address.rest
    const command = rest[0] ?? ''
    if (command === 's') {
      const [from, to, after] = readParts(rest)
      const flags = /^[gpi]*/i.exec(after)?.[0] ?? ''
      const isAnyCase = /i/i.test(flags)
      if (/\\\d/.test(to)) throw new OutsideSubset('sed')
      steps.push({
        ...address.address,
        command: 's',
        expression: expressionOf(from, extended, (text) => (isAnyCase ? `(?i)${text}` : text)),
        all: flags.includes('g'),
        replacement: to,
        prints: flags.includes('p'),
      })
      rest = after.slice(flags.length)
    } else if (command === 'd' || command === 'p' || command === 'q') {
      steps.push({ ...address.address, command })
      rest = rest.slice(1)
    } else throw new OutsideSubset('sed')
    rest = rest.trim()
    if (rest !== '' && rest[0] !== ';' && rest[0] !== '\n') throw new OutsideSubset('sed')
    rest = rest.slice(1).trim()
  }
  return steps
}

function readAddress(text: string, extended: boolean): { address: Address; rest: string } {
  let rest = text
  const one = (): Address['first'] => {
    const number = /^\d+/.exec(rest)?.[0]
    if (number !== undefined) {
      rest = rest.slice(number.length)
      return Number(number)
    }
    if (rest.startsWith('$')) {
      rest = rest.slice(1)
      return 'last'
    }
    if (!rest.startsWith('/')) return undefined
    const end = endOf(rest, 1, '/')
    const expression = expressionOf(rest.slice(1, end), extended)
    rest = rest.slice(end + 1)
    return expression
  }
  const first = one()
  let last: Address['last']
  if (rest.startsWith(',')) {
    rest = rest.slice(1)
    last = one()
  }
  return { address: { first, last }, rest: rest.trimStart() }
}

function endOf(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === delimiter) return at
  }
  throw new OutsideSubset('sed')
}

/** The parts of `s/from/to/flags`. */
function readParts(text: string): [from: string, to: string, rest: string] {
  const delimiter = text[1] ?? ''
  if (/^[\w\s\\]?$/.test(delimiter)) throw new OutsideSubset('sed')
  const middle = endOf(text, 2, delimiter)
  const end = endOf(text, middle + 1, delimiter)
  const plain = (part: string) => part.replaceAll(`\\${delimiter}`, delimiter)
  return [plain(text.slice(2, middle)), plain(text.slice(middle + 1, end)), text.slice(end + 1)]
}

/** Replaces `&` and `\\n` in a replacement. */
const replacementFor =
  (replacement: string) =>
  (match: string): string =>
    replacement.replace(/\\(.)|&/g, (_, escaped?: string) => {
      if (escaped === undefined) return match
      return escaped === 'n' ? '\n' : escaped
    })

function isSelected(step: Step, number: number, line: string, count: number, open: Set<Step>) {
  const fits = (one: Address['first']) =>
    one === 'last'
      ? number === count
      : typeof one === 'number'
        ? number === one
        : one && testLine(one, line)
  if (step.first === undefined) return true
  if (step.last === undefined) return fits(step.first) === true
  if (open.has(step)) {
    if (fits(step.last) || (typeof step.last === 'number' && number >= step.last)) open.delete(step)
    return true
  }
  if (!fits(step.first)) return false
  if (!(typeof step.last === 'number' && step.last <= number)) open.add(step)
  return true
}

const sed: Builtin = (args, state) => {
  const options = optionsOf(args, 'nrEie:')
  const given = options.value('e')
  const [first = '', ...others] = options.operands
  const steps = stepsOf(given ?? first, options.has('E') || options.has('r'))
  const paths = given === undefined ? others : options.operands
  const { texts, errors } = inputsOf('sed', paths, state)
  const edit = (text: string): string => {
    const lines = linesOf(text)
    state.step(1 + Math.floor((lines.length * steps.length) / 100))
    const open = new Set<Step>()
    const output: string[] = []
    for (const [index, original] of lines.entries()) {
      let line = original
      let isDeleted = false
      let isLast = false
      for (const step of steps) {
        if (!isSelected(step, index + 1, line, lines.length, open)) continue
        if (step.command === 'd') isDeleted = true
        else if (step.command === 'p') output.push(line)
        else if (step.command === 'q') isLast = true
        else if (step.expression && testLine(step.expression, line)) {
          line = step.expression.replaced(
            line,
            step.all ?? false,
            replacementFor(step.replacement ?? ''),
          )
          state.step()
          if (step.prints) output.push(line)
        }
        if (isDeleted) break
      }
      if (!isDeleted && !options.has('n')) output.push(line)
      if (isLast) break
    }
    return joinLines(output)
  }
  if (options.has('i')) {
    for (const { name, text } of texts) if (name !== '-') state.write(name, edit(text), false)
    return { error: errors.join(''), code: errors.length > 0 ? 1 : 0 }
  }
  return {
    output: edit(texts.map(({ text }) => text).join('')),
    error: errors.join(''),
    code: errors.length > 0 ? 1 : 0,
  }
}

/** `awk '{print $1, $NF}'`, with an optional `/pattern/` and `-F`. */
const awk: Builtin = (args, state) => {
  const options = optionsOf(args, 'F:')
  const [script = '', ...paths] = options.operands
  if (script.length > 500) throw new OutsideSubset('awk')
  const found = /^(?:\/((?:[^/\\]|\\.)*)\/)? *(?:\{([^{}]*)\})?$/.exec(script.trim())
  const action = found?.[2]?.trim()
  if (found === null || (action !== undefined && !/^print(?![^\s$"])[^;]*$/.test(action)))
    throw new OutsideSubset('awk')
  const expression = found[1] === undefined ? undefined : expressionOf(found[1], true)
  const items = action?.slice('print'.length).trim() ?? ''
  const groups = items === '' ? [['$0']] : items.split(',').map((one) => one.match(AWK_ITEM) ?? [])
  if (groups.some((one) => one.length === 0)) throw new OutsideSubset('awk')
  if (items.replace(AWK_ITEM, '').replace(/[\s,]/g, '') !== '') throw new OutsideSubset('awk')
  const separator = options.value('F')
  const { texts, errors } = inputsOf('awk', paths, state)
  const lines = texts
    .flatMap(({ text }) => linesOf(text))
    .filter((line) => expression === undefined || testLine(expression, line))
  const output = lines.map((line, index) => {
    const fields = separator ? line.split(separator) : (line.match(/\S+/g) ?? [])
    const value = (item: string): string => {
      if (item.startsWith('"')) return item.slice(1, -1)
      if (item === 'NF') return String(fields.length)
      if (item === 'NR') return String(index + 1)
      if (item === '$0') return line
      const number = item === '$NF' ? fields.length : Number(item.slice(1))
      return fields[number - 1] ?? ''
    }
    return groups.map((group) => group.map(value).join('')).join(' ')
  })
  return { output: joinLines(output), error: errors.join(''), code: errors.length > 0 ? 2 : 0 }
}

const AWK_ITEM = /"[^"]*"|\$\d+|\$NF|\bNF\b|\bNR\b/g

export const EDITORS: readonly (readonly [string, Builtin])[] = [
  ['sed', sed],
  ['awk', awk],
]
