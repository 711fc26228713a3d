/** All commands, in the order of the help: what reads, what writes, what asks about the console itself. */
import type { Command } from './command'
import { API_RESOURCES } from './commands/api-resources'

export const COMMANDS: readonly Command[] = [API_RESOURCES]
