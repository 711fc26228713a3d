/** Small versions of shell tools, with their common flags. */
import { entryOf } from '../engine/core/object'
import { base64OfBytes, bytesOfBase64, canonicalBase64 } from '../engine/schema/base64'
import { FormatError } from '../engine/schema/format-error'
import { CommandError, Exit } from './errors'
import { type Filter, type FilterStreams, lettersOf, piped } from './filter'
import { GREP } from './grep'
import { linesOf, wholeText } from './pipe'

/** `-5`, `-n 5`, `-n5`; `+5` of tail. */
function countOf(name: string, words: readonly string[]): string {
  const short = words.map((word, at) =>
    words[at - 1] === '-n' ? word : word.replace(/^-(\d+)$/, '-n$1'),
  )
  const { args, has, value } = lettersOf(name, { valued: 'n' }, short)
  if (args.length > 0) throw new CommandError('files are not available here: use a pipe')
  const count = has('n') ? value('n') : '10'
  if (!/^[+-]?\d+$/.test(count)) throw new CommandError(`invalid number of lines: '${count}'`)
  return count
}

const HEAD: Filter = {
  name: 'head',
  summary: 'Output the first lines (-n 5)',
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
  summary: 'Output the last lines (-n 5), or from a line on (-n +2)',
  async run(words, streams) {
    const count = countOf('tail', words)
    const lines = await all(streams)
    const number = Math.abs(Number(count))
    streams.out(
      joined(
        count.startsWith('+')
          ? lines.slice(Math.max(0, number - 1))
          : number === 0
            ? []
            : lines.slice(-number),
      ),
    )
    return 0
  },
}

const WC: Filter = {
  name: 'wc',
  summary: 'Count lines (-l), words (-w) and bytes (-c)',
  async run(words, streams) {
    const { has, args } = lettersOf('wc', { alone: 'lwc' }, words)
    if (args.length > 0) throw new CommandError('files are not available here: use a pipe')
    let [lines, count, bytes] = [0, 0, 0]
    let open = false
    for await (const text of piped(streams)) {
      lines += text.split('\n').length - 1
      bytes += new TextEncoder().encode(text).length
      for (const part of text.matchAll(/\S+/g)) if (!(open && part.index === 0)) count++
      open = /\S$/.test(text)
    }
    const chosen = [
      has('l') ? lines : undefined,
      has('w') ? count : undefined,
      has('c') ? bytes : undefined,
    ].filter((one) => one !== undefined)
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
  summary: 'Sort lines (-r reverse, -n numeric, -u unique, -k 2 by the second field)',
  async run(words, streams) {
    const { has, value, args } = lettersOf('sort', { alone: 'rnu', valued: 'k' }, words)
    if (args.length > 0) throw new CommandError('files are not available here: use a pipe')
    const [key = '', from = '0', to] =
      /^([1-9]\d*)(?:,([1-9]\d*))?$/.exec(has('k') ? value('k') : '') ?? []
    if (has('k') && key === '')
      throw new CommandError(`invalid key: '${value('k')}' (as in -k 2 or -k 2,2)`, 2)
    const column = Number(from)
    const keyOf = (line: string) =>
      column > 0
        ? line
            .trim()
            .split(/\s+/)
            .slice(column - 1, to === undefined ? undefined : Number(to))
            .join(' ')
        : line
    const number = (line: string) => Number.parseFloat(keyOf(line)) || 0
    const byText = (a: string, b: string) =>
      keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0
    const compare = has('n')
      ? (a: string, b: string) => number(a) - number(b) || byText(a, b)
      : byText
    const sorted = (await all(streams)).sort(
      (a, b) => (has('r') ? -1 : 1) * (compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)),
    )
    streams.out(
      joined(
        has('u')
          ? sorted.filter((line, at) => at === 0 || compare(line, sorted[at - 1] as string) !== 0)
          : sorted,
      ),
    )
    return 0
  },
}

