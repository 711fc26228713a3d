/** All commands, in the order of help and the palette. */

import type { Command } from '../commands/registry'
import { ACCESS_COMMANDS } from '../features/access/commands'
import { COPY_COMMANDS } from '../features/copy-as/commands'
import { LESSON_COMMANDS } from '../features/lessons/commands'
import { MANIFEST_COMMANDS } from '../features/manifests/commands'
import { POLICY_COMMANDS } from '../features/policy/commands'
import { SCRIPT_COMMANDS } from '../features/scripts/commands'
import { SHARE_COMMANDS } from '../features/share/commands'
import { WATCH_COMMANDS } from '../features/watches/commands'
import { HELP_COMMANDS, LAYOUT_COMMANDS, VIEW_COMMANDS, WORKSPACE_COMMANDS } from './commands'

export const COMMANDS: readonly Command[] = [
  ...MANIFEST_COMMANDS,
  ...SCRIPT_COMMANDS,
  ...WATCH_COMMANDS,
  ...WORKSPACE_COMMANDS,
  ...SHARE_COMMANDS,
  ...POLICY_COMMANDS,
  ...ACCESS_COMMANDS,
  ...VIEW_COMMANDS,
  ...LESSON_COMMANDS,
  ...LAYOUT_COMMANDS,
  ...COPY_COMMANDS,
  ...HELP_COMMANDS,
]
