import type { Command } from '../../commands/registry'
import * as texts from './shell-texts'
import { type AccessView, openAccess } from './state'

const ACCESS_VIEWS: readonly AccessView[] = [
  'rights',
  'who-can',
  'try',
  'roles',
  'configuration',
  'identities',
]

export const ACCESS_COMMANDS: Command[] = ACCESS_VIEWS.map((view) => ({
  id: `access-${view}`,
  title: texts.commands[view],
  group: texts.group,
  run: () => openAccess(view),
}))
