/** Strategies of the kinds of group `admissionregistration.k8s.io`. */
import type { Strategy } from '../strategy'

const shared: Strategy = { allowUnconditionalUpdate: false, laxFinalizers: true }
const webhooks: Strategy = { ...shared, generationFields: ['webhooks'] }

export const admissionregistrationStrategies: Record<string, Strategy> = {
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhooks,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': { ...shared, generationFields: ['spec'], serverOwned: ['status'] },
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': { ...shared, generationFields: ['spec'] },
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhooks,
}
