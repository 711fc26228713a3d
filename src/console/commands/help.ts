/** `help`: what there is, or one command. */
import type { Command } from '../command'
import { CommandError } from '../errors'
import { helpOf, overview } from '../help'

/** @param commands all commands; asked for late, as this is one of them */
export function helpCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'help',
    summary: 'Tells what there is, or about one command.',
    usage: 'help [COMMAND]',
    examples: [{ line: 'help get', about: 'About one command' }],
    flags: [],
    completes: 'commands',
    async run({ out }, { args }) {
      let path = 'kubectl'
      let found: Command | undefined
      let among = commands()
      for (const word of args) {
        found = among.find(({ name, aliases = [] }) => name === word || aliases.includes(word))
        if (found === undefined) throw new CommandError(`unknown help topic ${JSON.stringify(args.join(' '))}`)
        path += ` ${found.name}`
        among = found.commands ?? []
      }
      out(found === undefined ? overview(commands()) : helpOf(found, path))
      return 0
    },
  }
}
