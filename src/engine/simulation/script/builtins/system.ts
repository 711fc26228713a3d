/** Commands about the system, time, numbers and the environment, as in busybox. */
// Letters of options. cspell:ignore sdiuxcb
import { entryOf } from '../../../core/object'
import { dateText, formattedDate } from '../../log-lines'
import type { Builtin, ScriptState } from '../command'
import { ownerName } from '../listing'
import { optionsOf } from '../options'
import { OutsideSubset } from '../words'

const UNITS: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }
const MOST_ITEMS = 1000
/** Lines of `yes` before its reader has to end it. */
const MOST_LINES = 1000
const KERNEL = '6.1.0-simulated'

function secondsOf(word: string): number {
  const found = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(word)
  if (found) return Number(found[1]) * (entryOf(UNITS, found[2] ?? '') ?? 1)
  if (/^inf(?:inity)?$/.test(word)) return Number.POSITIVE_INFINITY
  throw new OutsideSubset(word)
}

const environment = ({ variables, exported }: ScriptState): string =>
  [...variables]
    .flatMap(([name, value]) => (exported.has(name) ? [`${name}=${value}\n`] : []))
    .join('')

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['\\', '\\'],
  ['"', '"'],
  ['e', '\u001b'],
])

/** Escapes of `echo -e` and `printf`. */
const unescaped = (text: string): string =>
  text.replace(/\\(0?[0-7]{3}|x[0-9a-fA-F]{2}|.)/g, (whole, code: string) => {
    if (/^[0-7]{3,4}$/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 255)
    if (code.startsWith('x') && code.length > 1)
      return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return ESCAPES.get(code) ?? whole
  })

/** Repeats the format while there are values, as POSIX requires. */
function printed([format = '', ...values]: readonly string[], run: ScriptState): string {
  const text = unescaped(format)
  const output: string[] = []
  let at = 0
  do {
    run.step()
    const start = at
    output.push(
      text.replace(
        /%([-0]?)(\d{0,3})(?:\.\d+)?(.)/g,
        (_, flag: string, width: string, kind: string) => {
          if (kind === '%') return '%'
          if (!'sdiuxcb'.includes(kind)) throw new OutsideSubset('printf')
          const value = values[at++] ?? ''
          const size = Number(width || 0)
          const shown = shownAs(kind, value)
          if (flag === '-') return shown.padEnd(size)
          return shown.padStart(size, flag === '0' ? '0' : ' ')
        },
      ),
    )
    if (at === start) break
  } while (at < values.length)
  return output.join('')
}

function shownAs(kind: string, value: string): string {
  if (kind === 's') return value
  if (kind === 'b') return unescaped(value)
  if (kind === 'c') return value.slice(0, 1)
  const number = Math.trunc(Number(value || 0))
  if (!Number.isSafeInteger(number)) throw new OutsideSubset('printf')
  return kind === 'x' ? number.toString(16) : String(number)
}

function sequence(args: readonly string[]): string {
  const isJoined = args[0] === '-s'
  const separator = isJoined ? (args[1] ?? '') : '\n'
  const numbers = (isJoined ? args.slice(2) : args).map(Number)
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
  const items = Array.from({ length: Math.max(0, count) }, (_, index) => `${from + index * step}`)
  return items.length === 0 ? '' : `${items.join(separator)}\n`
}

const date: Builtin = (args, { around, time }) => {
  const words = args.filter((word) => word !== '-u' && word !== '--utc')
  const [format] = words
  if (words.length > 1 || (format !== undefined && !format.startsWith('+')))
    throw new OutsideSubset('date')
  if (format === undefined)
    return {
      output: `${around.now === undefined ? '{date}' : dateText(around.now + time * 1000)}\n`,
    }
  const pattern = format.slice(1)
  if (around.now !== undefined)
    return { output: `${formattedDate(pattern, around.now + time * 1000)}\n` }
  if (/[{}]/.test(pattern)) throw new OutsideSubset('date')
  return { output: `{date:${pattern}}\n` }
}

const uname: Builtin = ([option = '-s'], { around }) => {
  const values: Readonly<Record<string, string>> = {
    '-s': 'Linux',
    '-n': around.hostname,
    '-r': KERNEL,
    '-m': 'x86_64',
    '-a': `Linux ${around.hostname} ${KERNEL} #1 SMP x86_64 GNU/Linux`,
  }
  const value = entryOf(values, option)
  if (value === undefined) throw new OutsideSubset('uname')
  return { output: `${value}\n` }
}

const id: Builtin = (args, { files: { identity } }) => {
  const { user, group } = identity
  const groups = [...new Set([group, ...identity.groups])]
  const options = optionsOf(args, 'ugGn')
  const shown = (one: number) => (options.has('n') ? ownerName(one) : String(one))
  if (options.has('u')) return { output: `${shown(user)}\n` }
  if (options.has('g')) return { output: `${shown(group)}\n` }
  if (options.has('G')) return { output: `${groups.map(shown).join(' ')}\n` }
  const named = (one: number) => (one === 0 ? '0(root)' : String(one))
  return {
    output: `uid=${named(user)} gid=${named(group)} groups=${groups.map(named).join(',')}\n`,
  }
}

