/** KEP-1205. Recorded from kube-apiserver 1.31. */
import type { Grant, Reference } from '../../authentication/service-accounts/claims'
import type { ServiceAccountTokens } from '../../authentication/service-accounts/tokens'
import { credentialId } from '../../authentication/service-accounts/validity'
import { timestamp } from '../../core/environment'
import { type KubeObject, parseApiVersion } from '../../core/object'
import {
  type ApiError,
  badRequest,
  conflict,
  type FieldError,
  invalid,
  notFound,
} from '../../http/status'
import { keyOf, type RequestContext } from '../../registry/request-context'
import { type Resource, storageKey } from '../../registry/resource'
import { goQuote } from '../../schema/go-text'
import { invalidValue } from '../../validation/field-errors'

interface BoundObjectReference {
  kind?: string
  apiVersion?: string
  name?: string
  uid?: string
}

export interface TokenRequest extends KubeObject {
  spec: {
    audiences?: string[] | null
    expirationSeconds: number
    boundObjectRef?: BoundObjectReference | null
  }
  status?: { token: string; expirationTimestamp: string }
}

const KIND = { group: 'authentication.k8s.io', kind: 'TokenRequest' }
const SHORTEST_SECONDS = 10 * 60
const LONGEST_SECONDS = 2 ** 32
export const DEFAULT_SECONDS = 60 * 60
/** Kubelets renew automounted tokens; clients that do not reload use the old one for a while. */
const OF_PODS_SECONDS = 3607
const EXTENDED_SECONDS = 365 * 24 * 60 * 60

/**
 * @param context of the service account @param validate runs after the request is valid
 * @throws ApiError 400, 404, 409, 422
 */
export async function requestToken(
  context: RequestContext,
  tokens: ServiceAccountTokens,
  request: TokenRequest,
  validate: () => Promise<void>,
): Promise<TokenRequest> {
  const { engine, name, namespace } = context
  const { metadata, spec } = request
  checkName(metadata.name ?? '', name)
  const account = await stored(context, context.resource, name)
  if (!spec.audiences?.length) spec.audiences = [...tokens.settings.audiences]
  metadata.name = name
  if (engine.tables.changes.has('TokenRequestsHaveUids') && account.metadata.uid)
    metadata.uid = account.metadata.uid
  const now = engine.clock.now()
  metadata.creationTimestamp = timestamp(now)
  const errors = problemsOf(spec.expirationSeconds)
  if (errors.length > 0) throw invalid(KIND, '', errors)
  await validate()
  const bound = spec.boundObjectRef ? await boundTo(context, spec.boundObjectRef) : {}
  shorten(context, spec, tokens.settings.maxLifetime)
  const grant: Grant = {
    account: { namespace, name, uid: account.metadata.uid ?? '' },
    audiences: spec.audiences,
    ...lifetimeOf(spec, bound, tokens),
    ...bound,
  }
  const { token, identity } = await tokens.issue(grant)
  if (identity)
    context.trace.annotations['authentication.kubernetes.io/issued-credential-id'] =
      credentialId(identity)
  return {
    ...request,
    status: { token, expirationTimestamp: timestamp(now + spec.expirationSeconds * 1000) },
  }
}

function checkName(given: string, name: string): void {
  if (given === '' || given === name) return
  throw invalid(KIND, name, [
    invalidValue('metadata.name', given, 'must match the service account name if specified'),
  ])
}

function problemsOf(seconds: number): FieldError[] {
  const wrong = (why: string) => [invalidValue('spec.expirationSeconds', seconds, why)]
  if (seconds < SHORTEST_SECONDS) return wrong('may not specify a duration less than 10 minutes')
  return seconds > LONGEST_SECONDS
    ? wrong('may not specify a duration larger than 2^32 seconds')
    : []
}

function shorten({ warn }: RequestContext, spec: TokenRequest['spec'], longest: number): void {
  if (longest <= 0 || spec.expirationSeconds <= longest) return
  warn(`requested expiration of ${spec.expirationSeconds} seconds shortened to ${longest} seconds`)
  spec.expirationSeconds = longest
}

/** Extended for automounted tokens of this server alone; late use is only recorded. */
function lifetimeOf(
  spec: TokenRequest['spec'],
  { pod }: Bound,
  { settings }: ServiceAccountTokens,
): Pick<Grant, 'lifetime' | 'warnAfter'> {
  const lifetime = spec.expirationSeconds
  const forServer = spec.audiences?.every((audience) => settings.audiences.includes(audience))
  if (!settings.extendLifetime || pod === undefined || lifetime !== OF_PODS_SECONDS || !forServer)
    return { lifetime }
  return { lifetime: EXTENDED_SECONDS, warnAfter: lifetime }
}

type Bound = Pick<Grant, 'pod' | 'node' | 'secret'>

async function boundTo(context: RequestContext, reference: BoundObjectReference): Promise<Bound> {
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference
  const { group, version } = parseApiVersion(apiVersion)
  const resource = group === '' ? boundResource(context, kind) : undefined
  if (resource === undefined)
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`)
  const { ServiceAccountTokenNodeBinding } = context.engine.featureGates
  if (kind === 'Node' && !ServiceAccountTokenNodeBinding)
    throw badRequest(
      'cannot bind token to a Node object as the "ServiceAccountTokenNodeBinding" feature-gate is disabled',
    )
  const object = await stored(context, resource, name)
  const bound = await boundAs(context, kind, object)
  if (uid !== '' && uid !== object.metadata.uid) throw otherUid(kind, name, uid)
  return bound
}

function boundResource({ engine }: RequestContext, kind: string): Resource | undefined {
  return ['Pod', 'Node', 'Secret'].includes(kind)
    ? engine.resources.byKind('', 'v1', kind)
    : undefined
}

async function boundAs(context: RequestContext, kind: string, object: KubeObject): Promise<Bound> {
  const reference: Reference = { name: object.metadata.name ?? '', uid: object.metadata.uid ?? '' }
  if (kind === 'Secret') return { secret: reference }
  if (kind === 'Node') return { node: reference }
  const { serviceAccountName, nodeName = '' } = (
    object as KubeObject & { spec: { serviceAccountName?: string; nodeName?: string } }
  ).spec
  if (serviceAccountName !== context.name) {
    const what = `cannot bind token for serviceaccount ${goQuote(context.name)} to pod running with different serviceaccount name.`
    throw badRequest(what)
  }
  const includesNode =
    nodeName !== '' && context.engine.featureGates.ServiceAccountTokenPodNodeInfo === true
  return { pod: reference, ...(!includesNode ? {} : { node: await nodeOf(context, nodeName) }) }
}

/** If missing, only its name. */
async function nodeOf(context: RequestContext, name: string): Promise<Reference> {
  const nodes = boundResource(context, 'Node')
  const uid =
    nodes && (await context.engine.storage.get(storageKey(nodes, '', name)))?.object.metadata.uid
  return uid ? { name, uid } : { name }
}

/** @throws ApiError 400 for an invalid name, 404 */
async function stored(
  context: RequestContext,
  resource: Resource,
  name: string,
): Promise<KubeObject> {
  const found = await context.engine.storage.get(keyOf({ ...context, resource, name }))
  if (found === undefined) throw notFound({ group: '', resource: resource.resource }, name)
  return found.object
}

/** kube-apiserver names the kind, not the resource. */
function otherUid(kind: string, name: string, uid: string): ApiError {
  const why = `the UID in the bound object reference (${uid}) does not match the UID in record`
  return conflict(
    { group: '', resource: kind },
    name,
    `${why}. The object might have been deleted and then recreated`,
  )
}
