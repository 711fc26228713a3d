/**
 * Access reviews are never stored (kubernetes.io, "Checking API access"). Recorded from
 * kube-apiserver 1.31.
 */

import type { UserInfo } from '../../authentication/authenticator'
import type { Attributes, Verdict } from '../../authorization/authorizer'
import {
  type ReviewedSelector,
  reviewedFieldSelector,
  reviewedLabelSelector,
  type SelectorAttributes,
} from '../../authorization/selectors'
import { chain, type MaybePromise } from '../../core/maybe-promise'
import type { KubeObject, ObjectMeta } from '../../core/object'
import { badRequest, type FieldError, invalid } from '../../http/status'
import type { Kind } from '../../registry/kind'
import { recordOwnership } from '../../registry/record-ownership'
import { admissionAttributes, type RequestContext } from '../../registry/request-context'
import type { Strategy } from '../../registry/strategy'
import type { Changes } from '../../release-tables/changes'
import { canonicalize } from '../../schema/canonical'
import { invalidValue } from '../../validation/field-errors'
import { invalidStructure } from '../../validation/go-literal'
import { selectorProblems } from './selectors'

interface ResourceAttributes {
  namespace?: string
  verb?: string
  group?: string
  version?: string
  resource?: string
  subresource?: string
  name?: string
  fieldSelector?: ReviewedSelector
  labelSelector?: ReviewedSelector
}

interface ReviewSpec {
  resourceAttributes?: ResourceAttributes
  nonResourceAttributes?: { path?: string; verb?: string }
  user?: string
  groups?: string[]
  uid?: string
  extra?: Record<string, string[]>
}

interface Review extends KubeObject {
  spec?: ReviewSpec
}

const EXACTLY_ONE = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'

function problemsOf(spec: ReviewSpec, namesUser: boolean, changes: Changes): FieldError[] {
  const errors: FieldError[] = []
  const { resourceAttributes, nonResourceAttributes: path, user = '', groups = [] } = spec
  const isUnion = changes.has('ReviewAttributesAreUnion')
  if (resourceAttributes && path) {
    errors.push(
      isUnion
        ? invalidPath(path, EXACTLY_ONE, 'spec')
        : invalidPath(path, 'cannot be specified in combination with resourceAttributes'),
    )
  } else if (!resourceAttributes && !path) {
    errors.push(invalidValue(isUnion ? 'spec' : 'spec.resourceAttributes', null, EXACTLY_ONE))
  }
  if (namesUser && user === '' && groups.length === 0)
    errors.push(invalidValue('spec.user', '', 'at least one of user or group must be specified'))
  return [...errors, ...selectorProblems(resourceAttributes)]
}

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/** Only a local review has metadata: its namespace. */
function metadataProblems({ metadata }: Review, namespace: string): FieldError[] {
  for (const member in metadata) {
    if (UNSAID.has(member) || metadata[member as keyof ObjectMeta] === undefined) continue
    const why = namespace === '' ? 'must be empty' : 'must be empty except for namespace'
    return [invalidStructure('metadata', OBJECT_META, metadata, why)]
  }
  return []
}

/** Set by the server, or the request's namespace. */
const UNSAID = new Set(['managedFields', 'creationTimestamp', 'namespace'])

const ANY_VERSION = '*'

function attributesOf(spec: ReviewSpec, user: UserInfo): Attributes {
  const { resourceAttributes, nonResourceAttributes: path } = spec
  if (resourceAttributes === undefined) {
    const none = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' }
    return { user, verb: path?.verb ?? '', isResource: false, path: path?.path ?? '', ...none }
  }
  const {
    verb = '',
    group = '',
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
    fieldSelector,
    labelSelector,
  } = resourceAttributes
  const version = resourceAttributes.version || ANY_VERSION
  const attributes: Attributes = {
    user,
    verb,
    isResource: true,
    path: '',
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
  }
  if (fieldSelector) attributes.fieldSelector = reviewedFieldSelector(fieldSelector)
  if (labelSelector) attributes.labelSelector = reviewedLabelSelector(labelSelector)
  return attributes
}

function statusOf(
  { decision, reason, error }: Verdict,
  { fieldSelector, labelSelector }: Attributes,
): Record<string, unknown> {
  const status: Record<string, unknown> = { allowed: decision === 'allow' }
  if (decision === 'deny') status.denied = true
  if (reason) status.reason = reason
  const errors = [
    error,
    unread('fieldSelector', fieldSelector),
    unread('labelSelector', labelSelector),
  ].filter(Boolean)
  if (errors.length > 0) status.evaluationError = errors.join('; ')
  return status
}

function unread(member: string, selector: SelectorAttributes | undefined): string | undefined {
  if (!selector?.unreadable) return undefined
  return `spec.resourceAttributes.${member} ${selector.requirements.length > 0 ? 'partially ' : ''}ignored due to parse error`
}

function withoutSelectors(review: Review): Review {
  const { spec } = review
  if (spec?.resourceAttributes === undefined) return review
  if (
    spec.resourceAttributes.fieldSelector === undefined &&
    spec.resourceAttributes.labelSelector === undefined
  )
    return review
  const { fieldSelector: _, labelSelector: __, ...resourceAttributes } = spec.resourceAttributes
  return { ...review, spec: { ...spec, resourceAttributes } }
}

/**
 * Webhooks may change or deny reviews (kubernetes.io, "Dynamic Admission Control").
 * @param check runs between mutating and validating admission
 */
