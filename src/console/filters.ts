/** What output can be piped to: small relatives of the tools of a shell, with the flags that people use. */
import type { Command } from './command'
import type { Host } from './environment'
import { CommandError, Exit } from './errors'
import { readFlags } from './flags'
import { linesOf } from './pipe'

export interface FilterStreams {
  /** What the pipe sends; undefined if nothing is piped in. */
  input: AsyncIterable<string> | undefined
  out(text: string): void
  err(text: string): void
  signal: AbortSignal
  host: Host
}

export interface Filter {
  name: string
  /** One sentence. */
  summary: string
  /** @returns the exit code. @throws Error whose message follows the filter's name */
  run(words: readonly string[], streams: FilterStreams): Promise<number>
}

/** Flags of a filter: letters that stand alone, and letters that take a value. */
interface Letters {
  alone?: string
  valued?: string
}

interface Read {
  has(letter: string): boolean
  value(letter: string): string
  args: readonly string[]
}

function read(name: string, { alone = '', valued = '' }: Letters, words: readonly string[]): Read {
  const flags: Command['flags'] = [
    ...[...alone].map((short) => ({ name: `letter-${short}`, short, type: 'on' as const, about: '' })),
    ...[...valued].map((short) => ({ name: `letter-${short}`, short, type: 'text' as const, about: '' })),
  ]
  try {
    const { args, flags: values } = readFlags({ flags }, [], words, name)
    return { args, has: (letter) => values.has(`letter-${letter}`), value: (letter) => values.text(`letter-${letter}`) }
  } catch (error) {
    throw error instanceof CommandError
      ? new CommandError(`${error.message} (it knows ${[...alone, ...valued].map((one) => `-${one}`).join(' ')})`, 2)
      : error
  }
}

function piped({ input }: FilterStreams): AsyncIterable<string> {
  if (input === undefined) throw new CommandError('nothing is piped in')
  return input
}

const GREP: Filter = {
  name: 'grep',
  summary: 'Lines in which a pattern is found: -i any case, -v the others, -c how many, -o the found part, -w whole words, -F no pattern.',
  async run(words, streams) {
    const { has, value, args } = read('grep', { alone: 'ivcoEwFn', valued: 'eABC' }, words)
    const [first, ...more] = has('e') ? [value('e'), ...args] : args
    if (first === undefined) throw new CommandError('a pattern is missing', 2)
    if (more.length > 0) throw new CommandError('files are not available here: pipe something in', 2)
    const pattern = patternOf(first, has)
    const [after, before] = [Number(value('A') || value('C') || 0), Number(value('B') || value('C') || 0)]
    let found = 0
    let number = 0
    let rest = 0
    let last = 0
    const kept: string[] = []
    for await (const line of linesOf(piped(streams))) {
      number++
      const hit = pattern.test(line) !== has('v')
      pattern.lastIndex = 0
      if (hit) found++
      if (has('c')) continue
      if (hit && has('o') && !has('v')) {
        for (const [part] of line.matchAll(pattern)) if (part !== '') streams.out(`${part}\n`)
        continue
      }
      if (hit) {
        if (last > 0 && last < number - kept.length - 1 && after + before > 0) streams.out('--\n')
        for (const earlier of kept.splice(0)) streams.out(`${earlier}\n`)
        streams.out(`${has('n') ? `${number}:` : ''}${line}\n`)
        rest = after
        last = number
      } else if (rest-- > 0) {
        streams.out(`${line}\n`)
        last = number
      } else {
        kept.push(line)
        if (kept.length > before) kept.shift()
      }
    }
    if (has('c')) streams.out(`${found}\n`)
    return found > 0 ? 0 : 1
  },
}

/** Without -E the signs `+?|(){}` mean themselves, and their meaning behind a backslash, as in a shell. */
function patternOf(text: string, has: (letter: string) => boolean): RegExp {
  const literal = (sign: string) => sign.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const swapped = (all: string) => (all.length === 2 ? (all[1] as string) : `\\${all}`)
  const source = has('F') ? literal(text) : has('E') ? text : text.replace(/\\[+?|(){}]|[+?|(){}]/g, swapped)
  try {
    return new RegExp(has('w') ? `\\b(?:${source})\\b` : source, has('i') ? 'gi' : 'g')
  } catch {
    throw new CommandError(`this is no pattern: ${text}`, 2)
  }
}

/** `-5`, `-n 5`, `-n5`; `+5` of tail. */
function countOf(name: string, words: readonly string[]): string {
  const short = words.map((word, at) => (words[at - 1] === '-n' ? word : word.replace(/^-(\d+)$/, '-n$1')))
  const { args, has, value } = read(name, { valued: 'n' }, short)
  if (args.length > 0) throw new CommandError('files are not available here: pipe something in')
  const count = has('n') ? value('n') : '10'
  if (!/^[+-]?\d+$/.test(count)) throw new CommandError(`invalid number of lines: '${count}'`)
  return count
}