const UNIQ: Filter = {
  name: 'uniq',
  summary: 'Omit repeated adjacent lines (-c with counts)',
  async run(words, streams) {
    const { has } = lettersOf('uniq', { alone: 'c' }, words)
    const groups: { line: string; count: number }[] = []
    for (const line of await all(streams)) {
      const last = groups.at(-1)
      if (last?.line === line) last.count++
      else groups.push({ line, count: 1 })
    }
    streams.out(
      joined(
        groups.map(({ line, count }) => (has('c') ? `${String(count).padStart(7)} ${line}` : line)),
      ),
    )
    return 0
  },
}

const CUT: Filter = {
  name: 'cut',
  summary: "Print selected fields of each line (-d, -f2 or -d' ' -f1,3)",
  async run(words, streams) {
    const { has, value } = lettersOf('cut', { valued: 'dfc' }, words)
    if (has('f') === has('c'))
      throw new CommandError('you must specify a list of characters (-c) or fields (-f)')
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
  const parts = text.split(',').map((part) => /^(\d*)(?:(-)(\d*))?$/.exec(part))
  if (text === '' || parts.some((part) => part === null || part[0] === '-'))
    throw new CommandError(`invalid range: '${text}'`)
  return (at) =>
    parts.some((part) => {
      const [, from = '', dash = '', to = ''] = part ?? []
      const first = from === '' ? 1 : Number(from)
      return (
        at >= first &&
        at <= (dash === '' ? first : to === '' ? Number.POSITIVE_INFINITY : Number(to))
      )
    })
}

const TR: Filter = {
  name: 'tr',
  summary: "Translate characters (tr ' ' '\\n'), delete them (-d) or squeeze repeats (-s)",
  async run(words, streams) {
    const { has, args } = lettersOf('tr', { alone: 'ds' }, words)
    const [from = '', to = ''] = args.map(charactersOf)
    if (args.length === 0 || (args.length === 1 && !has('d') && !has('s')))
      throw new CommandError('missing operand: tr needs two sets of characters')
    const known = [...from]
    const targets = [...to]
    for await (const text of piped(streams)) {
      let result = ''
      for (const sign of text) {
        const at = known.indexOf(sign)
        if (at >= 0 && has('d')) continue
        const next =
          at < 0 || targets.length === 0
            ? sign
            : (targets[Math.min(at, targets.length - 1)] as string)
        if (at < 0 || !has('s') || !result.endsWith(next)) result += next
      }
      streams.out(result)
    }
    return 0
  },
}

const SETS: Record<string, string> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  blank: ' \\t',
  digit: '0-9',
  lower: 'a-z',
  space: ' \\t\\n',
  upper: 'A-Z',
}

/** `a-z`, `\n`, `[:upper:]` */
function charactersOf(text: string): string {
  const named = text.replace(/\[:(\w+):\]/g, (_, name: string) => {
    const ranges = entryOf(SETS, name)
    if (ranges === undefined) throw new CommandError(`invalid character class '${name}'`)
    return ranges
  })
  const escaped = named.replace(
    /\\([nt\\])/g,
    (_, sign: string) => entryOf({ n: '\n', t: '\t' }, sign) ?? sign,
  )
  return escaped.replace(/(.)-(.)/gs, (all, from: string, to: string) => {
    const [start, end] = [from.charCodeAt(0), to.charCodeAt(0)]
    return start > end
      ? all
      : Array.from({ length: end - start + 1 }, (_, i) => String.fromCharCode(start + i)).join('')
  })
}

const CAT: Filter = {
  name: 'cat',
  summary: 'Print open files or stdin',
  async run(words, streams) {
    const { args } = lettersOf('cat', {}, words)
    for (const name of args) {
      const text = name === '-' ? undefined : streams.host.readFile(name)
      if (text === undefined && name !== '-')
        throw new CommandError(`${name}: No such file or directory`)
      if (text !== undefined) streams.out(text.endsWith('\n') ? text : `${text}\n`)
    }
    if (args.length === 0 || args.includes('-'))
      for await (const text of piped(streams)) streams.out(text)
    return 0
  },
}

