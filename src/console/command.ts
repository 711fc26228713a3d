/** A command is a value: what it is called, what flags it takes, what it does. The help, the completion and the parser read it. */
import { entryOf } from '../engine/core/object'
import type { ApiClient } from './client'
import type { Discovery } from './discovery'
import type { ConsoleClock, Contexts, Host } from './environment'
import { CommandError } from './errors'

/**
 * How a flag's value is read. `on` needs none; `list` is divided at commas and may be given several times; `texts` may be given
 * several times and is taken as it is.
 */
export type FlagType = 'text' | 'on' | 'number' | 'duration' | 'list' | 'texts'

export interface Flag {
  /** Without its dashes. */
  name: string
  short?: string
  type: FlagType
  default?: string
  /** The value that the flag has when it is given without one: `--dry-run`. */
  bare?: string
  /** Absent from flags that are unavailable. */
  about?: string
  /** Values for completion. */
  values?: readonly string[] | 'namespaces' | 'files' | 'contexts'
  /** Why the console lacks this flag, for the error and the help. */
  unavailable?: string
}

export interface Command {
  name: string
  aliases?: readonly string[]
  /** One sentence. */
  summary: string
  /** What follows `kubectl`: `get TYPE [NAME ...] [flags]`. */
  usage: string
  examples: readonly Example[]
  flags: readonly Flag[]
  /** Commands below this one (`auth can-i`); then it has no `run` of its own. */
  commands?: readonly Command[]
  /** What its arguments are, for completion. */
  completes?: ArgumentKind
  /** Values of its first argument, for completion. */
  words?: readonly string[]
  run?(context: Context, invocation: Invocation): Promise<number>
}

export interface Example {
  line: string
  about: string
}

/** `objects`: a type, then names; `types`: types alone; `fields`: a type and fields below it. */
export type ArgumentKind =
  | 'objects'
  | 'types'
  | 'fields'
  | 'pods'
  | 'nodes'
  | 'contexts'
  | 'commands'

/** A command line, read. */
export interface Invocation {
  command: Command
  /** `kubectl auth can-i` */
  path: string
  args: readonly string[]
  /** The number of arguments before `--`; undefined without `--`. */
  beforeDashes: number | undefined
  flags: FlagValues
}

/** What a command works with. */
export interface Context {
  client: ApiClient
  discovery: Discovery
  host: Host
  clock: ConsoleClock
  contexts: Contexts
  /** `-n`, or the context's. */
  namespace: string
  /** Whether `-n` was given. */
  namespaceGiven: boolean
  /** What a pipe sends; undefined if nothing does. */
  input: AsyncIterable<string> | undefined
  /** Aborts by Ctrl-C. */
  signal: AbortSignal
  out(text: string): void
  err(text: string): void
}

/** Values of all flags a command knows, given or by default. */
export class FlagValues {
  constructor(
    private readonly known: ReadonlyMap<string, Flag>,
    private readonly given: ReadonlyMap<string, readonly string[]>,
  ) {}

  /** Whether the line gives it. */
  has(name: string): boolean {
    return this.given.has(name)
  }

  /** Empty if it is neither given nor has a default. */
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

  /** All values of a flag that may be given several times. */
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

/** `1h30m`, `250ms`, `-1s` -> milliseconds; undefined for what is none. A number without a unit is one only if it is 0. */
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