function admit(
  context: RequestContext,
  question: KubeObject,
  check: () => void,
): MaybePromise<void> {
  const { admission } = context.engine
  const attributes = admissionAttributes(context, 'CREATE', question, undefined)
  return chain(admission.mutate(attributes), () => {
    check()
    return admission.validate(attributes)
  })
}

async function review(
  context: RequestContext,
  sent: Review,
  userIn: (spec: ReviewSpec | undefined) => UserInfo,
  namesUser: boolean,
): Promise<KubeObject> {
  recordOwnership(context, undefined, sent)
  const admitting = admit(context, sent, () => checkQuestion(context, sent, namesUser))
  if (admitting) await admitting
  const review =
    context.engine.featureGates.AuthorizeWithSelectors === true ? sent : withoutSelectors(sent)
  const attributes = attributesOf(review.spec ?? {}, userIn(review.spec))
  const authorizing = context.engine.authorizer.authorize(attributes)
  const verdict = authorizing instanceof Promise ? await authorizing : authorizing
  const { managedFields } = review.metadata
  const { kind, apiVersion } = review
  const metadata = managedFields ? { managedFields } : {}
  return canonicalize(context.resource.storedType, {
    kind,
    apiVersion,
    metadata,
    spec: review.spec,
    status: statusOf(verdict, attributes),
  })
}

/** @throws ApiError 422 */
function checkQuestion(
  { engine, resource, namespace }: RequestContext,
  sent: Review,
  namesUser: boolean,
): void {
  const review = engine.featureGates.AuthorizeWithSelectors === true ? sent : withoutSelectors(sent)
  const spec = review.spec ?? {}
  // kube-apiserver names no kind.
  const errors = [
    ...problemsOf(spec, namesUser, engine.tables.changes),
    ...metadataProblems(review, namespace),
    ...localProblems(spec, namespace),
  ]
  if (errors.length > 0) throw invalid({ group: resource.group, kind: '' }, '', errors)
}

function othersIn({ user = '', groups = [], uid, extra }: ReviewSpec = {}): UserInfo {
  const reviewedUser: UserInfo = { name: user, groups }
  if (uid) reviewedUser.uid = uid
  if (extra) reviewedUser.extra = extra
  return reviewedUser
}

const aboutOthers: Strategy<RequestContext> = {
  create: (object, context) => review(context, object as Review, othersIn, true),
}

const aboutOthersInNamespace: Strategy<RequestContext> = {
  async create(object, context) {
    const reviewed = await review(context, object as Review, othersIn, true)
    return canonicalize(context.resource.storedType, {
      ...reviewed,
      metadata: { ...reviewed.metadata, namespace: context.namespace },
    })
  },
}

function localProblems(
  { resourceAttributes, nonResourceAttributes }: ReviewSpec,
  namespace: string,
): FieldError[] {
  if (namespace === '') return []
  const errors: FieldError[] = []
  const requested = resourceAttributes?.namespace ?? ''
  if (resourceAttributes && requested !== namespace)
    errors.push(
      invalidValue('spec.resourceAttributes.namespace', requested, 'must match metadata.namespace'),
    )
  if (nonResourceAttributes)
    errors.push(invalidPath(nonResourceAttributes, 'disallowed on this kind of request'))
  return errors
}

const invalidPath = (
  attributes: ReviewSpec['nonResourceAttributes'],
  why: string,
  field = 'spec.nonResourceAttributes',
): FieldError =>
  invalidStructure(field, 'authorization.v1.NonResourceAttributes', attributes, why, 'internal')

const aboutOneself: Strategy<RequestContext> = {
  create: (object, context) => review(context, object as Review, () => context.user, false),
}

interface RulesReview extends KubeObject {
  spec?: { namespace?: string }
}

const rulesOfOneself: Strategy<RequestContext> = {
  async create(object, context) {
    const namespaceIn = () => (object as RulesReview).spec?.namespace ?? ''
    recordOwnership(context, undefined, object)
    await admit(context, object, () => {
      if (namespaceIn() === '') throw badRequest('no namespace on request')
    })
    const namespace = namespaceIn()
    const rules = (await context.engine.authorizer.rules?.(context.user, namespace)) ?? {
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
    }
    return canonicalize(context.resource.storedType, {
      kind: object.kind,
      apiVersion: object.apiVersion,
      metadata: {},
      spec: {},
      status: rules,
    })
  },
}

const selfSubjectReview: Strategy<RequestContext> = {
  async create(object, context) {
    await admit(context, object, () => {})
    const { name, uid, groups, extra } = context.user
    const userInfo = {
      username: name,
      ...(uid ? { uid } : {}),
      groups,
      ...(extra ? { extra } : {}),
    }
    return canonicalize(context.resource.storedType, {
      kind: object.kind,
      apiVersion: object.apiVersion,
      metadata: { creationTimestamp: now(context) },
      status: { userInfo },
    })
  },
}

export const authorizationKinds: readonly Kind[] = [
  {
    group: 'authorization.k8s.io',
    kind: 'SubjectAccessReview',
    strategy: aboutOthers,
  },
  {
    group: 'authorization.k8s.io',
    kind: 'LocalSubjectAccessReview',
    strategy: aboutOthersInNamespace,
  },
  {
    group: 'authorization.k8s.io',
    kind: 'SelfSubjectAccessReview',
    strategy: aboutOneself,
  },
  {
    group: 'authorization.k8s.io',
    kind: 'SelfSubjectRulesReview',
    strategy: rulesOfOneself,
  },
  {
    group: 'authentication.k8s.io',
    kind: 'SelfSubjectReview',
    strategy: selfSubjectReview,
  },
]

function now(context: RequestContext): string {
  return new Date(context.engine.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z')
}