const HEAD: Filter = {
  name: 'head',
  summary: 'The first lines: -n 5',
  async run(words, streams) {
    const count = Number(countOf('head', words))
    if (count < 0) {
      const lines = await all(streams)
      streams.out(joined(lines.slice(0, count)))
      return 0
    }
    let left = count
    if (left > 0) {
      for await (const line of linesOf(piped(streams))) {
        streams.out(`${line}\n`)
        if (--left === 0) break
      }
    }
    return 0
  },
}

const TAIL: Filter = {
  name: 'tail',
  summary: 'The last lines: -n 5; from the second on: -n +2',
  async run(words, streams) {
    const count = countOf('tail', words)
    const lines = await all(streams)
    const number = Math.abs(Number(count))
    streams.out(joined(count.startsWith('+') ? lines.slice(Math.max(0, number - 1)) : number === 0 ? [] : lines.slice(-number)))
    return 0
  },
}

const WC: Filter = {
  name: 'wc',
  summary: 'How many lines (-l), words (-w) and bytes (-c).',
  async run(words, streams) {
    const { has, args } = read('wc', { alone: 'lwc' }, words)
    if (args.length > 0) throw new CommandError('files are not available here: pipe something in')
    let [lines, count, bytes] = [0, 0, 0]
    let open = false
    for await (const text of piped(streams)) {
      lines += text.split('\n').length - 1
      bytes += new TextEncoder().encode(text).length
      for (const part of text.matchAll(/\S+/g)) if (!(open && part.index === 0)) count++
      open = /\S$/.test(text)
    }
    const chosen = [has('l') ? lines : undefined, has('w') ? count : undefined, has('c') ? bytes : undefined].filter(
      (one) => one !== undefined,
    )
    streams.out(
      chosen.length === 1
        ? `${chosen[0]}\n`
        : `${(chosen.length === 0 ? [lines, count, bytes] : chosen).map((one) => String(one).padStart(7)).join(' ')}\n`,
    )
    return 0
  },
}

const SORT: Filter = {
  name: 'sort',
  summary: 'Sorted: -r backwards, -n by number, -u each once, -k 2 by the second word.',
  async run(words, streams) {
    const { has, value, args } = read('sort', { alone: 'rnu', valued: 'k' }, words)
    if (args.length > 0) throw new CommandError('files are not available here: pipe something in')
    const column = has('k') ? Number.parseInt(value('k'), 10) : 0
    if (Number.isNaN(column)) throw new CommandError(`invalid key: '${value('k')}'`, 2)
    const key = (line: string) =>
      column > 0
        ? line
            .trim()
            .split(/\s+/)
            .slice(column - 1)
            .join(' ')
        : line
    const number = (line: string) => Number.parseFloat(key(line)) || 0
    const byText = (a: string, b: string) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)
    const compare = has('n') ? (a: string, b: string) => number(a) - number(b) || byText(a, b) : byText
    const sorted = (await all(streams)).sort((a, b) => (has('r') ? -1 : 1) * (compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)))
    streams.out(joined(has('u') ? sorted.filter((line, at) => at === 0 || compare(line, sorted[at - 1] as string) !== 0) : sorted))
    return 0
  },
}

const UNIQ: Filter = {
  name: 'uniq',
  summary: 'Lines that follow each other and are alike, once: -c with how many.',
  async run(words, streams) {
    const { has } = read('uniq', { alone: 'c' }, words)
    const groups: { line: string; count: number }[] = []
    for (const line of await all(streams)) {
      const last = groups.at(-1)
      if (last?.line === line) last.count++
      else groups.push({ line, count: 1 })
    }
    streams.out(joined(groups.map(({ line, count }) => (has('c') ? `${String(count).padStart(7)} ${line}` : line))))
    return 0
  },
}

const CUT: Filter = {
  name: 'cut',
  summary: "Parts of each line: -d, -f2 or -d' ' -f1,3",
  async run(words, streams) {
    const { has, value } = read('cut', { valued: 'dfc' }, words)
    if (has('f') === has('c')) throw new CommandError('you must specify a list of characters (-c) or fields (-f)')
    const separator = has('c') ? '' : has('d') ? value('d') : '\t'
    const wanted = ranges(value(has('c') ? 'c' : 'f'))
    for await (const line of linesOf(piped(streams))) {
      const parts = has('c') ? [...line] : line.split(separator)
      const chosen = parts.filter((_, at) => wanted(at + 1)).join(separator)
      streams.out(`${!has('c') && parts.length === 1 ? line : chosen}\n`)
    }
    return 0
  },
}

