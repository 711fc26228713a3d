import type { AdmissionAttributes } from '../admission/admission'
import { API_DOMAIN } from '../core/names'

/**
 * So that policies can be repaired: kubernetes.io, "API kinds exempt from admission validation".
 */
const EXEMPT: ReadonlySet<string> = new Set([
  ...[
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
  ].map((resource) => `admissionregistration.${API_DOMAIN}/${resource}`),
  ...['selfsubjectreviews', 'tokenreviews'].map(
    (resource) => `authentication.${API_DOMAIN}/${resource}`,
  ),
  ...[
    'localsubjectaccessreviews',
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
    'subjectaccessreviews',
  ].map((resource) => `authorization.${API_DOMAIN}/${resource}`),
])

export const isExempt = ({ group, resource }: AdmissionAttributes): boolean =>
  EXEMPT.has(`${group}/${resource}`)
