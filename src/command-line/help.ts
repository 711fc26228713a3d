/** The help of a command, in the form of kubectl's. */
import type { Command, Option } from './command'

export function helpOf(command: Command): string {
  const { name, description, examples, options, exit, usage } = command
  return [
    description,
    '',
    'Examples:',
    examples.map(({ comment, line }) => `  # ${comment}\n  ${line}`).join('\n\n'),
    '',
    'Options:',
    ...Object.entries(options).map(([flag, option]) => optionHelp(flag, option)),
    '    --help:\n\tPrint this text.',
    '',
    'Exit status:',
    ...Object.entries(exit).map(([status, meaning]) => `    ${status}  ${meaning}`),
    '',
    'Usage:',
    `  kubetab ${name} ${usage}`,
    '',
  ].join('\n')
}

/** As kubectl prints them: `    --output='text':` and an indented sentence. */
function optionHelp(flag: string, { type, default: byDefault, multiple, help }: Option): string {
  const none = type === 'boolean' ? 'false' : multiple ? '[]' : "''"
  const value = typeof byDefault === 'string' ? `'${byDefault}'` : none
  return `    --${flag}=${value}:\n\t${help}`
}

export function listOf(commands: readonly Pick<Command, 'name' | 'summary'>[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`).join('\n')
}
