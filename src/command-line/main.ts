/** The program `kubetab`: a subcommand by its first argument, otherwise the server. */
import { readFileSync } from 'node:fs'
import type { Terminal } from './command'
import { COMMANDS } from './commands'
import { listOf } from './help'
import { runCommand } from './run'

const terminal: Terminal = {
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  readInput: () => readFileSync(0, 'utf8'),
}

const [name, ...args] = process.argv.slice(2)
const entry = COMMANDS.find((one) => one.name === name)
if (name === '--help')
  terminal.write(
    `Commands (see "kubetab COMMAND --help"):\n${listOf(COMMANDS)}\n\nWithout a command:\n\n`,
  )
if (entry === undefined) await import('../hosts/node/main')
else process.exitCode = await runCommand(await entry.load(), args, terminal)
