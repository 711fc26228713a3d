import type { PolicyTab } from './state'

export const group = 'Policy'
export const commands: Readonly<Record<PolicyTab, string>> = {
  bench: 'Open the CEL playground',
  workbench: 'Try a policy on test objects and existing objects',
  designer: 'Design a CustomResourceDefinition',
}
