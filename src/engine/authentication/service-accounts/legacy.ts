/** Tokens without expiry that Secrets of type `kubernetes.io/service-account-token` hold: what was signed with a known key counts. */
import { notFound } from '../../http/status'
import type { JsonObject, KubeObject } from '../../object'
import { bytesOfBase64 } from '../../schema/base64'
import type { Storage } from '../../storage/storage'
import type { UserInfo } from '../authenticator'
import { textAt, userNameOf } from './claims'
import { InvalidTokenError, plainUser } from './validity'

export const LEGACY_ISSUER = 'kubernetes/serviceaccount'
const CLAIM = 'kubernetes.io/serviceaccount/'
const INVALIDATED = 'Token has been invalidated'

/** What the token says, each under a claim of its own, and what its absence is called. */
const CLAIMS = {
  namespace: 'namespace',
  'secret.name': 'secretName',
  'service-account.name': 'serviceAccountName',
  'service-account.uid': 'serviceAccountUID',
}

/** What such a token says. */
export function legacyClaims({ namespace, name, uid }: { namespace: string; name: string; uid: string }, secret: string): JsonObject {
  return {
    iss: LEGACY_ISSUER,
    [`${CLAIM}namespace`]: namespace,
    [`${CLAIM}secret.name`]: secret,
    [`${CLAIM}service-account.name`]: name,
    [`${CLAIM}service-account.uid`]: uid,
    sub: userNameOf({ namespace, name }),
  }
}

/**
 * @param lookup `--service-account-lookup`: the token must still be what its Secret holds, and its account the one it was made for
 * @throws InvalidTokenError
 */
export async function legacyUser(token: string, claims: JsonObject, storage: Storage, lookup: boolean): Promise<UserInfo> {
  const subject = textAt(claims, 'sub')
  if (subject === '') throw new InvalidTokenError('sub claim is missing')
  for (const [claim, called] of Object.entries(CLAIMS)) {
    if (textAt(claims, CLAIM + claim) === '') throw new InvalidTokenError(`${called} claim is missing`)
  }
  const namespace = textAt(claims, `${CLAIM}namespace`)
  const name = textAt(claims, `${CLAIM}service-account.name`)
  const uid = textAt(claims, `${CLAIM}service-account.uid`)
  if (subject !== userNameOf({ namespace, name })) throw new InvalidTokenError('sub claim is invalid')
  if (lookup) {
    await checkSecret(token, `/registry/secrets/${namespace}/${textAt(claims, `${CLAIM}secret.name`)}`, storage)
    await checkAccount(namespace, name, uid, storage)
  }
  return plainUser({ namespace, name, uid })
}

async function checkSecret(token: string, key: string, storage: Storage): Promise<void> {
  const secret = (await storage.get(key))?.object as (KubeObject & { data?: Record<string, string> }) | undefined
  if (secret === undefined || secret.metadata.deletionTimestamp) throw new InvalidTokenError(INVALIDATED)
  const held = new TextDecoder().decode(bytesOfBase64(secret.data?.token ?? ''))
  if (held !== token) throw new InvalidTokenError("Token does not match server's copy")
}

async function checkAccount(namespace: string, name: string, uid: string, storage: Storage): Promise<void> {
  const account = (await storage.get(`/registry/serviceaccounts/${namespace}/${name}`))?.object
  if (account === undefined) throw new InvalidTokenError(notFound({ group: '', resource: 'serviceaccounts' }, name).message)
  if (account.metadata.deletionTimestamp) throw new InvalidTokenError(`ServiceAccount ${namespace}/${name} has been deleted`)
  if (account.metadata.uid !== uid)
    throw new InvalidTokenError(`ServiceAccount UID (${account.metadata.uid}) does not match claim (${uid})`)
}
