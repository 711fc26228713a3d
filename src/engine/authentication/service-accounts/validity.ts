/** Messages recorded from kube-apiserver 1.31, or from package pkg/serviceaccount. */

import type { KubeObject } from '../../core/object'
import { notFound } from '../../http/status'
import { goQuote } from '../../schema/go-text'
import type { Storage } from '../../storage/storage'
import type { UserInfo } from '../authenticator'
import { type Account, type Claims, type Reference, userNameOf } from './claims'

/** Tolerated difference between clocks. */
const LEEWAY_SECONDS = 60
const INVALIDATED = 'service account token has been invalidated'

export class InvalidTokenError extends Error {}

/** @throws InvalidTokenError */
export async function checkClaims(
  claims: Claims,
  storage: Storage,
  now: number,
  boundToNodes = true,
): Promise<void> {
  checkTimes(claims, now / 1000)
  const { account, pod, node, secret } = claims
  await checkAccount(account, storage, now)
  if (secret)
    await checkBound('secret', `/registry/secrets/${account.namespace}/`, secret, storage, now)
  if (pod) await checkBound('pod', `/registry/pods/${account.namespace}/`, pod, storage, now)
  else if (node && !boundToNodes)
    throw new InvalidTokenError(
      'token is bound to a Node object but the ServiceAccountTokenNodeBindingValidation feature gate is disabled',
    )
  else if (node) await checkBound('node', '/registry/minions/', node, storage, now)
}

function checkTimes({ expires, notBefore, issuedAt }: Claims, now: number): void {
  if (notBefore !== undefined && now + LEEWAY_SECONDS < notBefore)
    throw new InvalidTokenError('service account token is not valid yet')
  if (expires !== undefined && now - LEEWAY_SECONDS > expires)
    throw new InvalidTokenError('service account token has expired')
  if (issuedAt !== undefined && now + LEEWAY_SECONDS < issuedAt)
    throw new InvalidTokenError('service account token is issued in the future')
}

async function checkAccount(
  { namespace, name, uid }: Account,
  storage: Storage,
  now: number,
): Promise<void> {
  const account = await read(storage, `/registry/serviceaccounts/${namespace}/${name}`)
  if (account === undefined)
    throw new InvalidTokenError(notFound({ group: '', resource: 'serviceaccounts' }, name).message)
  if (account.metadata.uid !== uid)
    throw new InvalidTokenError(
      `service account UID (${account.metadata.uid}) does not match claim (${uid})`,
    )
  if (isDeleted(account, now))
    throw new InvalidTokenError(`service account ${namespace}/${name} has been deleted`)
}

async function checkBound(
  what: string,
  prefix: string,
  { name, uid = '' }: Reference,
  storage: Storage,
  now: number,
): Promise<void> {
  const object = await read(storage, prefix + name)
  if (object === undefined) throw new InvalidTokenError(INVALIDATED)
  if (object.metadata.uid !== uid)
    throw new InvalidTokenError(
      `${what} UID (${object.metadata.uid}) does not match service account ${what} ref claim (${uid})`,
    )
  if (isDeleted(object, now)) throw new InvalidTokenError(INVALIDATED)
}

async function read(storage: Storage, key: string): Promise<KubeObject | undefined> {
  return (await storage.get(key))?.object
}

/** Objects in deletion count as deleted after the leeway. */
function isDeleted({ metadata: { deletionTimestamp } }: KubeObject, now: number): boolean {
  return (
    Boolean(deletionTimestamp) &&
    Date.parse(String(deletionTimestamp)) < now - LEEWAY_SECONDS * 1000
  )
}

export function userOf({ account, identity, pod, node }: Claims): UserInfo {
  const extra: Record<string, string[]> = {}
  const addExtra = (key: string, value: string | undefined) => {
    if (value) extra[`authentication.kubernetes.io/${key}`] = [value]
  }
  addExtra('credential-id', identity && credentialId(identity))
  addExtra('node-name', node?.name)
  addExtra('node-uid', node?.name && node.uid)
  if (pod?.uid) {
    addExtra('pod-name', pod.name)
    addExtra('pod-uid', pod.name && pod.uid)
  }
  return { ...plainUser(account), ...(Object.keys(extra).length > 0 ? { extra } : {}) }
}

export function plainUser(account: Account): UserInfo {
  return {
    name: userNameOf(account),
    uid: account.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`],
  }
}

/** A token in audit events and extra attributes. */
export const credentialId = (identity: string): string => `JTI=${identity}`

/** `["a" "b"]` */
export const quotedList = (texts: readonly string[]): string =>
  `[${texts.map((text) => goQuote(text)).join(' ')}]`
