/** All commands of the page, in the order in which help pages and the palette list them. */
import { COPY_COMMANDS } from '../kubectl/commands'
import { MANIFEST_COMMANDS } from '../manifests/commands'
import { ACCESS_COMMANDS } from '../panels/access/commands'
import {
  HELP_COMMANDS,
  LAYOUT_COMMANDS,
  VIEW_COMMANDS,
  WORKSPACE_COMMANDS,
} from '../panels/frame/commands'
import { WATCH_COMMANDS } from '../panels/watches/commands'
import { POLICY_COMMANDS } from '../policy/commands'
import { SCRIPT_COMMANDS } from '../scripts/commands'
import { SHARE_COMMANDS } from '../share/commands'
import type { Command } from './registry'

export const COMMANDS: readonly Command[] = [
  ...MANIFEST_COMMANDS,
  ...SCRIPT_COMMANDS,
  ...WATCH_COMMANDS,
  ...WORKSPACE_COMMANDS,
  ...SHARE_COMMANDS,
  ...POLICY_COMMANDS,
  ...ACCESS_COMMANDS,
  ...VIEW_COMMANDS,
  ...LAYOUT_COMMANDS,
  ...COPY_COMMANDS,
  ...HELP_COMMANDS,
]
