/** Commands in a container that does not really run: what its behaviour scripts, and a few words that every shell knows. */
import { entryOf } from '../object'
import { type Answer, matchesText } from './behaviour'

export interface Said {
  output: string
  error: string
  code: number
  /** Nothing tells what this command would do. */
  unknown?: boolean
  /** How long it takes. */
  seconds?: number
}

/** What a command can ask of its surroundings. */
export interface Place {
  pod: string
  container: string
  image: string
  node: string
  environment: Record<string, string>
  now: number
  answers: readonly Answer[]
}

const say = (output: string): Said => ({ output, error: '', code: 0 })

const WORDS: Record<string, (place: Place, args: string[]) => Said> = {
  echo: (_, args) => say(`${args.join(' ')}\n`),
  hostname: ({ pod }) => say(`${pod}\n`),
  env: ({ environment, pod }) =>
    say(
      `${['HOSTNAME']
        .map((name) => `${name}=${pod}`)
        .concat(pairs(environment))
        .join('\n')}\n`,
    ),
  date: ({ now }) => say(`${new Date(now).toUTCString()}\n`),
  pwd: () => say('/\n'),
  whoami: () => say('root\n'),
  sleep: (_, [time = '']) => ({ ...say(''), seconds: Number.parseFloat(time) || 0 }),
  true: () => say(''),
  ':': () => say(''),
  false: () => ({ output: '', error: '', code: 1 }),
  exit: (_, [code = '0']) => ({ output: '', error: '', code: Number(code) || 0 }),
}

const pairs = (environment: Record<string, string>): string[] => Object.entries(environment).map(([name, value]) => `${name}=${value}`)

/** Whether the command begins a shell that reads what it is to do. */
export const isShell = (command: readonly string[]): boolean => command.length === 1 && /^(?:\/bin\/)?(?:ba|a)?sh$/.test(command[0] ?? '')

/** @param command as it was given: a program and its arguments */
export function run(command: readonly string[], place: Place): Said {
  const whole = command.join(' ')
  const answer = place.answers.find((scripted) => matchesText(scripted.command, whole))
  if (answer) return { output: ended(answer.output), error: ended(answer.error), code: answer.code ?? 0 }
  const [program = '', flag, script] = command
  if (isShell([program]) && flag === '-c' && script !== undefined) return runScript(script, place)
  const name = program.replace(/^.*\//, '')
  const word = entryOf(WORDS, name)
  if (word) return word(place, command.slice(1))
  const error = `${whole}: no answer is scripted for this command (container ${place.container} is simulated)\n`
  return { output: '', error, code: 127, unknown: true }
}

/** One line of a shell, or several: each command in turn. */
export function runScript(script: string, place: Place): Said {
  const all: Said = { output: '', error: '', code: 0 }
  for (const line of script.split(/[;\n]|&&/)) {
    const words = wordsOf(line)
    if (words.length === 0) continue
    const said = run(words, place)
    all.output += said.output
    all.error += said.error
    all.code = said.code
    if (said.unknown) all.unknown = true
    all.seconds = (all.seconds ?? 0) + (said.seconds ?? 0)
    if (words[0] === 'exit') break
  }
  return all
}

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? '')

const ended = (text = ''): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
