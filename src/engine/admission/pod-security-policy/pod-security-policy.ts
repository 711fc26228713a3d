/** Served until Kubernetes 1.24 (kubernetes.io 1.24, "Pod Security Policies"). */

import type { UserInfo } from '../../authentication/authenticator'
import { append } from '../../core/lists'
import { equalJson, type Json, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { AdmissionAttributes, AdmissionPlugin } from '../admission'
import { type AdmissionEnvironment, readObjects } from '../environment'
import { newForbidden } from '../errors'
import { violations } from './constraints'
import { applyPolicyDefaults, type SecuredSpec } from './defaults'
import type { PodSecurityPolicy } from './policy'

const POLICIES = '/registry/podsecuritypolicy/'
const ALLOWED_BY = 'kubernetes.io/psp'
const AUDIT = 'podsecuritypolicy.admission.k8s.io/'

interface Pod extends KubeObject {
  spec?: SecuredSpec
}

interface Evaluation {
  policy?: string
  spec?: SecuredSpec
  errors: FieldError[]
}

export function podSecurityPolicy(environment: AdmissionEnvironment): AdmissionPlugin {
  return {
    name: 'PodSecurityPolicy',
    operations: ['CREATE', 'UPDATE'],
    resources: ['pods', 'pods/ephemeralcontainers'],
    async mutate(attributes) {
      if (attributes.operation !== 'CREATE') return
      const pod = attributes.object as Pod
      const { policy, spec, errors } = await evaluatePolicies(environment, attributes, pod, true)
      if (policy === undefined)
        throw newForbidden(attributes, `PodSecurityPolicy: unable to admit pod: ${listed(errors)}`)
      pod.spec = spec ?? {}
      pod.metadata.annotations = { ...pod.metadata.annotations, [ALLOWED_BY]: policy }
      attributes.trace.annotations[`${AUDIT}admit-policy`] = policy
    },
    async validate(attributes) {
      const pod = attributes.object as Pod
      if (
        attributes.operation === 'UPDATE' &&
        equalJson(pod.spec, (attributes.oldObject as Pod | undefined)?.spec)
      )
        return
      const { policy, errors } = await evaluatePolicies(environment, attributes, pod, false)
      if (policy === undefined)
        throw newForbidden(
          attributes,
          `PodSecurityPolicy: unable to validate pod: ${listed(errors)}`,
        )
      attributes.trace.annotations[`${AUDIT}validate-policy`] = policy
    },
  }
}

const listed = (errors: FieldError[]): string =>
  `[${errors.map(({ field, detail }) => `${field}: ${detail}`).join(' ')}]`

/** Policies that do not change the pod take precedence, then the first by name. */
async function evaluatePolicies(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
  pod: Pod,
  mayChange: boolean,
): Promise<Evaluation> {
  const errors: FieldError[] = []
  let changed: Evaluation | undefined
  for (const policy of byHint(await readObjects<PodSecurityPolicy>(environment, POLICIES), pod)) {
    const name = policy.metadata.name ?? ''
    if (!(await mayUse(environment, attributes, pod, name))) continue
    const spec = structuredClone(pod.spec ?? {}) as SecuredSpec
    applyPolicyDefaults(policy.spec, spec)
    const found = violations(policy.spec, spec)
    append(errors, found)
    if (found.length > 0) continue
    if (isSame(pod.spec ?? {}, spec)) return { policy: name, spec: pod.spec ?? {}, errors }
    if (mayChange) changed ??= { policy: name, spec, errors }
  }
  return changed ?? { errors }
}

function byHint(policies: PodSecurityPolicy[], { metadata }: Pod): PodSecurityPolicy[] {
  const hint = metadata.annotations?.[ALLOWED_BY]
  return [
    ...policies.filter((policy) => policy.metadata.name === hint),
    ...policies.filter((policy) => policy.metadata.name !== hint),
  ]
}

/** Empty and absent security contexts are equal. */
function isSame(before: SecuredSpec, after: SecuredSpec): boolean {
  return equalJson(withoutEmpty(before as unknown as Json), withoutEmpty(after as unknown as Json))
}

function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const kept = withoutEmpty(inner)
      return name === 'securityContext' && Object.keys(kept as object).length === 0
        ? []
        : [[name, kept]]
    }),
  )
}

async function mayUse(
  environment: AdmissionEnvironment,
  { user, namespace }: AdmissionAttributes,
  pod: Pod,
  name: string,
): Promise<boolean> {
  const account = pod.spec?.serviceAccountName ?? ''
  const accounts: UserInfo[] = account === '' ? [] : [serviceAccountUser(namespace, account)]
  for (const asker of [user, ...accounts]) {
    for (const group of ['policy', 'extensions']) {
      const attributes = {
        user: asker,
        verb: 'use',
        isResource: true,
        path: '',
        group,
        version: ANY_VERSION,
        resource: 'podsecuritypolicies',
      }
      const { decision } = await environment
        .authorizer()
        .authorize({ ...attributes, subresource: '', namespace, name })
      if (decision === 'allow') return true
    }
  }
  return false
}

const ANY_VERSION = '*'

const serviceAccountUser = (namespace: string, name: string): UserInfo => ({
  name: `system:serviceaccount:${namespace}:${name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
})
