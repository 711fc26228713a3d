import type { Command } from '../../commands/registry'
import { commands, group } from './shell-texts'
import { goToPolicy, type PolicyTab } from './state'

const TABS: readonly PolicyTab[] = ['bench', 'workbench', 'designer']

export const POLICY_COMMANDS: Command[] = TABS.map((tab) => ({
  id: `policy-${tab}`,
  title: commands[tab],
  group,
  run: () => goToPolicy(tab),
}))
