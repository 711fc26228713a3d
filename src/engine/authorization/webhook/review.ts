/** Questions to webhooks: SubjectAccessReviews of either version, and what their answers say (document 2, "SubjectAccessReview"; recorded). */
import { isJsonObject, type Json, type JsonObject } from '../../object'
import { ENVELOPE, jsonTypeName } from '../../schema/envelope'
import { readYaml } from '../../schema/yaml-reader'
import type { Attributes } from '../authorizer'
import type { SelectorAttributes } from '../selectors'

export type ReviewVersion = 'v1' | 'v1beta1'

export interface ReviewStatus {
  allowed: boolean
  denied: boolean
  reason: string
}

const apiVersionOf = (version: ReviewVersion): string => `authorization.k8s.io/${version}`

/** What is asked, in version v1; members that say nothing are left out. Match conditions look at the same. */
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
  const { namespace, verb, group, version, resource, subresource, name, fieldSelector, labelSelector } = attributes
  return {
    ...filled({ namespace, verb, group, version, resource, subresource, name }),
    ...selector('fieldSelector', fieldSelector),
    ...selector('labelSelector', labelSelector),
  }
}

function selector(member: string, said: SelectorAttributes | undefined): JsonObject {
  if (said === undefined || said.requirements.length === 0) return {}
  return { [member]: { requirements: said.requirements as unknown as Json } }
}

const filled = (members: Record<string, string>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''))

/** The body of the request. */
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

/** An answer that is none; the message is the real server's. */
export class ReviewError extends Error {
  /** @param retriable asking again may help */
  constructor(
    message: string,
    readonly retriable: boolean,
  ) {
    super(message)
  }
}

/** @throws ReviewError */
export function readReview(version: ReviewVersion, code: number, body: string): ReviewStatus {
  const document = parsed(body)
  if (code < 200 || code > 206) throw refusal(code, body, document)
  if (!isJsonObject(document)) {
    const found = typeof document === 'undefined' ? 'string' : jsonTypeName(document)
    throw new ReviewError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type ${ENVELOPE}`,
      false,
    )
  }
  if (!document.kind) throw new ReviewError(`Object 'Kind' is missing in '${body}'`, false)
  if (document.kind !== 'SubjectAccessReview' || document.apiVersion !== apiVersionOf(version))
    throw new ReviewError(
      `unable to decode ${String(document.apiVersion)}, Kind=${String(document.kind)} into a SubjectAccessReview of ${apiVersionOf(version)}`,
      false,
    )
  const status = isJsonObject(document.status) ? document.status : {}
  return {
    allowed: status.allowed === true,
    denied: status.denied === true,
    reason: typeof status.reason === 'string' ? status.reason : '',
  }
}

function parsed(body: string): Json | undefined {
  try {
    return readYaml(body).value
  } catch {
    return undefined
  }
}

const RETRIABLE_REASONS = ['InternalError', 'Timeout', 'TooManyRequests', 'ServerTimeout']

/** A Status speaks for itself; of anything else only the code is told. */
function refusal(code: number, body: string, document: Json | undefined): ReviewError {
  if (isJsonObject(document) && document.kind === 'Status' && document.status !== 'Success')
    return new ReviewError(String(document.message ?? 'unknown'), RETRIABLE_REASONS.includes(String(document.reason)))
  switch (code) {
    case 401:
      return new ReviewError(body.trim() || 'the server has asked for the client to provide credentials', false)
    case 403:
      return new ReviewError(body.trim() || 'unknown', false)
    case 404:
      return new ReviewError('the server could not find the requested resource', false)
    case 429:
      return new ReviewError('the server has received too many requests and has asked us to try again later', true)
    case 503:
      return new ReviewError('the server is currently unable to handle the request', false)
    case 504:
      return new ReviewError(
        'the server was unable to return a response in the time allotted, but may still be processing the request',
        true,
      )
    default:
      return code >= 500
        ? new ReviewError(
            `an error on the server (${JSON.stringify(body.trim() || 'unknown')}) has prevented the request from succeeding`,
            true,
          )
        : new ReviewError(`the server responded with the status code ${code} but did not return more information`, false)
  }
}
