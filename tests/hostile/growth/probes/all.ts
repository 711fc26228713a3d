/** All probes, and the growth above linear that belongs to a rule of Kubernetes. */
import { CONFIGURATION_PROBES } from './configuration'
import { CONTROLLER_PROBES } from './controllers'
import { DEFINITION_PROBES } from './definitions'
import { EXPRESSION_PROBES } from './expressions'
import type { Probe } from './probe'
import { PATCH_PROBES, READ_PROBES } from './requests'
import { SCHEDULER_PROBES } from './scheduler'
import { SUBRESOURCE_PROBES } from './subresources'
import { WEBHOOK_PROBES } from './webhooks'

export const PROBES: readonly Probe[] = [
  ...DEFINITION_PROBES,
  ...PATCH_PROBES,
  ...READ_PROBES,
  ...SUBRESOURCE_PROBES,
  ...EXPRESSION_PROBES,
  ...WEBHOOK_PROBES,
  ...CONFIGURATION_PROBES,
  ...CONTROLLER_PROBES,
  ...SCHEDULER_PROBES,
]

/** Superlinear work that a rule requires, by the name of the probe, with the rule that bounds it. */
export const BY_RULE: Readonly<Record<string, string>> = {
  'JSON patch: copies of a value': 'all copies of a patch have at most 3,145,728 bytes',
  'definition: depth with rules':
    'each rule has types of its own, as in kube-apiserver, and a body has at most 500 levels',
}
