/** The command line of the headless server, read by its table. */
import { entryOf, setMember } from '../../engine/object'
import { FLAGS, type FlagValue, type Reader } from './flag-table'
import { flagWithoutEffect, withoutEffectHelp } from './flags-without-effect'

export type Flags = {
  [Name in keyof typeof FLAGS]:
    | FlagValue[(typeof FLAGS)[Name]['reads']]
    | Extract<(typeof FLAGS)[Name]['default'], undefined>
}

/** A command line that cannot be obeyed; the message names the flag. */
export class FlagError extends Error {}

/** `--name`, `--name=value`; of those with one letter there is but `-v`. */
const FLAG = /^(?:--([^=]+)|-(v))(?:=(.*))?$/s

/**
 * Reads `--flag=value`, `--flag value` and, for booleans, `--flag`.
 * @param defaults where they are others than the table's
 * @param remark told of flags of which nothing comes
 * @throws FlagError for an unknown flag, a missing, unreadable or unsupported value, or an argument that is no flag
 */
export function parseFlags(
  args: string[],
  defaults: Partial<Flags> = {},
  remark: (text: string) => void = () => {},
): Flags {
  const values: Record<string, FlagValue[Reader] | undefined> = {
    ...Object.fromEntries(Object.entries(FLAGS).map(([name, { default: value }]) => [name, value])),
    ...defaults,
  }
  const given = new Set<string>()
  for (let i = 0; i < args.length; i++) {
    // Scripts that leave a variable out leave an empty argument behind, and the real server takes it for none.
    if (args[i] === '') continue
    const [, long, short, inline] = FLAG.exec(args[i] as string) ?? []
    const name = long ?? short ?? ''
    if (name === '') throw new FlagError(`unexpected argument: ${args[i]}`)
    const idle = flagWithoutEffect(name)
    if (idle === undefined && !Object.hasOwn(FLAGS, name))
      throw new FlagError(`unknown flag: --${name}`)
    const { reads } =
      idle === undefined
        ? FLAGS[name as keyof Flags]
        : { reads: idle.alone ? ('boolean' as const) : ('text' as const) }
    const text = inline ?? (reads === 'boolean' ? 'true' : args[++i])
    if (text === undefined) throw new FlagError(`flag needs an argument: --${name}`)
    const value = READERS[reads](text)
    if (value === undefined)
      throw new FlagError(`invalid argument ${JSON.stringify(text)} for "--${name}" flag`)
    if (idle !== undefined) {
      remark(`--${name} has no effect here: ${idle.why}`)
      continue
    }
    const repeated = reads === 'list' && given.has(name)
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

/** undefined: the text is not of this form. */
const READERS: { [R in Reader]: (text: string) => FlagValue[R] | undefined } = {
  text: (text) => text,
  list: (text) => (text === '' ? [] : text.split(',')),
  boolean: (text) =>
    /^(1|t|true)$/i.test(text) ? true : /^(0|f|false)$/i.test(text) ? false : undefined,
  switch: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
  number: (text) => (/^-?\d+$/.test(text) ? Number(text) : undefined),
  fraction: (text) =>
    /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : undefined,
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

/** `1h2m3.5s` in milliseconds; undefined if it is no duration. */
function parseDuration(text: string): number | undefined {
  if (text === '0') return 0
  if (!/^([\d.]+(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined
  let total = 0
  for (const [, amount, unit] of text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g))
    total += Number(amount) * (entryOf(UNIT_MILLISECONDS, unit as string) as number)
  return Number.isNaN(total) ? undefined : total
}

/** The help text: one line a flag. */
export function usage(): string {
  const lines = Object.entries(FLAGS).map(([name, { default: value, help }]) => {
    const shown = Array.isArray(value) ? value.join(',') : String(value ?? '')
    return `  --${name.padEnd(45)} ${help}${shown === '' ? '' : ` (default ${shown})`}`
  })
  return `usage: kubetab [flags]   (in its repository: npm run serve -- [flags])\n\n${lines.join('\n')}\n\ntaken, but without effect:\n\n${withoutEffectHelp()
    .map((line) => `  ${line}`)
    .join('\n')}`
}
