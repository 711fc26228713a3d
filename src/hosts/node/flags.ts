/** Parses the command line of the headless server. */
import { entryOf, setMember } from '../../engine/core/object'
import type { FlagType, FlagValue } from './flag'
import { FLAGS } from './flag-table'
import { flagWithoutEffect } from './flags-without-effect'

export type Flags = {
  [Name in keyof typeof FLAGS]:
    | FlagValue[(typeof FLAGS)[Name]['type']]
    | Extract<(typeof FLAGS)[Name]['default'], undefined>
}

/** An invalid command line; the message names the flag. */
export class FlagError extends Error {}

/** `--name` or `--name=value`; `-v` is the only flag of one letter. */
const FLAG = /^(?:--([^=]+)|-(v))(?:=(.*))?$/s

/**
 * Reads `--flag=value`, `--flag value` and, for booleans, `--flag`.
 * @param defaults override the defaults of the table
 * @param remark receives a warning for each flag without effect
 * @throws FlagError for an unknown flag, a missing or invalid value, or an argument that is not a
 *   flag
 */
export function parseFlags(
  args: string[],
  defaults: Partial<Flags> = {},
  remark: (text: string) => void = () => {},
): Flags {
  const values: Record<string, FlagValue[FlagType] | undefined> = {
    ...Object.fromEntries(Object.entries(FLAGS).map(([name, { default: value }]) => [name, value])),
    ...defaults,
  }
  const given = new Set<string>()
  for (let i = 0; i < args.length; i++) {
    // An unset variable in a script leaves an empty argument; kube-apiserver ignores it too.
    if (args[i] === '') continue
    const [, long, short, inline] = FLAG.exec(args[i] as string) ?? []
    const name = long ?? short ?? ''
    if (name === '') throw new FlagError(`unexpected argument: ${args[i]}`)
    const idle = flagWithoutEffect(name)
    if (idle === undefined && !Object.hasOwn(FLAGS, name))
      throw new FlagError(`unknown flag: --${name}`)
    const { type } =
      idle === undefined
        ? FLAGS[name as keyof Flags]
        : { type: idle.alone ? ('boolean' as const) : ('string' as const) }
    const text = inline ?? (type === 'boolean' ? 'true' : args[++i])
    if (text === undefined) throw new FlagError(`flag needs an argument: --${name}`)
    const value = READERS[type](text)
    if (value === undefined)
      throw new FlagError(`invalid argument ${JSON.stringify(text)} for "--${name}" flag`)
    if (idle !== undefined) {
      remark(`--${name} has no effect here: ${idle.why}`)
      continue
    }
    const repeated = type === 'strings' && given.has(name)
    setMember(
      values,
      name,
      repeated ? [...(entryOf(values, name) as string[]), ...(value as string[])] : value,
    )
    given.add(name)
  }
  for (const [name, { default: only, fixed: isFixed }] of Object.entries(FLAGS)) {
    const value = entryOf(values, name)
    if (isFixed && String(value) !== String(only))
      throw new FlagError(`--${name}=${value} is not supported, only --${name}=${only}`)
  }
  return values as Flags
}

/** Each returns undefined for an invalid text. */
const READERS: { [T in FlagType]: (text: string) => FlagValue[T] | undefined } = {
  string: (text) => text,
  strings: (text) => (text === '' ? [] : text.split(',')),
  boolean: (text) =>
    /^(1|t|true)$/i.test(text) ? true : /^(0|f|false)$/i.test(text) ? false : undefined,
  onOff: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
  int: (text) => (/^-?\d+$/.test(text) ? Number(text) : undefined),
  float: (text) =>
    /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : undefined,
  duration: parseDuration,
}

const UNIT_MILLISECONDS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}

/** `1h2m3.5s` in milliseconds; undefined if the text is not a duration. */
function parseDuration(text: string): number | undefined {
  if (text === '0') return 0
  if (!/^([\d.]+(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/gy))
    total += Number(amount) * (entryOf(UNIT_MILLISECONDS, unit as string) as number)
  return Number.isNaN(total) ? undefined : total
}
