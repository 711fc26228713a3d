/** kubernetes.io, SubjectAccessReview v1. Recorded from kube-apiserver 1.31. */
import type { Json, JsonObject } from '../../core/object'
import { builtinModel } from '../../schema/builtin'
import type { StructType } from '../../schema/model'
import { statusIn } from '../../webhooks/review-status'
import type { Attributes } from '../authorizer'
import type { SelectorAttributes } from '../selectors'

export type ReviewVersion = 'v1' | 'v1beta1'

export interface ReviewStatus {
  allowed: boolean
  denied: boolean
  reason: string
}

const apiVersionOf = (version: ReviewVersion): string => `authorization.k8s.io/${version}`

/** v1, without empty members. */
export function reviewSpec(attributes: Attributes): JsonObject {
  const { user } = attributes
  return {
    ...(attributes.isResource
      ? { resourceAttributes: resourceAttributes(attributes) }
      : { nonResourceAttributes: filled({ path: attributes.path, verb: attributes.verb }) }),
    ...filled({ user: user.name }),
    ...(user.groups.length > 0 ? { groups: user.groups } : {}),
    ...(user.extra && Object.keys(user.extra).length > 0 ? { extra: user.extra } : {}),
    ...filled({ uid: user.uid ?? '' }),
  }
}

function resourceAttributes(attributes: Attributes): JsonObject {
  const {
    namespace,
    verb,
    group,
    version,
    resource,
    subresource,
    name,
    fieldSelector,
    labelSelector,
  } = attributes
  return {
    ...filled({ namespace, verb, group, version, resource, subresource, name }),
    ...selector('fieldSelector', fieldSelector),
    ...selector('labelSelector', labelSelector),
  }
}

function selector(member: string, attributes: SelectorAttributes | undefined): JsonObject {
  if (attributes === undefined || attributes.requirements.length === 0) return {}
  return { [member]: { requirements: attributes.requirements as unknown as Json } }
}

const filled = (members: Record<string, string>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''))

export function reviewBody(version: ReviewVersion, spec: JsonObject): string {
  const { groups, ...others } = spec
  const sent = version === 'v1' || groups === undefined ? spec : { ...others, group: groups }
  return JSON.stringify({
    kind: 'SubjectAccessReview',
    apiVersion: apiVersionOf(version),
    metadata: { creationTimestamp: null },
    spec: sent,
    status: { allowed: false },
  })
}

/** Earlier versions have the same status. */
const REVIEW_TYPE = 'io.k8s.api.authorization.v1.SubjectAccessReview'

/** @throws ReviewResponseError */
export function readReview(version: ReviewVersion, code: number, body: string): ReviewStatus {
  const type = builtinModel().byName(REVIEW_TYPE) as StructType
  const status = statusIn(
    { kind: 'SubjectAccessReview', apiVersion: apiVersionOf(version), type },
    code,
    body,
  )
  return {
    allowed: status.allowed === true,
    denied: status.denied === true,
    reason: typeof status.reason === 'string' ? status.reason : '',
  }
}
