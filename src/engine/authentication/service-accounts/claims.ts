/** kubernetes.io, "Bound service account tokens". Recorded from kube-apiserver 1.31. */
import type { JsonObject } from '../../core/object'

export interface Reference {
  name: string
  /** Absent for a missing node of a pod. */
  uid?: string
}

export interface Account {
  namespace: string
  name: string
  uid: string
}

export interface Grant {
  account: Account
  audiences: readonly string[]
  /** Seconds of validity. */
  lifetime: number
  /** Seconds; later uses are recorded. */
  warnAfter?: number
  /** The token becomes invalid with these; a pod's node is only informational. */
  pod?: Reference
  node?: Reference
  secret?: Reference
}

export interface Claims {
  identity: string
  audiences: readonly string[]
  subject: string
  /** Seconds since the epoch. */
  expires: number | undefined
  notBefore: number | undefined
  issuedAt: number | undefined
  warnAfter: number | undefined
  account: Account
  pod: Reference | undefined
  node: Reference | undefined
  secret: Reference | undefined
}

const PREFIX = 'system:serviceaccount:'

export const userNameOf = ({ namespace, name }: Pick<Account, 'namespace' | 'name'>): string =>
  `${PREFIX}${namespace}:${name}`

/**
 * @param now milliseconds since the epoch
 * @returns sorted keys, as in kube-apiserver
 */
export function claimsOf(
  grant: Grant,
  { issuer, identity, now }: { issuer: string; identity: string | undefined; now: number },
): JsonObject {
  const { account, pod, node, secret } = grant
  const at = (seconds: number) => Math.floor(now / 1000) + seconds
  return {
    aud: [...grant.audiences],
    exp: at(grant.lifetime),
    iat: at(0),
    iss: issuer,
    ...(identity === undefined ? {} : { jti: identity }),
    'kubernetes.io': {
      namespace: account.namespace,
      ...(node ? { node: { ...node } } : {}),
      ...(pod ? { pod: { ...pod } } : {}),
      ...(secret ? { secret: { ...secret } } : {}),
      serviceaccount: { name: account.name, uid: account.uid },
      ...(grant.warnAfter ? { warnafter: at(grant.warnAfter) } : {}),
    },
    nbf: at(0),
    sub: userNameOf(account),
  }
}

/** Ignores missing members, and members of a wrong type. */
export function readClaims(claims: JsonObject): Claims {
  const own = objectAt(claims, 'kubernetes.io')
  return {
    identity: textAt(claims, 'jti'),
    audiences: audiencesOf(claims),
    subject: textAt(claims, 'sub'),
    expires: numberAt(claims, 'exp'),
    notBefore: numberAt(claims, 'nbf'),
    issuedAt: numberAt(claims, 'iat'),
    warnAfter: numberAt(own, 'warnafter'),
    account: {
      namespace: textAt(own, 'namespace'),
      name: textAt(objectAt(own, 'serviceaccount'), 'name'),
      uid: textAt(objectAt(own, 'serviceaccount'), 'uid'),
    },
    pod: referenceAt(own, 'pod'),
    node: referenceAt(own, 'node'),
    secret: referenceAt(own, 'secret'),
  }
}

/** A single audience may be a string (RFC 7519, section 4.1.3). */
export function audiencesOf({ aud }: JsonObject): string[] {
  const listed = Array.isArray(aud) ? aud : [aud]
  return listed.filter((audience): audience is string => typeof audience === 'string')
}

export function textAt(object: JsonObject, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value : ''
}

function numberAt(object: JsonObject, name: string): number | undefined {
  const value = object[name]
  return typeof value === 'number' ? value : undefined
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function referenceAt(object: JsonObject, name: string): Reference | undefined {
  if (object[name] === undefined || object[name] === null) return undefined
  const reference = objectAt(object, name)
  const uid = textAt(reference, 'uid')
  return { name: textAt(reference, 'name'), ...(uid ? { uid } : {}) }
}
