/** Lists webhooks by the name of their configuration, then by position. */
import type { AdmissionAttributes } from '../../admission/admission'
import { API_DOMAIN } from '../../core/names'
import { LiveObjects } from '../../storage/live-objects'
import type { PolicyEnvironment } from '../environment'
import { type Criteria, criteriaOf } from '../match'
import { type CompiledConditions, compileConditions } from '../match-conditions'
import type { Webhook, WebhookConfiguration } from '../objects'

export interface Hook {
  /** By configuration and position. */
  id: string
  configuration: string
  webhook: Webhook
  criteria: Criteria
  conditions: CompiledConditions
}

const CONFIGURATION = `admissionregistration.${API_DOMAIN}`
/** So that a mistake can be repaired. */
const EXEMPT = new Set([
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
])

export const isExempt = ({ group, resource }: AdmissionAttributes): boolean =>
  group === CONFIGURATION && EXEMPT.has(resource)

export function hooksOf(
  { storage, featureGates, release }: PolicyEnvironment,
  resource: string,
): LiveObjects<readonly Hook[]> {
  const declared = {
    params: false,
    authorizer: true,
    strictCost: featureGates.StrictCostEnforcementForWebhooks === true,
    release,
  }
  return new LiveObjects<readonly Hook[]>(storage, `/registry/${resource}/`, (object) => {
    const { metadata, webhooks } = object as WebhookConfiguration
    const configuration = metadata.name ?? ''
    return (webhooks ?? []).map((webhook, i) => ({
      id: `${configuration}/${i}/${webhook.name ?? ''}`,
      configuration,
      webhook,
      criteria: criteriaOf({ ...webhook, rules: webhook.rules ?? [] }),
      conditions: compileConditions(webhook.matchConditions ?? [], declared),
    }))
  })
}
