import type { Command } from '../../commands/registry'
import { goToPolicy, type PolicyTab } from './state'

const POLICY_TABS: { tab: PolicyTab; title: string }[] = [
  { tab: 'bench', title: 'Open the CEL playground' },
  { tab: 'workbench', title: 'Try a policy on test objects and existing objects' },
  { tab: 'designer', title: 'Design a CustomResourceDefinition' },
]
export const POLICY_COMMANDS: Command[] = POLICY_TABS.map(({ tab, title }) => ({
  id: `policy-${tab}`,
  title,
  group: 'Policy',
  run: () => goToPolicy(tab),
}))
