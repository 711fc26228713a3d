/** Parses flags as kubectl does: they may be anywhere, `--` ends them, short flags combine. */
import { append } from '../engine/core/lists'
import { type Command, type Flag, FlagValues, parseDuration } from './command'
import { CommandError, UsageError } from './errors'

export interface ReadFlags {
  args: string[]
  beforeDashes: number | undefined
  flags: FlagValues
}

/**
 * @param path `kubectl get`
 * @throws UsageError for unknown or invalid flags; CommandError for unavailable ones
 */
export function readFlags(
  command: Pick<Command, 'flags'>,
  globals: readonly Flag[],
  words: readonly string[],
  path: string,
): ReadFlags {
  const reader = new FlagReader([...command.flags, ...globals], words, path)
  return reader.read()
}

class FlagReader {
  private readonly byName: ReadonlyMap<string, Flag>
  private readonly byShort: ReadonlyMap<string, Flag>
  private readonly given = new Map<string, string[]>()
  private at = 0

  constructor(
    flags: readonly Flag[],
    private readonly words: readonly string[],
    private readonly path: string,
  ) {
    // A flag of the command overrides a common one.
    const own = [...flags].reverse()
    this.byName = new Map(own.map((flag) => [flag.name, flag]))
    this.byShort = new Map(
      own.flatMap((flag) => (flag.short === undefined ? [] : [[flag.short, flag]])),
    )
  }

  read(): ReadFlags {
    const args: string[] = []
    let beforeDashes: number | undefined
    while (this.at < this.words.length) {
      const word = this.words[this.at++] as string
      if (word === '--') {
        beforeDashes = args.length
        append(args, this.words.slice(this.at))
        break
      }
      if (word.startsWith('--')) this.long(word.slice(2))
      else if (word.startsWith('-') && word.length > 1) this.short(word.slice(1))
      else args.push(word)
    }
    return { args, beforeDashes, flags: new FlagValues(this.byName, this.given) }
  }

  private long(text: string): void {
    const [name = '', ...rest] = text.split('=')
    if (name === '' || name.startsWith('-')) throw this.wrong(`bad flag syntax: --${text}`)
    const flag = this.byName.get(name)
    if (flag === undefined) throw this.wrong(`unknown flag: --${name}`)
    this.take(
      flag,
      text.includes('=') ? rest.join('=') : (this.bare(flag) ?? this.next(`--${name}`)),
    )
  }

  /** `-Aw`, `-oyaml`, `-o=yaml`, `-o yaml` */
  private short(letters: string): void {
    for (let rest = letters; rest !== ''; ) {
      const letter = rest[0] as string
      const flag = this.byShort.get(letter)
      if (flag === undefined) throw this.wrong(`unknown shorthand flag: '${letter}' in -${rest}`)
      const bare = this.bare(flag)
      const value = rest.slice(1)
      if (value.startsWith('=')) this.take(flag, value.slice(1))
      else if (bare !== undefined) this.take(flag, bare)
      else this.take(flag, value === '' ? this.next(`'${letter}' in -${rest}`) : value)
      rest = bare === undefined || value.startsWith('=') ? '' : value
    }
  }

  private bare({ type, bare }: Flag): string | undefined {
    return bare ?? (type === 'on' ? 'true' : undefined)
  }

  private next(shown: string): string {
    const word = this.words[this.at++]
    if (word === undefined) throw this.wrong(`flag needs an argument: ${shown}`)
    return word
  }

  private take(flag: Flag, text: string): void {
    if (flag.unavailable !== undefined)
      throw new CommandError(`--${flag.name} is not available here: ${flag.unavailable}`)
    const problem = PROBLEMS[flag.type]?.(text)
    if (problem)
      throw this.wrong(
        `invalid argument ${JSON.stringify(text)} for "${shownName(flag)}" flag: ${problem}`,
      )
    const value = flag.type === 'on' ? String(TRUE.has(text)) : text
    const values = this.given.get(flag.name)
    if (values === undefined) this.given.set(flag.name, [value])
    else values.push(value)
  }

  private wrong(message: string): UsageError {
    return new UsageError(message, this.path)
  }
}

const shownName = ({ name, short }: Flag): string =>
  short === undefined ? `--${name}` : `-${short}, --${name}`

const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False'])

/** Messages of Go's parsers. */
const PROBLEMS: Partial<Record<Flag['type'], (text: string) => string | undefined>> = {
  on: (text) =>
    TRUE.has(text) || FALSE.has(text)
      ? undefined
      : `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`,
  number: (text) =>
    /^[+-]?\d+$/.test(text)
      ? undefined
      : `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`,
  duration: (text) => (parseDuration(text) === undefined ? durationProblem(text) : undefined),
}

function durationProblem(text: string): string {
  if (/^[+-]?\d+(\.\d*)?$/.test(text))
    return `time: missing unit in duration ${JSON.stringify(text)}`
  const unit = /^[+-]?(?:[\d.]+(?:h|ms|m|s|us|µs|ns))*[\d.]+([^\d.]+)/.exec(text)?.[1]
  return unit === undefined
    ? `time: invalid duration ${JSON.stringify(text)}`
    : `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`
}
