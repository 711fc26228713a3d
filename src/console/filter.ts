/** The type of pipe filters, and their argument parsing. */
import type { Command } from './command'
import type { Host } from './environment'
import { CommandError } from './errors'
import { readFlags } from './flags'

export interface FilterStreams {
  /** undefined without a pipe. */
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
  /** @returns the exit code @throws Error, prefixed with the filter's name */
  run(words: readonly string[], streams: FilterStreams): Promise<number>
}

/** Flags without a value, and flags with one. */
interface Letters {
  alone?: string
  valued?: string
}

export interface Read {
  has(letter: string): boolean
  value(letter: string): string
  /** All values of a repeated letter. */
  values(letter: string): readonly string[]
  args: readonly string[]
}

/** @throws CommandError that lists the supported letters */
export function lettersOf(
  name: string,
  { alone = '', valued = '' }: Letters,
  words: readonly string[],
): Read {
  const flags: Command['flags'] = [
    ...[...alone].map((short) => ({
      name: `letter-${short}`,
      short,
      type: 'on' as const,
      about: '',
    })),
    ...[...valued].map((short) => ({
      name: `letter-${short}`,
      short,
      type: 'texts' as const,
      about: '',
    })),
  ]
  try {
    const { args, flags: values } = readFlags({ flags }, [], words, name)
    return {
      args,
      has: (letter) => values.has(`letter-${letter}`),
      value: (letter) => values.list(`letter-${letter}`).at(-1) ?? '',
      values: (letter) => values.list(`letter-${letter}`),
    }
  } catch (error) {
    throw error instanceof CommandError
      ? new CommandError(
          `${error.message} (it knows ${[...alone, ...valued].map((one) => `-${one}`).join(' ')})`,
          2,
        )
      : error
  }
}

export function piped({ input }: FilterStreams): AsyncIterable<string> {
  if (input === undefined) throw new CommandError('nothing is piped in')
  return input
}
