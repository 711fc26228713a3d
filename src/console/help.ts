/** What a command is for and how it is said: made from the commands' own descriptions. */
import type { Command, Flag } from './command'
import { GLOBAL_FLAGS } from './globals'

/** All commands, a line each. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return [
    'Commands of this console, as kubectl has them; "kubectl" or "k" before them may be left out:',
    ...lines,
    '',
    'Output goes through pipes to grep, head, tail, sort, uniq, cut, tr, wc, base64 and cat.',
    'More about one: COMMAND --help',
    '',
  ].join('\n')
}

/** @param path `kubectl auth can-i` */
export function helpOf(command: Command, path: string): string {
  const { summary, usage, examples, flags, commands = [], aliases = [] } = command
  const taken = flags.filter(({ refused: why }) => why === undefined)
  const refused = flags.filter(({ refused: why }) => why !== undefined)
  const sections = [
    [summary],
    examples.length === 0 ? [] : ['Examples:', ...examples.flatMap(({ about, line }) => [`  # ${about}`, `  ${line}`, '']).slice(0, -1)],
    commands.length === 0 ? [] : ['Commands:', ...rows(commands.map((one) => [one.name, one.summary]))],
    taken.length === 0 ? [] : ['Options:', ...rows(taken.map((flag) => [flagName(flag), flag.about]))],
    refused.map((flag) => `Not taken: ${flag.refused}`),
    aliases.length === 0 ? [] : ['Aliases:', `  ${[command.name, ...aliases].join(', ')}`],
    ['Usage:', `  kubectl ${usage}`],
    commands.length === 0 ? [] : [`More about one: ${path} COMMAND --help`],
    [
      `Flags of every command: ${GLOBAL_FLAGS.filter(({ refused }) => refused === undefined)
        .map(shownFlag)
        .join(', ')}`,
    ],
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function rows(pairs: [string, string][]): string[] {
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`)
}

const shownFlag = ({ name, short }: Flag): string => (short === undefined || short === name ? `--${name}` : `-${short}, --${name}`)

/** With the value that it has by itself, if that says something. */
function flagName(flag: Flag): string {
  const { type, default: byDefault, short } = flag
  const value = byDefault === undefined || byDefault === '' ? '' : `=${byDefault}`
  const named = `${short === undefined ? '    ' : ''}${shownFlag(flag)}`
  return `${named}${type === 'on' && value === '' ? '' : value || '='}`
}
