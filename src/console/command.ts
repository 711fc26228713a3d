/** Commands as data for help, completion and the parser. */
import { entryOf } from '../engine/core/object'
import type { ApiClient } from './client'
import type { Discovery } from './discovery'
import type { ConsoleClock, Contexts, Host } from './environment'
import { CommandError } from './errors'

/**
 * `on` needs no value; `list` is comma-separated and repeatable; `texts` is repeatable without
 * splitting.
 */
export type FlagType = 'text' | 'on' | 'number' | 'duration' | 'list' | 'texts'

export interface Flag {
  /** Without dashes. */
  name: string
  short?: string
  type: FlagType
  default?: string
  /** The value without `=`: `--dry-run`. */
  bare?: string
  /** Absent for unavailable flags. */
  about?: string
  /** For completion. */
  values?: readonly string[] | 'namespaces' | 'files' | 'contexts'
  /** Why the console lacks the flag, for the error and the help. */
  unavailable?: string
}

export interface Command {
  name: string
  aliases?: readonly string[]
  /** One sentence. */
  summary: string
  /** Usage after `kubectl`: `get TYPE [NAME ...] [flags]`. */
  usage: string
  examples: readonly Example[]
  flags: readonly Flag[]
  /** Subcommands (`auth can-i`); the command then has no `run`. */
  commands?: readonly Command[]
  /** The kind of its arguments, for completion. */
  completes?: ArgumentKind
  /** Values of the first argument, for completion. */
  words?: readonly string[]
  run?(context: Context, invocation: Invocation): Promise<number>
}

export interface Example {
  line: string
  about: string
}

/** `objects`: a type, then names; `types`: only types; `fields`: a type and fields. */
export type ArgumentKind =
  | 'objects'
  | 'types'
  | 'fields'
  | 'pods'
  | 'nodes'
  | 'contexts'
  | 'commands'

/** A parsed command line. */
export interface Invocation {
  command: Command
  /** `kubectl auth can-i` */
  path: string
  args: readonly string[]
  /** undefined without `--`. */
  beforeDashes: number | undefined
  flags: FlagValues
}

export interface Context {
  client: ApiClient
  discovery: Discovery
  host: Host
  clock: ConsoleClock
  contexts: Contexts
  namespace: string
  /** Whether `-n` is set. */
  namespaceGiven: boolean
  /** undefined without a pipe. */
  input: AsyncIterable<string> | undefined
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  out(text: string): void
  err(text: string): void
}

/** Values of a command's flags, including defaults. */
export class FlagValues {
  constructor(
    private readonly known: ReadonlyMap<string, Flag>,
    private readonly given: ReadonlyMap<string, readonly string[]>,
  ) {}

  has(name: string): boolean {
    return this.given.has(name)
  }

  /** Empty if unset without a default. */
  text(name: string): string {
    return this.given.get(name)?.at(-1) ?? this.flag(name).default ?? ''
  }

  on(name: string): boolean {
    return this.text(name) === 'true'
  }

  number(name: string): number {
    return Number(this.text(name))
  }

  /** In milliseconds. */
  duration(name: string): number {
    return parseDuration(this.text(name) || '0') ?? 0
  }

  list(name: string): string[] {
    const { type, default: byDefault } = this.flag(name)
    const values = this.given.get(name) ?? (byDefault === undefined ? [] : [byDefault])
    return type === 'list'
      ? values.flatMap((value) => (value === '' ? [] : value.split(',')))
      : [...values]
  }

  private flag(name: string): Flag {
    const flag = this.known.get(name)
    if (flag === undefined) throw new CommandError(`flag accessed but not defined: ${name}`)
    return flag
  }
}

const UNITS: Record<string, number> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 0.001,
  µs: 0.001,
  ns: 0.000001,
}

/** `1h30m`, `250ms`, `-1s` -> milliseconds; undefined for other text. Only 0 needs no unit. */
export function parseDuration(text: string): number | undefined {
  const [, sign, rest = ''] = /^([+-]?)(.*)$/.exec(text) ?? []
  if (rest === '0') return 0
  const parts = [...rest.matchAll(/(\d+(?:\.\d*)?|\.\d+)(h|ms|m|s|us|µs|ns)/gy)]
  const length = parts.reduce((total, [part]) => total + part.length, 0)
  if (rest === '' || length !== rest.length) return undefined
  const total = parts.reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (entryOf(UNITS, unit as string) ?? 0),
    0,
  )
  return sign === '-' ? -total : total
}
