/** Filters of text, as in busybox. */
// Letters of options. cspell:ignore Fivncqolhsxwe lwcm nrukt
import { withoutTrailing } from '../../../core/text-end'
import type { Builtin, Outcome, ScriptState } from '../command'
import { expressionOf, inputsOf, joinLines, linesOf, optionsOf, testLine } from '../options'
import { OutsideSubset } from '../words'

type Entry = readonly [string, Builtin]

const done = (output: string, errors: readonly string[] = []): Outcome => ({
  output,
  error: errors.join(''),
  code: errors.length > 0 ? 1 : 0,
})

/** A filter of the lines of its operands. */
const filter =
  (
    name: string,
    known: string,
    change: (lines: string[], options: ReturnType<typeof optionsOf>) => string[],
  ): Builtin =>
  (args, state) => {
    const options = optionsOf(args, known)
    const { texts, errors } = inputsOf(name, options.operands, state)
    const lines = texts.flatMap(({ text }) => linesOf(text))
    return done(joinLines(change(lines, options)), errors)
  }

function cat(args: readonly string[], state: ScriptState): Outcome {
  const options = optionsOf(args, 'n')
  const errors: string[] = []
  const texts = (options.operands.length > 0 ? options.operands : ['-']).map((path) => {
    if (path === '-') {
      const text = state.readInput()
      if (text === undefined) throw new OutsideSubset('cat')
      return text
    }
    if (state.files.there(path) === 'directory') errors.push('cat: read error: Is a directory\n')
    else {
      const content = state.files.read(path)
      if (content !== undefined) return content
      errors.push(`cat: can't open '${path}': No such file or directory\n`)
    }
    return ''
  })
  const text = texts.join('')
  return done(options.has('n') ? joinLines(numbered(linesOf(text))) : text, errors)
}

const numbered = (lines: readonly string[]): string[] =>
  lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)

/** The count of `head -n 3`, `head -3` and `tail -n +2`. */
function countOf(args: readonly string[]): { count: string; rest: string[] } {
  const rest: string[] = []
  let count = '10'
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '-n') count = args[++at] ?? ''
    else if (/^-n?\d+$/.test(word)) count = word.replace(/^-n?/, '')
    else if (/^-./.test(word)) throw new OutsideSubset(word)
    else rest.push(word)
  }
  if (!/^[-+]?\d{1,9}$/.test(count)) throw new OutsideSubset(count)
  return { count, rest }
}

const head: Builtin = (args, state) => {
  if (args[0] === '-c') {
    const [, count = '', ...paths] = args
    const { texts, errors } = inputsOf('head', paths, state)
    return done(texts.map(({ text }) => text.slice(0, Number(count) || 0)).join(''), errors)
  }
  const { count, rest } = countOf(args)
  const { texts, errors } = inputsOf('head', rest, state)
  const number = Number(count)
  return done(texts.map(({ text }) => joinLines(linesOf(text).slice(0, number))).join(''), errors)
}

/** `tail -c +N`: from the Nth byte on. */
const tailBytes: Builtin = ([from = '', ...paths], state) => {
  if (!/^\+\d{1,9}$/.test(from)) throw new OutsideSubset('tail -c')
  const { texts, errors } = inputsOf('tail', paths, state)
  const rest = (text: string) => {
    const bytes = new TextEncoder().encode(text)
    return new TextDecoder().decode(bytes.subarray(Math.max(0, Number(from) - 1)))
  }
  return done(texts.map(({ text }) => rest(text)).join(''), errors)
}

const tail: Builtin = (args, state) => {
  const bytes = /^-c(\+\d{1,9})?$/.exec(args[0] ?? '')
  if (bytes)
    return tailBytes(bytes[1] === undefined ? args.slice(1) : [bytes[1], ...args.slice(1)], state)
  const follows = args.some((word) => /^-[fF]$/.test(word))
  const { count, rest } = countOf(args.filter((word) => !/^-[fF]$/.test(word)))
  if (follows) return state.wait()
  const { texts, errors } = inputsOf('tail', rest, state)
  const number = Math.abs(Number(count))
  const output = texts.map(({ text }) => {
    const lines = linesOf(text)
    if (count.startsWith('+')) return joinLines(lines.slice(Math.max(0, number - 1)))
    return number === 0 ? '' : joinLines(lines.slice(-number))
  })
  return done(output.join(''), errors)
}

