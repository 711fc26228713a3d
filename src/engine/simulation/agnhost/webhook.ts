// cspell:ignore nondeletable
/**
 * The reviews of `agnhost webhook`, an admission webhook for tests of webhooks
 * (kubernetes/kubernetes, test/images/agnhost/README.md).
 */
import { entryOf, isJsonObject, type Json, type JsonObject } from '../../core/object'
import { base64OfBytes } from '../../schema/base64'
import type { HttpResponse } from '../network/client'

type Review = (request: AdmissionRequest, flags: WebhookFlags) => JsonObject | undefined

export interface WebhookFlags {
  'sidecar-image': string
}

interface AdmissionRequest {
  uid: Json
  name: string
  operation: string
  resource: string
  subResource: string
  /** The new object; the old one of a DELETE. */
  object: JsonObject
}

const MARK = 'webhook-e2e-test'
const ALLOWED = { allowed: true }

const denied = (result: JsonObject): JsonObject => ({
  allowed: false,
  status: { metadata: {}, ...result },
})

const patched = (...patch: readonly JsonObject[]): JsonObject => ({
  allowed: true,
  patch: base64OfBytes(new TextEncoder().encode(JSON.stringify(patch))),
  patchType: 'JSONPatch',
})

const memberOf = (object: Json | undefined, ...path: string[]): Json | undefined =>
  path.reduce<Json | undefined>(
    (found, name) => (isJsonObject(found) ? entryOf(found, name) : undefined),
    object,
  )

const namesIn = (containers: Json | undefined): Json[] =>
  (Array.isArray(containers) ? containers : []).map((one) => memberOf(one, 'name') ?? '')

/** Denies the data that its tests mark. */
const ofData =
  (what: string, contains: string): Review =>
  ({ operation, object }) => {
    const mark = memberOf(object, 'data', MARK)
    if (mark === 'webhook-disallow' && (operation === 'CREATE' || operation === 'UPDATE'))
      return denied({ reason: `the ${what} contains ${contains}` })
    if (mark === 'webhook-nondeletable' && operation === 'DELETE')
      return denied({
        reason: `the ${what} cannot be deleted because it contains unwanted key and value`,
      })
    return ALLOWED
  }

/** Adds data in two stages, the second of which builds on the first. */
const mutateData: Review = ({ object }) => {
  const stage =
    memberOf(object, 'data', 'mutation-stage-1') === 'yes'
      ? 2
      : memberOf(object, 'data', 'mutation-start') === 'yes'
        ? 1
        : undefined
  return stage === undefined
    ? ALLOWED
    : patched({ op: 'add', path: `/data/mutation-stage-${stage}`, value: 'yes' })
}

const only =
  (resource: string, review: Review): Review =>
  (request, flags) =>
    request.resource === resource ? review(request, flags) : undefined

const addLabel: Review = ({ object }) => {
  const labels = memberOf(object, 'metadata', 'labels')
  const present = memberOf(labels, 'added-label')
  if (present === 'yes') return ALLOWED
  if (!isJsonObject(labels) || Object.keys(labels).length === 0)
    return patched({ op: 'add', path: '/metadata/labels', value: { 'added-label': 'yes' } })
  const op = present === undefined ? 'add' : 'replace'
  return patched({ op, path: '/metadata/labels/added-label', value: 'yes' })
}

const admitPod: Review = ({ object }) => {
  const isMarked = memberOf(object, 'metadata', 'labels', MARK) === 'webhook-disallow'
  const isNamed = namesIn(memberOf(object, 'spec', 'containers')).some((name) =>
    String(name).includes('webhook-disallow'),
  )
  const message = [
    ...(isMarked ? ['the pod contains unwanted label;'] : []),
    ...(isNamed ? ['the pod contains unwanted container name;'] : []),
  ]
  return message.length > 0 ? denied({ message: message.join(' ') }) : ALLOWED
}

const addInitContainer: Review = ({ object }) => {
  const name = 'webhook-added-init-container'
  const present = namesIn(memberOf(object, 'spec', 'initContainers'))
  return memberOf(object, 'metadata', 'name') !== 'webhook-to-be-mutated' || present.includes(name)
    ? ALLOWED
    : patched({
        op: 'add',
        path: '/spec/initContainers',
        value: [{ image: 'webhook-added-image', name, resources: {} }],
      })
}

