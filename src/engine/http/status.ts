/** Texts recorded from kube-apiserver 1.31. */

import type { ChangeName, ReleaseTypes } from '../release-tables/changes'
import { goQuote } from '../schema/go-text'

export interface StatusCause {
  reason?: string
  message?: string
  field?: string
}

export interface StatusDetails {
  name?: string
  group?: string
  kind?: string
  uid?: string
  causes?: StatusCause[]
  retryAfterSeconds?: number
}

export interface Status {
  kind: 'Status'
  apiVersion: 'v1'
  metadata: { resourceVersion?: string; continue?: string; remainingItemCount?: number }
  status: 'Success' | 'Failure'
  message?: string
  reason?: string
  details?: StatusDetails
  code?: number
}

export interface InvalidObject {
  target: { group: string; kind: string }
  name: string
  errors: readonly FieldError[]
}

/** The decision behind a rejection, from which repairs are computed. */
export type RejectionGrounds =
  | {
      by: 'authorization'
      verb: string
      isResource: boolean
      path: string
      group: string
      resource: string
      subresource: string
      namespace: string
      name: string
    }
  /** Paths in FieldsV1 notation. */
  | { by: 'field ownership'; conflicts: readonly (readonly string[])[] }
  /** `hard` has the amounts that would suffice. */
  | { by: 'quota'; quota: string; hard: Readonly<Record<string, string>> }
  /** Container names by entry, such as `limits.cpu`. */
  | { by: 'quota constraint'; quota: string; missing: Readonly<Record<string, readonly string[]>> }
  /** Reasons of the violated checks. */
  | { by: 'pod security'; level: string; reasons: readonly string[] }
  | { by: 'webhook call' | 'webhook'; resource: string; configuration: string; webhook: string }

/** Its Status becomes the response. */
export class ApiError extends Error {
  /** Set where the Status does not contain them. */
  grounds?: RejectionGrounds
  constructor(
    readonly status: Status,
    readonly headers: Record<string, string> = {},
    readonly invalid?: InvalidObject,
  ) {
    super(status.message ?? status.reason ?? 'error')
  }
  get code(): number {
    return this.status.code ?? 500
  }
}

/** The client no longer waits. */
export class RequestTimedOut extends Error {}

export interface ResourceName {
  group: string
  resource: string
}

/** `deployments.apps`; the core group has no suffix. */
export function qualified(target: ResourceName): string {
  return target.group === '' ? target.resource : `${target.resource}.${target.group}`
}

export function failure(
  code: number,
  reason: string | undefined,
  message: string,
  details?: StatusDetails,
): ApiError {
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' }
  if (message !== '') status.message = message
  if (reason !== undefined) status.reason = reason
  if (details !== undefined) status.details = orderedDetails(details)
  status.code = code
  const headers: Record<string, string> = {}
  if (details?.retryAfterSeconds) headers['retry-after'] = String(details.retryAfterSeconds)
  return new ApiError(status, headers)
}

function orderedDetails(details: StatusDetails): StatusDetails {
  const { name, group, kind, uid, causes, retryAfterSeconds } = details
  return {
    ...(name ? { name } : {}),
    ...(group ? { group } : {}),
    ...(kind ? { kind } : {}),
    ...(uid ? { uid } : {}),
    ...(causes && causes.length > 0 ? { causes } : {}),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  }
}

function of(target: ResourceName, name: string): StatusDetails {
  return { name, group: target.group, kind: target.resource }
}

export const notFound = (target: ResourceName, name: string): ApiError =>
  failure(404, 'NotFound', `${qualified(target)} ${goQuote(name)} not found`, of(target, name))

/** Without name or kind. */
export const noSuchResource = (): ApiError =>
  failure(404, 'NotFound', 'the server could not find the requested resource', {})

export const alreadyExists = (target: ResourceName, name: string): ApiError =>
  failure(
    409,
    'AlreadyExists',
    `${qualified(target)} ${goQuote(name)} already exists`,
    of(target, name),
  )

