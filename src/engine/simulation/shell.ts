/** Runs scripted and interpreted commands in a simulated container. */
import { type Answer, matchesText } from './behavior'
import { dateText } from './log-lines'
import type { Outcome } from './script/commands'
import { follow, type Surroundings } from './script/interpreter'
import { OutsideSubset } from './script/syntax'

export interface Said {
  output: string
  error: string
  code: number
  /** Whether the result of the command is unknown. */
  unknown?: boolean
  /** Duration in seconds; undefined if it runs forever. */
  seconds?: number
}

/** The context in which a command runs. */
export interface Place {
  container: string
  surroundings: Surroundings
  /** The current files of the container's program. */
  files?: ReadonlyMap<string, string | undefined> | undefined
  now: number
  answers: readonly Answer[]
}

/** Whether the command is a shell that reads commands from standard input. */
export const isShell = (command: readonly string[]): boolean =>
  command.length === 1 && /^(?:\/bin\/)?(?:ba|a)?sh$/.test(command[0] ?? '')

/** Whether the command prints its input. */
export const isCat = (command: readonly string[]): boolean =>
  /^(?:\/bin\/)?cat(?: -)?$/.test(command.join(' '))

/** Whether the result of the command is scripted. */
export const isScripted = (command: readonly string[], place: Place): boolean =>
  answerTo(command, place) !== undefined

/** @param command a program and its arguments */
export function run(command: readonly string[], place: Place): Said {
  const scripted = answerTo(command, place)
  if (scripted)
    return { output: scripted.output ?? '', error: scripted.error ?? '', code: scripted.code ?? 0 }
  let unknown = false as boolean
  try {
    const { lines, seconds, code } = follow(command, {
      ...place.surroundings,
      date: dateText(place.now),
      answer: (words) => answerTo(words, place),
      unknown(words) {
        unknown = true
        return unscripted(words, place)
      },
      ...(place.files && { left: place.files }),
    })
    const said = (wanted: boolean) =>
      lines.flatMap(({ isError, text }) => (isError === wanted ? [text] : [])).join('')
    return {
      output: said(false),
      error: said(true),
      code,
      seconds: seconds ?? Number.POSITIVE_INFINITY,
      unknown,
    }
  } catch (error) {
    if (!(error instanceof OutsideSubset)) throw error
    return unscripted(command, place)
  }
}

function unscripted(command: readonly string[], { container }: Place): Said {
  const error = `${command.join(' ')}: no answer is scripted for this command (container ${container} is simulated)\n`
  return { output: '', error, code: 127, unknown: true }
}

function answerTo(command: readonly string[], { answers }: Place): Outcome | undefined {
  const whole = command.join(' ')
  const answer = answers.find((scripted) => matchesText(scripted.command, whole))
  return (
    answer && { output: ended(answer.output), error: ended(answer.error), code: answer.code ?? 0 }
  )
}

/** One line of a shell, or several. */
export const runScript = (script: string, place: Place): Said =>
  script.trim() === '' ? NOTHING : run(['sh', '-c', script], place)

const NOTHING: Said = { output: '', error: '', code: 0 }

const ended = (text = ''): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
