/** Programs that use memory: `stress`, and `dd` with its block. */
// cspell:ignore conv bckmg
import type { Builtin, ScriptState } from '../command'
import { OutsideSubset } from '../words'

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['c', 1],
  ['k', 1024],
  ['m', 1024 ** 2],
  ['g', 1024 ** 3],
])

/** `250M` as bytes. @throws OutsideSubset */
function bytesIn(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,12})([bckmg]?)$/i.exec(text) ?? []
  const size = UNITS.get(unit.toLowerCase())
  if (amount === undefined || size === undefined) throw new OutsideSubset(text)
  return Number(amount) * size
}

const SECONDS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
])

function secondsIn(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? []
  const size = SECONDS.get(unit)
  if (amount === undefined || size === undefined) throw new OutsideSubset(text)
  return Number(amount) * size
}

/** Options of stress(1) with a value, and their long names. */
const OPTIONS: ReadonlyMap<string, string> = new Map([
  ['-m', 'vm'],
  ['-c', 'cpu'],
  ['-i', 'io'],
  ['-d', 'hdd'],
  ['-t', 'timeout'],
])
const VALUES = new Set(['vm', 'cpu', 'io', 'hdd', 'timeout', 'vm-bytes', 'vm-hang', 'vm-stride'])
const DEFAULT_BYTES = 256 * 1024 ** 2

/** Waits, or allocates memory in each of its workers. */
const stress: Builtin = (args, state) => {
  const values = new Map<string, string>()
  for (let at = 0; at < args.length; at++) {
    const [word = '', ...given] = (args[at] ?? '').split('=')
    const name = OPTIONS.get(word) ?? word.replace(/^--/, '')
    if (name === 'vm-keep' || name === 'verbose' || word === '-v') continue
    if (!VALUES.has(name)) throw new OutsideSubset(`stress ${word}`)
    values.set(name, given.length > 0 ? given.join('=') : (args[++at] ?? ''))
  }
  const count = (name: string) => Number(values.get(name) ?? 0)
  const [cpu, io, vm, hdd] = [count('cpu'), count('io'), count('vm'), count('hdd')]
  state.print(
    `stress: info: [1] dispatching hogs: ${cpu} cpu, ${io} io, ${vm} vm, ${hdd} hdd\n`,
    false,
  )
  const bytes = values.get('vm-bytes')
  state.allocate(vm * (bytes === undefined ? DEFAULT_BYTES : bytesIn(bytes)))
  const limit = values.get('timeout')
  if (limit === undefined) return state.wait()
  const seconds = secondsIn(limit)
  state.sleep(seconds)
  return { output: `stress: info: [1] successful run completed in ${seconds}s\n` }
}

/** Copies blocks; only zeros and files that fit are simulated. */
const dd: Builtin = (args, state) => {
  const values = new Map(
    args.map((word): [string, string] => {
      const at = word.indexOf('=')
      return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)]
    }),
  )
  for (const name of values.keys())
    if (!['if', 'of', 'bs', 'count', 'conv', 'status'].includes(name))
      throw new OutsideSubset(`dd ${name}`)
  const block = bytesIn(values.get('bs') ?? '512')
  const count = values.get('count')
  const source = values.get('if')
  const target = values.get('of')
  state.allocate(block)
  if (source === '/dev/zero' && count === undefined) {
    if (target === '/dev/null') return state.wait()
    throw new OutsideSubset('dd without count')
  }
  const size = count === undefined ? Number.POSITIVE_INFINITY : block * Number(count)
  const text = textOf(source, size, state, target === '/dev/null')
  const read = text ?? size
  const length = typeof read === 'number' ? read : read.length
  const blocks = Math.floor(length / block)
  const rest = length % block === 0 ? 0 : 1
  const error = `${blocks}+${rest} records in\n${blocks}+${rest} records out\n`
  if (target === undefined) return { output: text ?? '', error }
  if (target !== '/dev/null') state.write(target, text ?? '', false)
  return { error }
}

/** Zeros beyond this are not simulated as contents. */
const MOST_ZEROS = 65_536

/** @returns undefined for zeros that are dropped */
function textOf(
  source: string | undefined,
  size: number,
  state: ScriptState,
  isDropped: boolean,
): string | undefined {
  if (source === '/dev/zero') {
    if (isDropped) return undefined
    if (size > MOST_ZEROS) throw new OutsideSubset('a large file')
    return '\0'.repeat(size)
  }
  const text = source === undefined ? state.readInput() : state.files.read(source)
  if (text === undefined) throw new OutsideSubset('dd')
  return text.slice(0, Number.isFinite(size) ? size : undefined)
}

export const RESOURCE_COMMANDS: readonly (readonly [string, Builtin])[] = [
  ['stress', stress],
  ['dd', dd],
]
