/** All commands, in the order of the help. */
import type { Command } from './command'
import { API_RESOURCES } from './commands/api-resources'
import { API_VERSIONS, CLUSTER_INFO, VERSION } from './commands/cluster'
import { CONFIG } from './commands/config'
import { EVENTS } from './commands/events'
import { EXPLAIN } from './commands/explain'
import { GET } from './commands/get'
import { helpCommand } from './commands/help'
import { WAIT } from './commands/wait'

export const COMMANDS: readonly Command[] = [
  // What reads.
  GET,
  EXPLAIN,
  EVENTS,
  WAIT,
  // What the server says of itself, and as whom one asks.
  API_RESOURCES,
  API_VERSIONS,
  CLUSTER_INFO,
  VERSION,
  CONFIG,
  helpCommand(() => COMMANDS),
]
