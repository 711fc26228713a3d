import { parseArgs } from 'node:util'
import { type Command, type ExitStatus, InputError, type Terminal, UsageError } from './command'
import { helpOf } from './help'

/** @param args after the command's name */
export async function runCommand(
  command: Command,
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitStatus> {
  if (args.includes('--help') || args.includes('-h')) {
    terminal.write(helpOf(command))
    return 0
  }
  try {
    return await command.run(parsed(command, args), terminal)
  } catch (error) {
    if (error instanceof UsageError)
      terminal.writeError(`error: ${error.message}\nSee 'kubetab ${command.name} --help'.\n`)
    else if (error instanceof InputError) terminal.writeError(`error: ${error.message}\n`)
    else throw error
    return 2
  }
}

/** @throws UsageError in the words of kubectl */
function parsed({ options }: Command, args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { type, multiple = false, default: byDefault }]) => [
          name,
          { type, multiple, ...(byDefault === undefined ? {} : { default: byDefault }) },
        ]),
      ),
    })
    return { options: values, positionals }
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string }
    if (!code.startsWith('ERR_PARSE_ARGS')) throw error
    throw new UsageError(message.split('. To specify')[0] ?? message)
  }
}
