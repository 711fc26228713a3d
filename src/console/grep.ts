import { entryOf } from '../engine/core/object'
import { CommandError } from './errors'
import { type Filter, lettersOf, piped, type Read } from './filter'
import { linesOf } from './pipe'

export const GREP: Filter = {
  name: 'grep',
  summary:
    'Print lines that match a pattern (-i ignore case, -v invert, -c count, -o only the match, -w words, -x whole lines, -F fixed strings, -q quiet, -m maximum count)',
  async run(words, streams) {
    const letters = lettersOf('grep', { alone: 'ivcoEPwxFnqh', valued: 'eABCm' }, words)
    const { has, value, values, args } = letters
    const [patterns, more] = has('e') ? [values('e'), args] : [args.slice(0, 1), args.slice(1)]
    if (patterns.length === 0) throw new CommandError('a pattern is missing', 2)
    if (more.length > 0)
      throw new CommandError('files are not available here: pipe something in', 2)
    const pattern = patternOf(patterns, letters)
    const count = (letter: string): number =>
      numberOf(letter, value(letter) || (letter === 'm' ? '' : value('C')))
    const [after, before, most] = [
      count('A'),
      count('B'),
      has('m') ? count('m') : Number.POSITIVE_INFINITY,
    ]
    const quiet = has('q') || has('c')
    const shown = (line: string, number: number, sign: ':' | '-') =>
      `${has('n') ? `${number}${sign}` : ''}${line}\n`
    let [found, number, rest, last] = [0, 0, 0, 0]
    const kept: string[] = []
    for await (const line of linesOf(piped(streams))) {
      number++
      const hit = found < most && pattern.test(line) !== has('v')
      pattern.lastIndex = 0
      if (hit) found++
      if (quiet) {
        if (hit && has('q')) break
      } else if (hit && has('o') && !has('v')) {
        for (const [part] of line.matchAll(pattern))
          if (part !== '') streams.out(shown(part, number, ':'))
      } else if (hit) {
        if (last > 0 && last < number - kept.length - 1 && after + before > 0) streams.out('--\n')
        for (const [index, earlier] of kept.entries())
          streams.out(shown(earlier, number - kept.length + index, '-'))
        kept.length = 0
        streams.out(shown(line, number, ':'))
        rest = after
        last = number
      } else if (rest-- > 0) {
        streams.out(shown(line, number, '-'))
        last = number
      } else {
        kept.push(line)
        if (kept.length > before) kept.shift()
      }
      if (found >= most && rest <= 0) break
    }
    if (has('c') && !has('q')) streams.out(`${found}\n`)
    return found > 0 ? 0 : 1
  },
}

function numberOf(letter: string, text: string): number {
  if (!/^\d*$/.test(text))
    throw new CommandError(`-${letter} wants a number of lines: '${text}'`, 2)
  return Number(text)
}

/** Classes in a bracket expression: `[[:space:]]`. */
const CLASSES: Record<string, string> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
}

/** Without -E, `+?|(){}` are literal, and special after a backslash (POSIX basic regular expressions). */
function patternOf(texts: readonly string[], { has }: Read): RegExp {
  const literal = (sign: string) => sign.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const swapped = (all: string) => (all.length === 2 ? (all[1] as string) : `\\${all}`)
  const sources = texts.map((text) => {
    if (has('F')) return literal(text)
    const source = has('E') || has('P') ? text : text.replace(/\\[+?|(){}]|[+?|(){}]/g, swapped)
    return source
      .replace(/\\[<>]/g, '\\b')
      .replace(/\[:(\w+):\]/g, (all, name: string) => entryOf(CLASSES, name) ?? all)
  })
  const source =
    sources.length === 1 ? (sources[0] as string) : sources.map((one) => `(?:${one})`).join('|')
  try {
    return new RegExp(
      has('x') ? `^(?:${source})$` : has('w') ? `\\b(?:${source})\\b` : source,
      has('i') ? 'gi' : 'g',
    )
  } catch {
    throw new CommandError(`invalid pattern: ${texts.join(' ')}`, 2)
  }
}
