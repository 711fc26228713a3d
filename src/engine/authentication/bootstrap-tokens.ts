/**
 * Authenticates bootstrap tokens, which are Secrets in kube-system (kubernetes.io, "Authenticating
 * with Bootstrap Tokens").
 */
import type { Clock } from '../core/environment'
import { entryOf, type KubeObject } from '../core/object'
import { bytesOfBase64 } from '../schema/base64'
import { canonicalTime } from '../schema/time'
import type { Storage } from '../storage/storage'
import type { UserInfo } from './authenticator'

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/
const SECRETS = '/registry/secrets/kube-system/bootstrap-token-'
const TYPE = 'bootstrap.kubernetes.io/token'
const GROUP = 'system:bootstrappers'
const EXTRA_GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/

interface Secret extends KubeObject {
  type?: string
  data?: Record<string, string>
}

/** undefined if unknown, expired, or not for authentication. */
export async function bootstrapUser(
  token: string,
  { storage, clock }: { storage: Storage; clock: Clock },
): Promise<UserInfo | undefined> {
  const [, id, secret] = TOKEN.exec(token) ?? []
  if (id === undefined || secret === undefined) return undefined
  const found = (await storage.get(SECRETS + id))?.object as Secret | undefined
  if (found === undefined || found.metadata.deletionTimestamp || found.type !== TYPE)
    return undefined
  const value = (key: string) => textOf(entryOf(found.data, key))
  if (value('token-secret') !== secret || value('token-id') !== id) return undefined
  if (
    value('usage-bootstrap-authentication') !== 'true' ||
    hasExpired(value('expiration'), clock.now())
  )
    return undefined
  const groups = groupsOf(value('auth-extra-groups'))
  return groups && { name: `system:bootstrap:${id}`, groups }
}

const textOf = (base64 = ''): string => new TextDecoder().decode(bytesOfBase64(base64))

/** A malformed time counts as expired. */
function hasExpired(expiration: string, now: number): boolean {
  if (expiration === '') return false
  try {
    const time = canonicalTime(expiration)
    return time === null || Date.parse(time) <= now
  } catch {
    return true
  }
}

/** undefined, if any group is not a bootstrapper group, makes the token invalid. */
function groupsOf(extra: string): string[] | undefined {
  const groups = extra === '' ? [] : extra.split(',')
  return groups.every((group) => EXTRA_GROUP.test(group))
    ? [GROUP, ...new Set(groups.sort())]
    : undefined
}
