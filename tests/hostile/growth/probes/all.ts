/** All probes, and the growth above linear that belongs to a rule of Kubernetes. */
import { CONFIGURATION_PROBES } from './configuration'
import { CONTROLLER_PROBES, SCHEDULER_PROBES } from './controllers'
import { DEFINITION_PROBES } from './definitions'
import { EXPRESSION_PROBES } from './expressions'
import type { Probe } from './probe'
import { PATCH_PROBES, READ_PROBES } from './requests'
import { WEBHOOK_PROBES } from './webhooks'

export const PROBES: readonly Probe[] = [
  ...DEFINITION_PROBES,
  ...PATCH_PROBES,
  ...READ_PROBES,
  ...EXPRESSION_PROBES,
  ...WEBHOOK_PROBES,
  ...CONFIGURATION_PROBES,
  ...CONTROLLER_PROBES,
  ...SCHEDULER_PROBES,
]

/** Superlinear work that a rule asks for, by the probe's name, with the rule that bounds it. */
export const BY_RULE: Readonly<Record<string, string>> = {
  'CEL: selections':
    'an expression has at most 250 levels, so that the path of each selection is short',
}
