/** Runs scripted and interpreted commands in a simulated container. */
import { type ExecOutput, matchesText } from './behavior'
import type { Outcome } from './script/command'
import type { Surroundings } from './script/course'
import type { Changes, OutsideChange, Write } from './script/entries'
import { follow } from './script/interpreter'
import { OutsideSubset } from './script/syntax'
import { WithoutInput } from './script/words'

export interface ExecResult {
  output: string
  error: string
  code: number
  /** Whether the result of the command is unknown. */
  unknown?: boolean
  /** Whether it is unknown because the command reads standard input. */
  readsInput?: boolean
  /** Duration in seconds; undefined if it runs forever. */
  seconds?: number
}

/** The context in which a command runs. */
export interface ExecContext {
  container: string
  surroundings: Surroundings
  /** The current files of the container's program, and what others changed since. */
  readonly files?: Changes | undefined
  readonly outside?: readonly OutsideChange[]
  readonly now: number
  /** Drops what was loaded for an earlier command. */
  reload?(): void
  /** Loads what the last command lacked; undefined if it lacked nothing that can be loaded. */
  missing?(): Promise<void> | undefined
  /** Keeps what the command has written. */
  keep?(writes: readonly Write[]): void
  /** The standard input; absent: none is provided. */
  input?: string
  outputs: readonly ExecOutput[]
}

/** Whether the command is a shell that reads commands from standard input. */
export const isShell = (command: readonly string[]): boolean =>
  command.length === 1 && /^(?:\/bin\/)?(?:ba|a)?sh$/.test(command[0] ?? '')

/** Whether the command prints its input. */
export const isCat = (command: readonly string[]): boolean =>
  /^(?:\/bin\/)?cat(?: -)?$/.test(command.join(' '))

/** Whether the result of the command is scripted. */
export const isScripted = (command: readonly string[], context: ExecContext): boolean =>
  scriptedOutcome(command, context) !== undefined

/** @param command a program and its arguments */
export function run(command: readonly string[], context: ExecContext): ExecResult {
  const scripted = scriptedOutcome(command, context)
  if (scripted)
    return { output: scripted.output ?? '', error: scripted.error ?? '', code: scripted.code ?? 0 }
  let unknown = false as boolean
  try {
    const { lines, seconds, code, writes, waitsUntil } = follow(command, {
      ...context.surroundings,
      now: context.now,
      scripted: (words) => scriptedOutcome(words, context),
      unknown(words) {
        unknown = true
        return unscripted(words, context)
      },
      ...(context.files && { files: context.files }),
      outside: context.outside ?? [],
      ...(context.input !== undefined && { input: context.input }),
    })
    if (waitsUntil !== undefined) return unscripted(command, context)
    context.keep?.(writes)
    const printed = (wanted: boolean) =>
      lines.flatMap(({ isError, text }) => (isError === wanted ? [text] : [])).join('')
    return {
      output: printed(false),
      error: printed(true),
      code,
      seconds: seconds ?? Number.POSITIVE_INFINITY,
      unknown,
    }
  } catch (error) {
    if (!(error instanceof OutsideSubset)) throw error
    return { ...unscripted(command, context), readsInput: error instanceof WithoutInput }
  }
}

function unscripted(command: readonly string[], { container }: ExecContext): ExecResult {
  const error = `${command.join(' ')}: no output is scripted for this command (container ${container} is simulated)\n`
  return { output: '', error, code: 127, unknown: true }
}

function scriptedOutcome(
  command: readonly string[],
  { outputs }: ExecContext,
): Outcome | undefined {
  const whole = command.join(' ')
  const scripted = outputs.find((scripted) => matchesText(scripted.command, whole))
  return (
    scripted && {
      output: ended(scripted.output),
      error: ended(scripted.error),
      code: scripted.code ?? 0,
    }
  )
}

/** Runs lines of a shell script. */
export const runScript = (script: string, context: ExecContext): ExecResult =>
  script.trim() === '' ? NOTHING : run(['sh', '-c', script], context)

const NOTHING: ExecResult = { output: '', error: '', code: 0 }

const ended = (text = ''): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** How often a command runs again because it lacked something, such as a response. */
const MOST_RUNS = 50

/**
 * Runs a command. If it lacks a token or the network, these are loaded, and the command runs from
 * its start again; its earlier run has had no effect.
 * @param execute runs the command
 * @param done gets the result, at once if nothing is lacking
 */
export function runLoading(
  execute: () => ExecResult,
  context: ExecContext,
  done: (result: ExecResult) => void,
): void {
  context.reload?.()
  const attempt = (left: number): void => {
    const result = execute()
    const loading = result.unknown && left > 0 ? context.missing?.() : undefined
    if (loading === undefined) done(result)
    else void loading.then(() => attempt(left - 1))
  }
  attempt(MOST_RUNS)
}
