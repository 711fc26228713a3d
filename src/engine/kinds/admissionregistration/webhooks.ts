/**
 * Rules of webhook configurations. Recorded from kube-apiserver 1.31
 * (`kinds-admissionregistration`, `policy-webhookcfg`).
 */

import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Era } from '../../policy/compile'
import type { Webhook, WebhookConfiguration } from '../../policy/objects'
import { duplicate, invalidValue, notSupported, required } from '../../validation/field-errors'
import { labelSelectorErrors } from '../../validation/label-selectors'
import { dnsSubdomainProblems } from '../../validation/names'
import {
  clientErrors,
  REVIEW_VERSIONS,
  reviewVersionErrors,
} from '../../validation/webhook-clients'
import { matchConditionErrors } from './match-conditions'
import { FAILURE_POLICIES, MATCH_POLICIES, ruleErrors, supportedErrors } from './rules'

const SIDE_EFFECTS = ['None', 'NoneOnDryRun']
const REINVOCATION_POLICIES = ['IfNeeded', 'Never']
const MAX_TIMEOUT_SECONDS = 30
const DECLARED = { params: false, authorizer: true }

/** @param old its expressions compile as stored ones */
export function webhookConfigurationErrors(
  object: KubeObject,
  old: KubeObject | undefined,
  release: string,
): FieldError[] {
  const webhooks = (object as WebhookConfiguration).webhooks ?? []
  const stored = (old as WebhookConfiguration | undefined)?.webhooks ?? []
  const kept = new Set(
    stored.flatMap(({ matchConditions }) =>
      (matchConditions ?? []).map(({ expression }) => expression ?? ''),
    ),
  )
  const era: Era = (expression) => (kept.has(expression) ? 'stored' : 'new')
  // A changed condition of one webhook revalidates those of all.
  const unchanged = old !== undefined && sameConditions(webhooks, stored)
  return webhooks.flatMap((webhook, i) => {
    const path = `webhooks[${i}]`
    const name = webhook.name ?? ''
    return [
      ...webhookErrors(webhook, path),
      ...(unchanged
        ? []
        : matchConditionErrors(
            webhook.matchConditions,
            undefined,
            { ...DECLARED, release },
            `${path}.matchConditions`,
            era,
          )),
      ...versionErrors(webhook.admissionReviewVersions ?? [], `${path}.admissionReviewVersions`),
      ...(name !== '' && webhooks.findIndex((other) => other.name === name) < i
        ? [duplicate(`${path}.name`, name)]
        : []),
    ]
  })
}

function sameConditions(webhooks: readonly Webhook[], stored: readonly Webhook[]): boolean {
  const text = (list: readonly Webhook[]) =>
    JSON.stringify(list.map(({ matchConditions }) => matchConditions ?? []))
  return text(webhooks) === text(stored)
}

function webhookErrors(webhook: Webhook, path: string): FieldError[] {
  const {
    name = '',
    rules,
    failurePolicy,
    matchPolicy,
    timeoutSeconds: timeout,
    reinvocationPolicy,
  } = webhook
  const late = timeout !== undefined && (timeout < 1 || timeout > MAX_TIMEOUT_SECONDS)
  return [
    ...nameErrors(name, `${path}.name`),
    ...(rules ?? []).flatMap((rule, i) => ruleErrors(rule, `${path}.rules[${i}]`)),
    ...supportedErrors(failurePolicy, FAILURE_POLICIES, `${path}.failurePolicy`),
    ...supportedErrors(matchPolicy, MATCH_POLICIES, `${path}.matchPolicy`),
    ...sideEffectErrors(webhook.sideEffects, `${path}.sideEffects`),
    ...(late
      ? [
          invalidValue(
            `${path}.timeoutSeconds`,
            timeout,
            'the timeout value must be between 1 and 30 seconds',
          ),
        ]
      : []),
    ...labelSelectorErrors(webhook.namespaceSelector, `${path}.namespaceSelector`),
    ...labelSelectorErrors(webhook.objectSelector, `${path}.objectSelector`),
    ...supportedErrors(reinvocationPolicy, REINVOCATION_POLICIES, `${path}.reinvocationPolicy`),
    ...clientErrors(webhook.clientConfig ?? {}, `${path}.clientConfig`),
  ]
}

function nameErrors(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)]
  const problems = dnsSubdomainProblems(name)
  if (problems.length > 0) return [invalidValue(path, name, problems.join(','))]
  if (name.split('.').length >= 3) return []
  return [
    invalidValue(path, name, 'should be a domain with at least three segments separated by dots'),
  ]
}

function sideEffectErrors(sideEffects: string | undefined | null, path: string): FieldError[] {
  if (sideEffects === undefined || sideEffects === null)
    return [required(path, `must specify one of ${SIDE_EFFECTS.join(', ')}`)]
  return SIDE_EFFECTS.includes(sideEffects) ? [] : [notSupported(path, sideEffects, SIDE_EFFECTS)]
}

function versionErrors(versions: readonly string[], path: string): FieldError[] {
  if (versions.length === 0)
    return [required(path, `must specify one of ${REVIEW_VERSIONS.join(', ')}`)]
  return reviewVersionErrors(versions, path)
}