export const conflict = (target: ResourceName, name: string, why: string): ApiError =>
  failure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(target)} ${goQuote(name)}: ${why}`,
    of(target, name),
  )

export const MODIFIED_MEANWHILE =
  'the object has been modified; please apply your changes to the latest version and try again'

export const forbidden = (target: ResourceName, name: string, why: string): ApiError =>
  failure(
    403,
    'Forbidden',
    `${qualified(target)}${name === '' ? '' : ` ${goQuote(name)}`} is forbidden: ${why}`,
    of(target, name),
  )

export const badRequest = (message: string): ApiError => failure(400, 'BadRequest', message)

export const unauthorized = (): ApiError => failure(401, 'Unauthorized', 'Unauthorized')

export const methodNotAllowed = (): ApiError =>
  failure(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  )

export const nameMissing = (): ApiError => badRequest('name must be provided')

/** kube-apiserver sends it by design, without a reason. */
export const serverError = (message: string): ApiError => failure(500, undefined, message)

/**
 * 503 if the write was certainly not stored, so that clients retry; otherwise 504, as a timeout.
 */
export const storeUnavailable = (why: string, uncertain: boolean): ApiError =>
  uncertain
    ? failure(
        504,
        'Timeout',
        `Timeout: request did not complete within the allotted timeout: ${why}`,
      )
    : failure(503, 'ServiceUnavailable', why, { retryAfterSeconds: 1 })

/** A bug in this engine; the host logs the cause. */
export const internalError = (message: string): ApiError =>
  failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] })

export const SUCCESS: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
}

/**
 * kube-apiserver has no bound, and needs minutes for an object of 100 KB in which every error
 * quotes a whole list.
 */
export const MAX_ERROR_CHARACTERS = 2 ** 20

/** Counts errors beyond the bound at the end of the message. */
export function invalid(
  target: { group: string; kind: string },
  name: string,
  errors: readonly FieldError[],
): ApiError {
  const kind = target.group === '' ? target.kind : `${target.kind}.${target.group}`
  const { texts, causes, omitted } = withinBound(errors)
  if (omitted > 0) texts.push(`and ${omitted} more errors`)
  const list =
    texts.length === 0 ? '<nil>' : texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  const { status, headers } = failure(
    422,
    'Invalid',
    `${kind} ${goQuote(name)} is invalid: ${list}`,
    { name, group: target.group, kind: target.kind, causes },
  )
  return new ApiError(status, headers, { target, name, errors })
}

/** Estimated, without field and message. */
const CAUSE_CHARACTERS = 60

/** Equal texts once, and always the first error. */
function withinBound(errors: readonly FieldError[]): {
  texts: string[]
  causes: StatusCause[]
  omitted: number
} {
  const texts = new Set<string>()
  const causes: StatusCause[] = []
  let characters = 0
  let omitted = 0
  for (const { reason, field, detail, times = 1 } of errors) {
    const size = field.length + detail.length + CAUSE_CHARACTERS
    const room = Math.max(
      Math.floor((MAX_ERROR_CHARACTERS - characters - size) / size),
      causes.length === 0 ? 1 : 0,
    )
    const listed = omitted > 0 ? 0 : Math.min(times, room)
    omitted += times - listed
    if (listed === 0) continue
    texts.add(`${field}: ${detail}`)
    for (let i = 0; i < listed; i++) causes.push({ reason, message: detail, field })
    characters += (listed + 1) * size
  }
  return { texts: [...texts], causes, omitted }
}

export interface LaterDetail {
  change: ChangeName
  /** Or made with the release's types. */
  detail: string | ((tables: ReleaseTypes) => string)
  field?: string
  reason?: string
}

/** Created by validation/field-errors.ts. */
export interface FieldError {
  /** `spec.containers[0].image` */
  field: string
  /** `FieldValueInvalid` */
  reason: string
  /** `Invalid value: "x": must be …` */
  detail: string
  /** The last applicable change counts. */
  later?: readonly LaterDetail[]
  /** Releases without this change lack the error. */
  since?: ChangeName
  /** Releases with this change lack the error. */
  until?: ChangeName
  /** Occurrences; absent: 1. */
  times?: number
  /** The values that the field may have, if they can be listed. */
  supported?: readonly string[]
}

export function currentError(error: FieldError, tables: ReleaseTypes): FieldError {
  const now = error.later?.findLast(({ change }) => tables.changes.has(change))
  if (now === undefined) return error
  const { field = error.field, reason = error.reason, detail } = now
  return { ...error, field, reason, detail: typeof detail === 'string' ? detail : detail(tables) }
}

export const detailOf = (error: FieldError, tables: ReleaseTypes): string =>
  currentError(error, tables).detail