const whoami: Builtin = (_, { files: { identity } }) =>
  identity.user === 0
    ? { output: 'root\n' }
    : { error: `whoami: unknown uid ${identity.user}\n`, code: 1 }

const expr: Builtin = (args) => {
  const [left = '', operator = '', right = ''] = args
  if (args.length === 1) return { output: `${left}\n`, code: left === '' || left === '0' ? 1 : 0 }
  if (args.length !== 3) throw new OutsideSubset('expr')
  const [a, b] = [Number(left), Number(right)]
  const areNumbers = Number.isSafeInteger(a) && Number.isSafeInteger(b)
  const compare = (isLess: boolean, isEqual: boolean) => {
    if (operator === '=') return isEqual
    if (operator === '!=') return !isEqual
    if (operator === '<') return isLess
    if (operator === '<=') return isLess || isEqual
    if (operator === '>') return !isLess && !isEqual
    return operator === '>=' ? !isLess : undefined
  }
  const compared = areNumbers ? compare(a < b, a === b) : compare(left < right, left === right)
  if (compared !== undefined) return { output: `${Number(compared)}\n`, code: compared ? 0 : 1 }
  if (!areNumbers) return { error: 'expr: non-numeric argument\n', code: 2 }
  if ((operator === '/' || operator === '%') && b === 0)
    return { error: 'expr: division by zero\n', code: 2 }
  const results: Readonly<Record<string, number>> = {
    '+': a + b,
    '-': a - b,
    '*': a * b,
    '/': Math.trunc(a / b),
    '%': a % b,
  }
  const value = entryOf(results, operator)
  if (value === undefined || !Number.isSafeInteger(value)) throw new OutsideSubset('expr')
  return { output: `${value}\n`, code: value === 0 ? 1 : 0 }
}

const which: Builtin = (args, { files }) => {
  const found = args.flatMap((name) => {
    const place = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'].find(
      (directory) => files.there(`${directory}/${name}`) === 'file',
    )
    return place === undefined ? [] : [`${place}/${name}\n`]
  })
  return { output: found.join(''), code: found.length < args.length ? 1 : 0 }
}

const env: Builtin = (args, run) => {
  if (args.length === 0) return { output: environment(run) }
  const at = args.findIndex((word) => !word.includes('='))
  if (at !== 0 || args[0]?.startsWith('-')) throw new OutsideSubset('env')
  return run.run(args)
}

const timeout: Builtin = (args, run) => {
  const [limit = '', ...command] = args[0] === '-t' ? args.slice(1) : args
  const begin = run.time
  const outcome = run.run(command)
  if (run.time - begin > secondsOf(limit)) throw new OutsideSubset('timeout')
  return outcome
}

export const SYSTEM_COMMANDS: readonly (readonly [string, Builtin])[] = [
  ['true', () => ({})],
  [':', () => ({})],
  ['false', () => ({ code: 1 })],
  [
    'echo',
    (args) => {
      const at = args.findIndex((word) => !/^-[neE]+$/.test(word))
      const words = at < 0 ? [] : args.slice(at)
      const options = args.slice(0, at < 0 ? args.length : at).join('')
      const text = words.join(' ')
      return {
        output: `${options.includes('e') ? unescaped(text) : text}${options.includes('n') ? '' : '\n'}`,
      }
    },
  ],
  ['printf', (args, run) => ({ output: printed(args, run) })],
  ['seq', (args) => ({ output: sequence(args) })],
  [
    'sleep',
    (args, run) => {
      run.sleep(args.reduce((sum, word) => sum + secondsOf(word), 0))
      return {}
    },
  ],
  ['timeout', timeout],
  ['date', date],
  [
    'hostname',
    (args, { around }) => {
      if (args.some((word) => word !== '-s' && word !== '-f')) throw new OutsideSubset('hostname')
      return { output: `${around.hostname}\n` }
    },
  ],
  ['pwd', (_, { files }) => ({ output: `${files.directory}\n` })],
  ['whoami', whoami],
  ['id', id],
  ['uname', uname],
  ['nproc', () => ({ output: '4\n' })],
  ['arch', () => ({ output: 'x86_64\n' })],
  ['tty', () => ({ output: 'not a tty\n', code: 1 })],
  ['sync', () => ({})],
  ['expr', expr],
  ['which', which],
  ['command', (args, run) => (args[0] === '-v' ? which(args.slice(1), run) : run.run(args))],
  ['yes', (args) => ({ output: `${args.join(' ') || 'y'}\n`.repeat(MOST_LINES) })],
  ['env', env],
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
]
