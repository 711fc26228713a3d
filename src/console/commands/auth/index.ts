/** `kubectl auth` */
import type { Command } from '../../command'
import { CAN_I } from './can-i'
import { RECONCILE } from './reconcile'
import { WHO_AM_I } from './whoami'

export const AUTH: Command = {
  name: 'auth',
  summary: 'Inspect authorization',
  usage: 'auth SUBCOMMAND',
  examples: [],
  flags: [],
  commands: [CAN_I, RECONCILE, WHO_AM_I],
}
