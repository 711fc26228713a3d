import type { AccessDecision, AccessQuery } from '../../../engine/cel/library/authorizer'
import { isJsonObject, type Json, type JsonObject } from '../../../engine/core/object'
import { typeOf } from '../../../engine/inspection/types'
import { ANONYMOUS, PAGE_ACTOR, useActors } from '../../state/actors'
import { sendRequest } from '../../state/client'
import { resourceOfKind, useDiscovery } from '../../state/discovery'
import { typeOfKind } from '../objects/types'
import type { BenchHelp } from './bench'
import { requestFor } from './request'

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
const AUTHENTICATED = 'system:authenticated'

export const HELP: BenchHelp = { authorize, typeOf: kindType, requestOf }

async function authorize(query: AccessQuery, request: JsonObject): Promise<AccessDecision> {
  const spec = { ...subjectOf(query, request), ...attributesOf(query) }
  const body = JSON.stringify({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec,
  })
  const { ok, json, text } = await sendRequest({
    method: 'POST',
    path: REVIEWS,
    body,
    origin: 'page',
    actor: PAGE_ACTOR,
  })
  if (!ok)
    return {
      allowed: false,
      reason: '',
      error: (json as { message?: string } | undefined)?.message ?? text,
    }
  const {
    allowed = false,
    reason = '',
    evaluationError,
  } = (json as { status?: ReviewStatus }).status ?? {}
  return { allowed, reason, ...(evaluationError ? { error: evaluationError } : {}) }
}

interface ReviewStatus {
  allowed?: boolean
  reason?: string
  evaluationError?: string
}

function subjectOf({ serviceAccount }: AccessQuery, { userInfo }: JsonObject): JsonObject {
  if (serviceAccount !== undefined) {
    const { namespace, name } = serviceAccount
    return {
      user: `system:serviceaccount:${namespace}:${name}`,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, AUTHENTICATED],
    }
  }
  const { username, groups, uid, extra } = isJsonObject(userInfo) ? userInfo : {}
  return {
    user: username ?? '',
    groups: groups ?? [],
    ...(uid === undefined ? {} : { uid }),
    ...(extra === undefined ? {} : { extra }),
  }
}

function attributesOf({
  path,
  group,
  resource,
  subresource,
  namespace,
  name,
  verb,
}: AccessQuery): JsonObject {
  if (path !== undefined) return { nonResourceAttributes: { path, verb } }
  return {
    resourceAttributes: { group, version: '*', resource, subresource, namespace, name, verb },
  }
}

async function kindType(apiVersion: string, kind: string) {
  const type = await typeOfKind(apiVersion, kind)
  return type && typeOf(type)
}

function requestOf(object: Json | undefined, oldObject: Json | undefined): JsonObject {
  const { actor } = useActors.getState()
  const subject = isJsonObject(object) ? object : isJsonObject(oldObject) ? oldObject : {}
  const { resources } = useDiscovery.getState()
  const served = resourceOfKind(
    resources,
    String(subject.apiVersion ?? ''),
    String(subject.kind ?? ''),
  )
  const isAnonymous = actor.name === ANONYMOUS.name
  const groups =
    isAnonymous || actor.groups.includes(AUTHENTICATED)
      ? actor.groups
      : [...actor.groups, AUTHENTICATED]
  const name = isAnonymous ? 'system:anonymous' : actor.name
  return requestFor(object, oldObject, served?.resource ?? '', { name, groups })
}