const wc: Builtin = (args, state) => {
  const options = optionsOf(args, 'lwcm')
  const { texts, errors } = inputsOf('wc', options.operands, state)
  const chosen = [...'lwc'].filter((letter) => options.has(letter))
  const output = texts.map(({ name, text }) => {
    const counts = new Map([
      ['l', text.split('\n').length - 1],
      ['w', text.match(/\S+/g)?.length ?? 0],
      ['c', new TextEncoder().encode(text).length],
    ])
    const shown = (chosen.length > 0 ? chosen : ['l', 'w', 'c']).map((letter) =>
      String(counts.get(letter) ?? 0),
    )
    if (name === '-' && shown.length === 1) return `${shown[0]}\n`
    const padded = shown.length === 1 ? shown : shown.map((one) => one.padStart(9))
    return `${padded.join('')}${name === '-' ? '' : ` ${name}`}\n`
  })
  return done(output.join(''), errors)
}

const grep =
  (kind: 'basic' | 'extended' | 'fixed'): Builtin =>
  (args, state) => {
    const options = optionsOf(args, 'EFivncqolhsxwe:m:A:')
    const [first = '', ...others] = options.operands
    const given = options.value('e')
    const pattern = given ?? first
    const isFixed = kind === 'fixed' || options.has('F')
    const source = isFixed ? pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : pattern
    const isExtended = isFixed || kind === 'extended' || options.has('E')
    const expression = expressionOf(source, isExtended, (text) => {
      const bound = options.has('x')
        ? `^(?:${text})$`
        : options.has('w')
          ? `\\b(?:${text})\\b`
          : text
      return options.has('i') ? `(?i)${bound}` : bound
    })
    const { texts, errors } = inputsOf(
      'grep',
      given === undefined ? others : options.operands,
      state,
    )
    let found = 0
    const output = texts.map(({ name, text }) => {
      const prefix = texts.length > 1 && !options.has('h') ? `${name}:` : ''
      let lines = linesOf(text).flatMap((line, index) =>
        testLine(expression, line) === options.has('v')
          ? []
          : [{ line, number: options.has('n') ? `${index + 1}:` : '' }],
      )
      const most = options.value('m')
      if (most !== undefined) lines = lines.slice(0, Number(most) || 0)
      found += lines.length
      if (options.has('q')) return ''
      if (options.has('c')) return `${prefix}${lines.length}\n`
      if (options.has('l')) return lines.length > 0 ? `${name}\n` : ''
      return joinLines(
        lines.flatMap(({ line, number }) =>
          (options.has('o') ? expression.findAll(line) : [line]).map(
            (one) => `${prefix}${number}${one}`,
          ),
        ),
      )
    })
    return {
      output: output.join(''),
      error: options.has('s') ? '' : errors.join(''),
      code: errors.length > 0 ? 2 : found > 0 ? 0 : 1,
    }
  }

const sort = filter('sort', 'nrukt:', (lines, options) => {
  if (options.has('k') || options.value('t') !== undefined) throw new OutsideSubset('sort')
  const sorted = [...lines].sort(
    options.has('n')
      ? (a, b) => (Number.parseFloat(a) || 0) - (Number.parseFloat(b) || 0) || compare(a, b)
      : compare,
  )
  if (options.has('r')) sorted.reverse()
  return options.has('u') ? [...new Set(sorted)] : sorted
})

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const uniq = filter('uniq', 'cdu', (lines, options) => {
  const groups: { line: string; count: number }[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last?.line === line) last.count++
    else groups.push({ line, count: 1 })
  }
  return groups
    .filter(({ count }) => (!options.has('d') || count > 1) && (!options.has('u') || count === 1))
    .map(({ line, count }) => (options.has('c') ? `${String(count).padStart(7)} ${line}` : line))
})

const MAXIMUM_FIELDS = 1000

/** Whether a list such as `1,3-4,6-` contains a number. */
function inList(list: string): (number: number) => boolean {
  const ranges = list.split(',').map((one) => {
    const found = /^(\d*)(?:(-)(\d*))?$/.exec(one)
    if (found === null || one === '' || one === '-') throw new OutsideSubset('cut')
    const [, first = '', dash = '', last = ''] = found
    const from = Number(first || 1)
    return [from, dash === '' ? from : Number(last || MAXIMUM_FIELDS)] as const
  })
  return (number) => ranges.some(([from, to]) => number >= from && number <= to)
}

const cut = filter('cut', 'd:f:c:b:s', (lines, options) => {
  const characters = options.value('c') ?? options.value('b')
  if (characters !== undefined) {
    const isChosen = inList(characters)
    return lines.map((line) => [...line].filter((_, index) => isChosen(index + 1)).join(''))
  }
  const separator = options.value('d') ?? '\t'
  const isChosen = inList(options.value('f') ?? '')
  return lines.flatMap((line) => {
    if (!line.includes(separator)) return options.has('s') ? [] : [line]
    return [
      line
        .split(separator)
        .filter((_, index) => isChosen(index + 1))
        .join(separator),
    ]
  })
})