const addSidecar: Review = ({ object }, { 'sidecar-image': image }) => {
  const name = 'webhook-added-sidecar'
  if (image === '') {
    const message = 'No image specified by the sidecar-image parameter'
    return denied({ status: 'Failure', message, code: 500 })
  }
  return namesIn(memberOf(object, 'spec', 'containers')).includes(name)
    ? ALLOWED
    : patched({ op: 'add', path: '/spec/containers/-', value: { image, name, resources: {} } })
}

const admitAttachment: Review = ({ name, object }) =>
  name === 'to-be-attached-pod' &&
  memberOf(object, 'stdin') === true &&
  memberOf(object, 'container') === 'container1'
    ? denied({ message: "attaching to pod 'to-be-attached-pod' is not allowed" })
    : ALLOWED

const admitDefinition: Review = ({ object }) =>
  memberOf(object, 'metadata', 'labels', MARK) === 'webhook-disallow'
    ? denied({ message: 'the crd contains unwanted label' })
    : ALLOWED

const REVIEWS: ReadonlyMap<string, Review> = new Map<string, Review>([
  ['/always-allow-delay-5s', () => ALLOWED],
  ['/always-deny', () => denied({ message: 'this webhook denies all requests' })],
  ['/add-label', addLabel],
  ['/pods', only('pods', admitPod)],
  ['/pods/attach', admitAttachment],
  ['/mutating-pods', only('pods', addInitContainer)],
  ['/mutating-pods-sidecar', only('pods', addSidecar)],
  ['/configmaps', only('configmaps', ofData('configmap', 'unwanted key and value'))],
  ['/mutating-configmaps', only('configmaps', mutateData)],
  ['/custom-resource', ofData('custom resource', 'unwanted data')],
  ['/mutating-custom-resource', mutateData],
  ['/crd', admitDefinition],
])

const JSON_TYPE = { 'content-type': 'application/json' }
const PLAIN = { 'content-type': 'text/plain; charset=utf-8' }
const DELAY_SECONDS = 5

/** @returns undefined if it closes the connection without a response */
export function reviewedBy(
  path: string,
  body: string,
  flags: WebhookFlags,
): HttpResponse | undefined {
  if (path === '/readyz') return { status: 200, headers: PLAIN, body: 'ok' }
  const review = REVIEWS.get(path)
  if (review === undefined) return { status: 404, headers: PLAIN, body: '404 page not found\n' }
  const sent = parsed(body)
  const request = memberOf(sent, 'request')
  if (memberOf(sent, 'kind') !== 'AdmissionReview' || !isJsonObject(request)) {
    const why = "Request could not be decoded: couldn't get version/kind; json parse error"
    return { status: 400, headers: PLAIN, body: `${why}\n` }
  }
  const reviewed = requestIn(request)
  const response = review(reviewed, flags)
  if (response === undefined) return undefined
  const { apiVersion = '', kind = '' } = sent as JsonObject
  return {
    status: 200,
    headers: JSON_TYPE,
    body: JSON.stringify({ kind, apiVersion, response: { uid: reviewed.uid, ...response } }),
    seconds: delayOf(path, reviewed),
  }
}

function delayOf(path: string, { object }: AdmissionRequest): number {
  if (path === '/pods' && memberOf(object, 'metadata', 'labels', MARK) === 'wait-forever')
    return Number.POSITIVE_INFINITY
  return path === '/always-allow-delay-5s' ? DELAY_SECONDS : 0
}

function requestIn(request: JsonObject): AdmissionRequest {
  const text = (...path: string[]) => String(memberOf(request, ...path) ?? '')
  const operation = text('operation')
  const object = memberOf(request, operation === 'DELETE' ? 'oldObject' : 'object')
  return {
    uid: memberOf(request, 'uid') ?? '',
    name: text('name'),
    operation,
    resource: text('resource', 'resource'),
    subResource: text('subResource'),
    object: isJsonObject(object) ? object : {},
  }
}

/** @returns undefined for invalid JSON */
export function parsed(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json
  } catch {
    return undefined
  }
}
