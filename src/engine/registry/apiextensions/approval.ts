/** Whether a definition in a group of the community's own has its word for it (public documentation, "Custom resource definition conditions"; texts recorded: crd-def-invalid). */
import { goQuote } from '../../schema/go-text'
import type { DefinitionCondition } from './definition'

export const APPROVAL = 'api-approved.kubernetes.io'
const PAGE = 'see https://github.com/kubernetes/enhancements/pull/1111'
const MUST = `protected groups must have approval annotation "${APPROVAL}"`

const CONDITION = 'KubernetesAPIApprovalPolicyConformant'

/** @returns what the annotation says; undefined for groups that need none */
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