const SETS: ReadonlyMap<string, string> = new Map([
  ['[:upper:]', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  ['[:lower:]', 'abcdefghijklmnopqrstuvwxyz'],
  ['[:digit:]', '0123456789'],
  ['[:space:]', ' \t\n\r\v\f'],
])

/** The characters of a set of `tr`, such as `a-z`. */
function setOf(text: string): string[] {
  const known = SETS.get(text)
  if (known !== undefined) return [...known]
  const characters = [...text.replace(/\\([nt\\])/g, (_, one) => ESCAPES.get(one) ?? one)]
  const members: string[] = []
  for (let at = 0; at < characters.length; at++) {
    const first = characters[at] ?? ''
    const last = characters[at + 1] === '-' ? characters[at + 2] : undefined
    if (last === undefined) {
      members.push(first)
      continue
    }
    const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)]
    for (let code = from; code <= Math.min(to, from + 255); code++)
      members.push(String.fromCharCode(code))
    at += 2
  }
  return members
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['\\', '\\'],
])

const tr: Builtin = (args, state) => {
  const options = optionsOf(args, 'dsc')
  if (options.has('s') || options.has('c')) throw new OutsideSubset('tr')
  const [from = '', to = ''] = options.operands
  const [text = { text: '' }] = inputsOf('tr', [], state).texts
  const [before, after] = [setOf(from), setOf(to)]
  const target = new Map(
    before.map((one, index) => [one, options.has('d') ? '' : (after[index] ?? after.at(-1) ?? '')]),
  )
  return done([...text.text].map((one) => target.get(one) ?? one).join(''))
}

const tee: Builtin = (args, state) => {
  const options = optionsOf(args, 'a')
  const [text = { text: '' }] = inputsOf('tee', [], state).texts
  for (const path of options.operands)
    if (path !== '/dev/stderr') state.write(path, text.text, options.has('a'))
  return done(text.text)
}

const xargs: Builtin = (args, state) => {
  const options = optionsOf(args, 'rtn:I:0')
  const [input = { text: '' }] = inputsOf('xargs', [], state).texts
  const command = options.operands.length > 0 ? options.operands : ['echo']
  const name = options.value('I')
  const words =
    name === undefined
      ? (input.text.match(/\S+/g) ?? [])
      : linesOf(input.text).map((one) => one.trim())
  if (words.length === 0 && options.has('r')) return {}
  const size = Number(options.value('n') ?? words.length) || 1
  const runs: string[][] = []
  if (name !== undefined)
    for (const word of words) runs.push(command.map((part) => part.replaceAll(name, () => word)))
  else
    for (let at = 0; at < Math.max(1, words.length); at += size)
      runs.push([...command, ...words.slice(at, at + size)])
  const outcomes = runs.map((run) => {
    state.step()
    return state.run(run, '')
  })
  return {
    output: outcomes.map(({ output }) => output ?? '').join(''),
    code: outcomes.some(({ code }) => code) ? 123 : 0,
  }
}

const base64: Builtin = (args, state) => {
  const options = optionsOf(args, 'dw:')
  const { texts, errors } = inputsOf('base64', options.operands, state)
  const text = texts.map((one) => one.text).join('')
  if (!options.has('d')) {
    const bytes = new TextEncoder().encode(text)
    let binary = ''
    for (const byte of bytes) binary += String.fromCharCode(byte)
    const width = Number(options.value('w') ?? 76)
    const encoded = btoa(binary)
    const lines =
      width > 0 ? (encoded.match(new RegExp(`.{1,${Math.min(width, 1000)}}`, 'g')) ?? []) : []
    return done(width > 0 ? joinLines(lines) : encoded, errors)
  }
  try {
    const binary = atob(text.replace(/\s/g, ''))
    const bytes = Uint8Array.from(binary, (one) => one.charCodeAt(0))
    return done(new TextDecoder().decode(bytes), errors)
  } catch {
    return done('', ['base64: truncated input\n'])
  }
}

export const TEXT_COMMANDS: readonly Entry[] = [
  ['cat', cat],
  ['head', head],
  ['tail', tail],
  ['wc', wc],
  ['grep', grep('basic')],
  ['egrep', grep('extended')],
  ['fgrep', grep('fixed')],
  ['sort', sort],
  ['uniq', uniq],
  ['cut', cut],
  ['tr', tr],
  ['tee', tee],
  ['xargs', xargs],
  ['base64', base64],
  ['nl', filter('nl', 'b:', (lines) => numbered(lines))],
  ['tac', filter('tac', '', (lines) => lines.reverse())],
  ['rev', filter('rev', '', (lines) => lines.map((line) => [...line].reverse().join('')))],
  [
    'paste',
    filter('paste', 'sd:', (lines, options) => {
      if (!options.has('s')) throw new OutsideSubset('paste')
      return [lines.join(options.value('d') ?? '\t')]
    }),
  ],
  [
    'strings',
    filter('strings', '', (lines) => lines.filter((line) => withoutTrailing(line, ' ').length > 3)),
  ],
]
