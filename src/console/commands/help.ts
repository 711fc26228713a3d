/** `kubectl help` and `kubectl options`. */
import type { Command } from '../command'
import { CommandError } from '../errors'
import { globalOptions, helpOf, overview } from '../help'

/** @param commands a function, because this command is one of them */
export function helpCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'help',
    summary: 'Help about any command',
    usage: 'help [COMMAND]',
    examples: [{ line: 'help get', about: 'Show the help of the get command' }],
    flags: [],
    completes: 'commands',
    async run({ out }, { args }) {
      let path = 'kubectl'
      let found: Command | undefined
      let among = commands()
      for (const word of args) {
        found = among.find(({ name, aliases = [] }) => name === word || aliases.includes(word))
        if (found === undefined)
          throw new CommandError(`unknown help topic ${JSON.stringify(args.join(' '))}`)
        path += ` ${found.name}`
        among = found.commands ?? []
      }
      out(found === undefined ? overview(commands()) : helpOf(found, path))
      return 0
    },
  }
}

export const OPTIONS: Command = {
  name: 'options',
  summary: 'Print the list of flags inherited by all commands',
  usage: 'options',
  examples: [{ line: 'kubectl options', about: 'Print flags inherited by all commands' }],
  flags: [],
  async run({ out }) {
    out(globalOptions())
    return 0
  },
}
