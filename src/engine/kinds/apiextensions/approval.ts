/**
 * Protected groups (`*.k8s.io`) need approval. Recorded from kube-apiserver 1.31
 * (`crd-def-invalid`).
 */
import { goQuote } from '../../schema/go-text'
import type { DefinitionCondition } from './definition'

export const APPROVAL = 'api-approved.kubernetes.io'
const PAGE = 'see https://github.com/kubernetes/enhancements/pull/1111'
const MUST = `protected groups must have approval annotation "${APPROVAL}"`

const CONDITION = 'KubernetesAPIApprovalPolicyConformant'

/** @returns undefined for unprotected groups */
export function approvalOf(
  group: string,
  annotations: Record<string, string> = {},
): DefinitionCondition | undefined {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return undefined
  const given = annotations[APPROVAL] ?? ''
  const found = (status: 'True' | 'False', reason: string, message: string) => ({
    type: CONDITION,
    status,
    reason,
    message,
  })
  if (given === '') return found('False', 'MissingAnnotation', `${MUST}, ${PAGE}`)
  if (given.startsWith('unapproved'))
    return found('False', 'UnapprovedAnnotation', `not approved: ${goQuote(given)}`)
  if (/^[a-z][-+.a-z\d]*:\/\/[^/\s]+/i.test(given))
    return found('True', 'ApprovedAnnotation', `approved in ${given}`)
  return found(
    'False',
    'InvalidAnnotation',
    `${MUST} with either a URL or a reason starting with "unapproved", ${PAGE}`,
  )
}
