/** What a subcommand of `kubetab` is: a value with its options, its help and its work. */
import { entryOf } from '../engine/core/object'

export interface Option {
  type: 'string' | 'boolean'
  /** May be given several times. */
  multiple?: boolean
  default?: string | boolean
  /** Of the value, in the help: `FILE`. */
  value?: string
  help: string
}

export interface Given {
  options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>
  positionals: readonly string[]
}

/** Where a command reads and writes, so that tests need no process. */
export interface Terminal {
  write(text: string): void
  /** Progress, warnings and errors. */
  writeError(text: string): void
  readInput(): string
}

/** 0: nothing to report. 1: something to report. 2: the command could not do its work. */
export type ExitStatus = 0 | 1 | 2

export interface Command {
  name: string
  /** One line, in the list of commands. */
  summary: string
  /** After the name: `PATH... [flags]`. */
  usage: string
  description: string
  examples: readonly { comment: string; line: string }[]
  exit: Readonly<Record<ExitStatus, string>>
  options: Readonly<Record<string, Option>>
  run(given: Given, terminal: Terminal): Promise<ExitStatus>
}

/** An invalid command line; the message has the error and the possible values. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A file or server that cannot be read; the message names it and the reason. */
export class InputError extends Error {
  override readonly name = 'InputError'
}

export function textOption({ options }: Given, name: string): string | undefined {
  const value = entryOf(options, name)
  return typeof value === 'string' ? value : undefined
}

export function textOptions({ options }: Given, name: string): string[] {
  const value = entryOf(options, name)
  return (Array.isArray(value) ? value : [value]).filter(
    (one): one is string => typeof one === 'string',
  )
}

/** @throws UsageError unless the value is one of the given */
export function choiceOption<Choice extends string>(
  given: Given,
  name: string,
  choices: readonly Choice[],
): Choice {
  const value = textOption(given, name)
  const choice = choices.find((one) => one === value)
  if (choice === undefined)
    throw new UsageError(`--${name}: "${value ?? ''}" is none of ${choices.join(', ')}`)
  return choice
}
