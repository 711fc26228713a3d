/** `POST /kubetab/v1/repairs`: what would make a request pass. kube-apiserver does not have it. */
import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { badRequest } from '../http/status'
import type { ActingUser, Branches } from './branch'
import type { SentRequest } from './repair'
import { type Repair, searchRepairs } from './search'

export interface RepairReview {
  kind: 'RepairReview'
  apiVersion: 'kubetab/v1'
  spec: JsonObject
  status: {
    /** Of the response before repairs. */
    code: number
    reason?: string
    message?: string
    /** Where the request stopped, with the admission plugin. */
    stage?: string
    plugin?: string
    /** Sentences that the message does not contain. */
    explanations: readonly string[]
    repairs: readonly Repair[]
  }
}

/** @throws ApiError 400 for an invalid review */
export async function reviewRepairs(branches: Branches, review: Json): Promise<RepairReview> {
  const spec = isJsonObject(review) && isJsonObject(review.spec) ? review.spec : undefined
  if (spec === undefined) throw badRequest('spec: Required value')
  const { response, explanations, repairs } = await searchRepairs(
    branches,
    requestIn(spec),
    userIn(spec),
  )
  const { status, body, trace } = response
  const stop = status >= 400 ? trace?.spans.at(-1) : undefined
  return {
    kind: 'RepairReview',
    apiVersion: 'kubetab/v1',
    spec,
    status: {
      code: status,
      ...(status >= 400 && typeof body?.reason === 'string' && { reason: body.reason }),
      ...(status >= 400 && typeof body?.message === 'string' && { message: body.message }),
      ...(stop !== undefined && { stage: stop.stage }),
      ...(stop?.part !== undefined && { plugin: stop.part }),
      explanations,
      repairs,
    },
  }
}

function requestIn({ request }: JsonObject): SentRequest {
  if (!isJsonObject(request)) throw badRequest('spec.request: Required value')
  const { method, path, contentType, body } = request
  if (typeof method !== 'string' || !/^[A-Z]+$/.test(method))
    throw badRequest('spec.request.method: must be an HTTP method')
  if (typeof path !== 'string' || !path.startsWith('/') || path.startsWith('/kubetab/'))
    throw badRequest('spec.request.path: must be a path of the Kubernetes API')
  return {
    method,
    path,
    ...(typeof contentType === 'string' && { contentType }),
    ...(typeof body === 'string' && { body }),
    ...(isJsonObject(body) && { body: JSON.stringify(body) }),
  }
}

/** As in a SubjectAccessReview. */
function userIn({ user, uid, groups, extra }: JsonObject): ActingUser | undefined {
  if (user === undefined) return undefined
  if (typeof user !== 'string') throw badRequest('spec.user: must be a string')
  return {
    name: user,
    ...(typeof uid === 'string' && { uid }),
    ...(groups !== undefined && { groups: texts(groups, 'spec.groups') }),
    ...(isJsonObject(extra) && {
      extra: Object.fromEntries(
        Object.entries(extra).map(([key, values]) => [key, texts(values, `spec.extra[${key}]`)]),
      ),
    }),
  }
}

function texts(value: Json, field: string): string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw badRequest(`${field}: must be a list of strings`)
}