const ECHO: Filter = {
  name: 'echo',
  summary: 'Print the arguments (-n without a trailing newline)',
  async run(words, { out }) {
    const bare = words[0] === '-n'
    out(`${(bare ? words.slice(1) : words).join(' ')}${bare ? '' : '\n'}`)
    return 0
  },
}

const BASE64: Filter = {
  name: 'base64',
  summary: 'Encode stdin in base64; -d decodes it, such as values of secrets',
  async run(words, streams) {
    const letters = words.map((word) => (word === '--decode' ? '-d' : word))
    const { has, value, args } = lettersOf('base64', { alone: 'di', valued: 'w' }, letters)
    if (args.length > 0) throw new CommandError('files are not available here: use a pipe')
    const text = await wholeText(piped(streams))
    if (has('d')) {
      streams.out(
        new TextDecoder().decode(decoded(has('i') ? text.replace(/[^A-Za-z0-9+/=]/g, '') : text)),
      )
      return 0
    }
    const encoded = base64OfBytes([...new TextEncoder().encode(text)])
    const width = has('w') ? Number(value('w')) : 76
    if (!Number.isInteger(width)) throw new CommandError(`invalid wrap size: '${value('w')}'`)
    streams.out(width === 0 ? encoded : encoded.replace(new RegExp(`.{1,${width}}`, 'g'), '$&\n'))
    return 0
  },
}

function decoded(text: string): Uint8Array {
  try {
    return bytesOfBase64(canonicalBase64(text))
  } catch (error) {
    throw error instanceof FormatError ? new CommandError('invalid input') : error
  }
}

const CLEAR: Filter = {
  name: 'clear',
  summary: 'Clear the screen',
  async run(_words, { host }) {
    host.clear?.()
    return 0
  },
}

const LS: Filter = {
  name: 'ls',
  summary: 'List the open files, which -f accepts',
  async run(_words, { out, host }) {
    out(joined(host.fileNames()))
    return 0
  },
}

const NO_SHELL = 'the console has no shell: it runs one command after another'
const NO_FOLDERS =
  'the console has no directories: -f accepts the names of open files, ls lists them'

/** Missing tools, with the replacement that the error names. */
const INSTEAD: Record<string, string> = {
  jq: 'not available here: use -o jsonpath= or -o custom-columns=',
  yq: 'not available here: use -o jsonpath= or -o custom-columns=',
  less: 'not needed here: scroll, or pipe to head or grep',
  more: 'not needed here: scroll, or pipe to head or grep',
  awk: "not available here: use -o custom-columns=, or cut -d' ' -f1",
  sed: 'not available here: use grep, cut or tr',
  xargs: 'not available here: name several objects on one line, or use -l',
  watch: 'not available here: use kubectl get -w',
  bash: NO_SHELL,
  sh: NO_SHELL,
  curl: 'not available here: use kubectl get --raw /PATH',
  vi: 'open the manifest in the editor above, or use kubectl edit',
  vim: 'open the manifest in the editor above, or use kubectl edit',
  nano: 'open the manifest in the editor above, or use kubectl edit',
  helm: 'not available here: paste the output of helm template into the editor',
  sudo: 'not needed here: use config use-context or --as to act as another user',
  cd: NO_FOLDERS,
  pwd: NO_FOLDERS,
  tee: 'files are not available here: output cannot be redirected',
  export: 'variables are not available here',
  alias: 'not available here: k is already an alias of kubectl',
  sleep: 'not available here: use kubectl wait',
  history: 'press ↑ for earlier commands, Ctrl-R to search them',
  man: 'use COMMAND --help for a command, kubectl explain for a resource',
  exit: 'press Esc to leave the console',
  for: NO_SHELL,
  while: NO_SHELL,
  if: NO_SHELL,
}

const UNAVAILABLE: Filter[] = Object.entries(INSTEAD).map(([name, why]) => ({
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

/** Entries without a summary only fail with a replacement's name. */
export const FILTERS: readonly Filter[] = [
  GREP,
  HEAD,
  TAIL,
  SORT,
  UNIQ,
  CUT,
  TR,
  WC,
  BASE64,
  CAT,
  ECHO,
  LS,
  CLEAR,
  ...UNAVAILABLE,
]
