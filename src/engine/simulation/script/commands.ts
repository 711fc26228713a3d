/**
 * Built-in commands of scripts, as in busybox (busybox.net, "BusyBox - The Swiss Army Knife of
 * Embedded Linux").
 */
import { entryOf } from '../../core/object'
import type { Builtin, ScriptState } from './command'
import { holds } from './conditions'
import { list } from './listing'
import { OutsideSubset } from './syntax'

/** Placeholder for the time of a line. */
const DATE_MARK = '{date}'
const UNITS: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }
const MOST_ITEMS = 1000

const test =
  (bracket: string, double: boolean): Builtin =>
  (args, { files }) => {
    if (bracket !== '' && args.at(-1) !== bracket) throw new OutsideSubset(bracket)
    const words = bracket === '' ? args : args.slice(0, -1)
    return { code: holds(words, double, (path) => files.there(path)) ? 0 : 1 }
  }

/** Separates options from paths. */
function split(
  args: readonly string[],
  known: RegExp,
): { options: string; paths: readonly string[] } {
  const options = args.filter((word) => word.startsWith('-') && word !== '-')
  if (options.some((word) => !known.test(word))) throw new OutsideSubset(options.join(' '))
  return {
    options: options.join(''),
    paths: args.filter((word) => !word.startsWith('-') || word === '-'),
  }
}

const environment = ({ variables, exported }: ScriptState): string =>
  [...variables]
    .flatMap(([name, value]) => (exported.has(name) ? [`${name}=${value}\n`] : []))
    .join('')

/** Escapes of `echo -e` and `printf`. */
const unescaped = (text: string): string =>
  text.replace(/\\([nt\\])/g, (_, sign: string) =>
    sign === 'n' ? '\n' : sign === 't' ? '\t' : '\\',
  )

function printed([format = '', ...values]: readonly string[]): string {
  let at = 0
  const text = unescaped(format).replace(/%(.)/g, (_, sign: string) => {
    if (sign === '%') return '%'
    if (sign !== 's' && sign !== 'd') throw new OutsideSubset('printf')
    return values[at++] ?? (sign === 'd' ? '0' : '')
  })
  if (at < values.length) throw new OutsideSubset('printf')
  return text
}

function sequence(args: readonly string[]): string {
  const numbers = args.map(Number)
  if (numbers.length === 0 || numbers.length > 3 || numbers.some((one) => !Number.isInteger(one)))
    throw new OutsideSubset('seq')
  const [from = 1, step = 1, to = 1] =
    numbers.length === 1
      ? [1, 1, numbers[0]]
      : numbers.length === 2
        ? [numbers[0], 1, numbers[1]]
        : numbers
  const count = Math.floor((to - from) / step) + 1
  if (step === 0 || count > MOST_ITEMS) throw new OutsideSubset('seq')
  return Array.from({ length: Math.max(0, count) }, (_, index) => `${from + index * step}\n`).join(
    '',
  )
}

export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['true', () => ({})],
  [':', () => ({})],
  ['false', () => ({ code: 1 })],
  ['[', test(']', false)],
  ['[[', test(']]', true)],
  ['test', test('', false)],
  [
    'echo',
    (args) => {
      const at = args.findIndex((word) => !/^-[ne]+$/.test(word))
      const words = at < 0 ? [] : args.slice(at)
      const options = args.slice(0, at < 0 ? args.length : at).join('')
      const text = words.join(' ')
      return {
        output: `${options.includes('e') ? unescaped(text) : text}${options.includes('n') ? '' : '\n'}`,
      }
    },
  ],
  ['printf', (args) => ({ output: printed(args) })],
  ['seq', (args) => ({ output: sequence(args) })],
  [
    'sleep',
    (args, run) => {
      const times = args.map((word) => {
        const found = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(word)
        if (found) return Number(found[1]) * (entryOf(UNITS, found[2] ?? '') ?? 1)
        if (/^inf(?:inity)?$/.test(word)) return Number.POSITIVE_INFINITY
        throw new OutsideSubset(word)
      })
      run.sleep(times.reduce((sum, time) => sum + time, 0))
      return {}
    },
  ],
  [
    'tail',
    (args, run) => {
      if (!args.some((word) => /^-[fF]$/.test(word))) throw new OutsideSubset('tail')
      return run.wait()
    },
  ],
  [
    'date',
    (args, { around }) =>
      args.length > 0 ? outside('date') : { output: `${around.date ?? DATE_MARK}\n` },
  ],
  [
    'hostname',
    (args, { around }) =>
      args.length > 0 ? outside('hostname') : { output: `${around.hostname}\n` },
  ],
  ['pwd', (_, { files }) => ({ output: `${files.directory}\n` })],
  ['whoami', () => ({ output: 'root\n' })],
  ['sync', () => ({})],
  ['env', (args, run) => (args.length > 0 ? outside('env') : { output: environment(run) })],
  [
    'printenv',
    (args, run) => {
      if (args.length === 0) return { output: environment(run) }
      const values = args.map((name) =>
        run.exported.has(name) ? run.variables.get(name) : undefined,
      )
      const output = values.map((value) => (value === undefined ? '' : `${value}\n`)).join('')
      return { output, code: values.includes(undefined) ? 1 : 0 }
    },
  ],
  [
    'cat',
    (args, { files }) => {
      const { paths } = split(args, /^$/)
      if (paths.length === 0 || paths.includes('-')) throw new OutsideSubset('cat')
      const errors: string[] = []
      const contents = paths.map((path) => {
        if (files.there(path) === 'directory') errors.push(`cat: read error: Is a directory\n`)
        else {
          const content = files.read(path)
          if (content !== undefined) return content
          errors.push(`cat: can't open '${path}': No such file or directory\n`)
        }
        return ''
      })
      return {
        output: contents.join(''),
        error: errors.join(''),
        code: errors.length > 0 ? 1 : 0,
      }
    },
  ],
  ['ls', list],
  [
    'touch',
    (args, run) => {
      for (const path of split(args, /^$/).paths) run.write(path, '', true)
      return {}
    },
  ],
  [
    'rm',
    (args, run) => {
      const { options, paths } = split(args, /^-[rRf]+$/)
      const lost = paths.filter((path) => run.files.there(path) === undefined)
      const directory = paths.find((path) => run.files.there(path) === 'directory')
      if (directory !== undefined && !/r/i.test(options))
        return { error: `rm: '${directory}' is a directory\n`, code: 1 }
      for (const path of paths) if (!lost.includes(path)) run.files.remove(path)
      run.changed()
      if (options.includes('f') || lost.length === 0) return {}
      return {
        error: lost
          .map((path) => `rm: can't remove '${path}': No such file or directory\n`)
          .join(''),
        code: 1,
      }
    },
  ],
  [
    'mkdir',
    (args, run) => {
      const { options, paths } = split(args, /^-p$/)
      for (const path of paths) run.files.makeDirectory(path, options !== '')
      run.changed()
      return {}
    },
  ],
  [
    'mv',
    (args, run) => {
      const [from = '', to = '', ...more] = split(args, /^-f$/).paths
      const content = run.files.read(from)
      if (more.length > 0 || to === '' || run.files.there(to) === 'directory')
        throw new OutsideSubset('mv')
      if (content === undefined)
        return { error: `mv: can't rename '${from}': No such file or directory\n`, code: 1 }
      run.files.remove(from)
      run.write(to, content, false)
      return {}
    },
  ],
])

function outside(what: string): never {
  throw new OutsideSubset(what)
}