/** `1,3-5,7-` */
function ranges(text: string): (at: number) => boolean {
  const parts = text.split(',').map((part) => /^(\d*)(-?)(\d*)$/.exec(part))
  if (text === '' || parts.some((part) => part === null || part[0] === '-')) throw new CommandError(`invalid range: '${text}'`)
  return (at) =>
    parts.some((part) => {
      const [, from = '', dash = '', to = ''] = part ?? []
      const first = from === '' ? 1 : Number(from)
      return at >= first && at <= (dash === '' ? first : to === '' ? Number.POSITIVE_INFINITY : Number(to))
    })
}

const TR: Filter = {
  name: 'tr',
  summary: "Signs by other signs: tr ' ' '\\n'; -d takes signs away, -s one for many.",
  async run(words, streams) {
    const { has, args } = read('tr', { alone: 'ds' }, words)
    const [from = '', to = ''] = args.map(signsOf)
    if (args.length === 0 || (args.length === 1 && !has('d') && !has('s'))) throw new CommandError('two sets of signs are needed')
    const known = [...from]
    const targets = [...to]
    for await (const text of piped(streams)) {
      let result = ''
      for (const sign of text) {
        const at = known.indexOf(sign)
        if (at >= 0 && has('d')) continue
        const next = at < 0 || targets.length === 0 ? sign : (targets[Math.min(at, targets.length - 1)] as string)
        if (at < 0 || !has('s') || !result.endsWith(next)) result += next
      }
      streams.out(result)
    }
    return 0
  },
}

/** `a-z`, `\n` */
function signsOf(text: string): string {
  const escaped = text.replace(/\\([nt\\])/g, (_, sign: string) => ({ n: '\n', t: '\t' })[sign] ?? sign)
  return escaped.replace(/(.)-(.)/gs, (all, from: string, to: string) => {
    const [start, end] = [from.charCodeAt(0), to.charCodeAt(0)]
    return start > end ? all : Array.from({ length: end - start + 1 }, (_, i) => String.fromCharCode(start + i)).join('')
  })
}

const CAT: Filter = {
  name: 'cat',
  summary: 'An open manifest, or what is piped in.',
  async run(words, streams) {
    const { args } = read('cat', {}, words)
    for (const name of args) {
      const text = name === '-' ? undefined : streams.host.readFile(name)
      if (text === undefined && name !== '-') throw new CommandError(`${name}: No such file or directory`)
      if (text !== undefined) streams.out(text.endsWith('\n') ? text : `${text}\n`)
    }
    if (args.length === 0 || args.includes('-')) for await (const text of piped(streams)) streams.out(text)
    return 0
  },
}

const ECHO: Filter = {
  name: 'echo',
  summary: 'Its words: -n without a line end.',
  async run(words, { out }) {
    const bare = words[0] === '-n'
    out(`${(bare ? words.slice(1) : words).join(' ')}${bare ? '' : '\n'}`)
    return 0
  },
}

const CLEAR: Filter = {
  name: 'clear',
  summary: 'Clears the screen.',
  async run(_words, { host }) {
    host.clear?.()
    return 0
  },
}

const LS: Filter = {
  name: 'ls',
  summary: 'The open manifests, which -f takes.',
  async run(_words, { out, host }) {
    out(joined(host.fileNames()))
    return 0
  },
}

/** Tools that people pipe to and that are not here, with what does the same. */
const INSTEAD: Record<string, string> = {
  jq: 'it is not available here: -o jsonpath= and -o custom-columns= pick fields, -o json shows all',
  yq: 'it is not available here: -o jsonpath= and -o custom-columns= pick fields, -o yaml shows all',
  less: 'it is not needed here: scroll, or pipe to head or grep',
  more: 'it is not needed here: scroll, or pipe to head or grep',
  awk: "it is not available here: try -o custom-columns=, or cut -d' ' -f1",
  sed: 'it is not available here: try grep, cut or tr',
  xargs: 'it is not available here: name several objects on one line, or use -l',
  watch: 'it is not available here: kubectl get -w shows changes as they happen',
  bash: 'there is no shell here',
  sh: 'there is no shell here',
  curl: 'it is not available here: kubectl get --raw /PATH asks for any path',
  vi: 'open the manifest in the editor beside this console, or use kubectl edit',
  vim: 'open the manifest in the editor beside this console, or use kubectl edit',
  nano: 'open the manifest in the editor beside this console, or use kubectl edit',
  helm: 'it is not available here',
}

const REFUSALS: Filter[] = Object.entries(INSTEAD).map(([name, why]) => ({
  name,
  summary: '',
  async run(_words, { err }) {
    err(`${name}: ${why}\n`)
    throw new Exit(127)
  },
}))

async function all(streams: FilterStreams): Promise<string[]> {
  const lines: string[] = []
  for await (const line of linesOf(piped(streams))) lines.push(line)
  return lines
}

const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

/** Those with a summary can be used; the others say what to use instead. */
export const FILTERS: readonly Filter[] = [GREP, HEAD, TAIL, SORT, UNIQ, CUT, TR, WC, CAT, ECHO, LS, CLEAR, ...REFUSALS]
