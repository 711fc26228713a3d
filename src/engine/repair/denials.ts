import type { PolicyFinding } from '../telemetry/policy-findings'
import type { Rejection } from './repair'

export const ADMISSION_REGISTRATION = '/apis/admissionregistration.k8s.io/v1'
export const POLICIES = `${ADMISSION_REGISTRATION}/validatingadmissionpolicies`

/** The findings of policies that denied the request. */
export const denialsOf = ({ policies }: Rejection): PolicyFinding[] =>
  policies.filter(
    ({ actions, outcome, validations }) =>
      actions.includes('Deny') &&
      (outcome === 'failed' || validations.some((validation) => validation.outcome !== 'holds')),
  )
