/** `Impersonate-*` headers: who asks to act as somebody else, and who they then are (document 2, "Impersonation"; recorded). */

import { utf8OrAsSent } from '../http/header-text'
import type { ApiRequest } from '../http/messages'
import { addToGroup } from '../lists'
import { ANONYMOUS, type UserInfo } from './authenticator'
import { extraKey, valuesOf } from './headers'

const EXTRA_PREFIX = 'impersonate-extra-'
const AUTHENTICATED = 'system:authenticated'
const UNAUTHENTICATED = 'system:unauthenticated'
const isWish = (header: string): boolean => header.startsWith('impersonate-')
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const ACCOUNT_PREFIX = 'system:serviceaccount:'
const REVIEW_GROUP = { group: 'authentication.k8s.io', version: 'v1' }

/** Headers that say how to act but not as whom; answered with 500 and the message. */
export class ImpersonationError extends Error {}

/** May `user` impersonate this? In the words of authorization. */
export interface Question {
  user: UserInfo
  verb: string
  isResource: boolean
  path: string
  group: string
  version: string
  resource: string
  subresource: string
  namespace: string
  name: string
}

export interface Impersonation {
  user: UserInfo
  /** What the one who asks must be allowed, in the order in which it is asked. */
  questions(asker: UserInfo): Question[]
}

interface Wish {
  kind: 'User' | 'ServiceAccount' | 'Group' | 'UserExtra' | 'UID'
  name: string
  namespace?: string
  key?: string
}

/**
 * @returns undefined if the request does not ask to act as somebody else
 * @throws ImpersonationError if it names groups, extras or a uid without a user
 */
export function impersonationOf(request: ApiRequest): Impersonation | undefined {
  const sent = request.headerNames()
  if (!sent.some(isWish)) return undefined
  const names = sent.filter(isWish)
  const wishes = wishesOf(request, names)
  const [first] = wishes
  if (first === undefined) return undefined
  if (first.kind !== 'User' && first.kind !== 'ServiceAccount')
    throw new ImpersonationError(
      `requested [${wishes.map(printed).join(' ')}] without impersonating a user`,
    )
  const name = utf8OrAsSent(request.header('impersonate-user') ?? '')
  return {
    user: userOf(name, wishes),
    questions: (asker) => wishes.map((wish) => questionOf(asker, wish)),
  }
}

function wishesOf(request: ApiRequest, names: string[]): Wish[] {
  const wishes: Wish[] = []
  const user = utf8OrAsSent(request.header('impersonate-user') ?? '')
  if (user) {
    const account = serviceAccountOf(user)
    wishes.push(account ? { kind: 'ServiceAccount', ...account } : { kind: 'User', name: user })
  }
  for (const name of valuesOf(request, 'impersonate-group').map(utf8OrAsSent))
    wishes.push({ kind: 'Group', name })
  for (const header of names.filter((name) => name.startsWith(EXTRA_PREFIX))) {
    const key = extraKey(header.slice(EXTRA_PREFIX.length))
    for (const name of valuesOf(request, header).map(utf8OrAsSent))
      wishes.push({ kind: 'UserExtra', name, key })
  }
  const uid = request.header('impersonate-uid')
  if (uid) wishes.push({ kind: 'UID', name: uid })
  return wishes
}

function serviceAccountOf(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(ACCOUNT_PREFIX)) return undefined
  const [namespace = '', name = '', ...rest] = user.slice(ACCOUNT_PREFIX.length).split(':')
  return rest.length === 0 && LABEL.test(namespace) && SUBDOMAIN.test(name)
    ? { namespace, name }
    : undefined
}

function userOf(name: string, wishes: Wish[]): UserInfo {
  const user: UserInfo = {
    name,
    groups: wishes.filter(({ kind }) => kind === 'Group').map((wish) => wish.name),
  }
  const [first] = wishes
  if (first?.kind === 'ServiceAccount' && user.groups.length === 0)
    user.groups.push('system:serviceaccounts', `system:serviceaccounts:${first.namespace}`)
  joinStanding(user)
  const extra = new Map<string, string[]>()
  for (const { kind, key, name: value } of wishes) {
    if (kind === 'UserExtra' && key !== undefined) addToGroup(extra, key, value)
  }
  if (extra.size > 0) user.extra = Object.fromEntries(extra)
  const uid = wishes.find(({ kind }) => kind === 'UID')
  if (uid) user.uid = uid.name
  return user
}

/** Everybody is known or unknown: the group that says so is joined unless the request gave one. */
function joinStanding(user: UserInfo): void {
  if (user.groups.includes(UNAUTHENTICATED)) return
  if (user.name === ANONYMOUS.name) user.groups.push(UNAUTHENTICATED)
  else if (!user.groups.includes(AUTHENTICATED)) user.groups.push(AUTHENTICATED)
}

function questionOf(user: UserInfo, wish: Wish): Question {
  const base = {
    user,
    verb: 'impersonate',
    isResource: true,
    path: '',
    version: 'v1',
    subresource: '',
    name: wish.name,
  }
  switch (wish.kind) {
    case 'ServiceAccount':
      return { ...base, group: '', resource: 'serviceaccounts', namespace: wish.namespace ?? '' }
    case 'User':
      return { ...base, group: '', resource: 'users', namespace: '' }
    case 'Group':
      return { ...base, group: '', resource: 'groups', namespace: '' }
    case 'UserExtra':
      return {
        ...base,
        ...REVIEW_GROUP,
        resource: 'userextras',
        subresource: wish.key ?? '',
        namespace: '',
      }
    case 'UID':
      return { ...base, ...REVIEW_GROUP, resource: 'uids', namespace: '' }
  }
}

/** An object reference as the real server prints it: kind, namespace, name, uid, apiVersion, resourceVersion, fieldPath. */
function printed({ kind, namespace, name, key }: Wish): string {
  const apiVersion =
    kind === 'UserExtra' || kind === 'UID' ? `${REVIEW_GROUP.group}/${REVIEW_GROUP.version}` : ''
  return `{${[kind, namespace ?? '', name, '', apiVersion, '', key ?? ''].join(' ')}}`
}
