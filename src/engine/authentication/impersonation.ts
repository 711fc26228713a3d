/** kubernetes.io, "User impersonation". Recorded from kube-apiserver 1.31. */

import { addToGroup } from '../core/lists'
import { utf8OrAsSent } from '../http/header-text'
import type { ApiRequest } from '../http/messages'
import { ANONYMOUS, type UserInfo } from './authenticator'
import { extraKey, valuesOf } from './headers'

const EXTRA_PREFIX = 'impersonate-extra-'
const AUTHENTICATED = 'system:authenticated'
const UNAUTHENTICATED = 'system:unauthenticated'
const isImpersonationHeader = (header: string): boolean => header.startsWith('impersonate-')
export const isImpersonated = (request: ApiRequest): boolean =>
  request.headerNames().some(isImpersonationHeader)

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const ACCOUNT_PREFIX = 'system:serviceaccount:'
const REVIEW_GROUP = { group: 'authentication.k8s.io', version: 'v1' }

/** Impersonation headers without a user; the response is a 500. */
export class ImpersonationError extends Error {}

/** k8s.io/apiserver, package pkg/authorization/authorizer. */
export interface AttributesRecord {
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
  authorizationChecks(requester: UserInfo): AttributesRecord[]
}

/** The identity in the headers, without defaults. */
export interface WantedUser {
  name: string
  uid: string
  groups: readonly string[]
  extra: ReadonlyMap<string, readonly string[]>
}

interface ImpersonationRequest {
  kind: 'User' | 'ServiceAccount' | 'Group' | 'UserExtra' | 'UID'
  name: string
  namespace?: string
  key?: string
}

/** @throws ImpersonationError for groups, extras or a uid without a user */
export function impersonationOf(request: ApiRequest): Impersonation | undefined {
  const sent = request.headerNames()
  if (!sent.some(isImpersonationHeader)) return undefined
  const names = sent.filter(isImpersonationHeader)
  const requests = impersonationRequestsOf(request, names)
  const [first] = requests
  if (first === undefined) return undefined
  if (first.kind !== 'User' && first.kind !== 'ServiceAccount')
    throw new ImpersonationError(
      `requested [${requests.map(printed).join(' ')}] without impersonating a user`,
    )
  const name = utf8OrAsSent(request.header('impersonate-user') ?? '')
  return {
    user: userOf(name, requests),
    authorizationChecks: (requester) => requests.map((one) => attributesOf(requester, one)),
  }
}

function impersonationRequestsOf(request: ApiRequest, names: string[]): ImpersonationRequest[] {
  const requests: ImpersonationRequest[] = []
  const user = utf8OrAsSent(request.header('impersonate-user') ?? '')
  if (user) {
    const account = serviceAccountOf(user)
    requests.push(account ? { kind: 'ServiceAccount', ...account } : { kind: 'User', name: user })
  }
  for (const name of valuesOf(request, 'impersonate-group').map(utf8OrAsSent))
    requests.push({ kind: 'Group', name })
  for (const header of names.filter((name) => name.startsWith(EXTRA_PREFIX))) {
    const key = extraKey(header.slice(EXTRA_PREFIX.length))
    for (const name of valuesOf(request, header).map(utf8OrAsSent))
      requests.push({ kind: 'UserExtra', name, key })
  }
  const uid = request.header('impersonate-uid')
  if (uid) requests.push({ kind: 'UID', name: uid })
  return requests
}

export function serviceAccountOf(user: string): { namespace: string; name: string } | undefined {
  if (!user.startsWith(ACCOUNT_PREFIX)) return undefined
  const [namespace = '', name = '', ...rest] = user.slice(ACCOUNT_PREFIX.length).split(':')
  return rest.length === 0 && LABEL.test(namespace) && SUBDOMAIN.test(name)
    ? { namespace, name }
    : undefined
}

export const accountGroups = (account: { namespace: string } | undefined): string[] =>
  account === undefined
    ? []
    : ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`]

/** The identity in the headers, without defaults. */
export function wantedUserOf(request: ApiRequest): WantedUser | undefined {
  const names = request.headerNames().filter(isImpersonationHeader)
  if (names.length === 0) return undefined
  const requests = impersonationRequestsOf(request, names)
  if (requests.length === 0) return undefined
  const extra = new Map<string, string[]>()
  for (const { kind, key, name } of requests)
    if (kind === 'UserExtra' && key !== undefined) addToGroup(extra, key, name)
  return {
    name: utf8OrAsSent(request.header('impersonate-user') ?? ''),
    uid: requests.find(({ kind }) => kind === 'UID')?.name ?? '',
    groups: requests.filter(({ kind }) => kind === 'Group').map(({ name }) => name),
    extra,
  }
}

export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  addAuthenticatedGroup(user)
  return user
}

function userOf(name: string, requests: ImpersonationRequest[]): UserInfo {
  const user: UserInfo = {
    name,
    groups: requests.filter(({ kind }) => kind === 'Group').map((one) => one.name),
  }
  const [first] = requests
  if (first?.kind === 'ServiceAccount' && user.groups.length === 0)
    user.groups = accountGroups({ namespace: first.namespace ?? '' })
  addAuthenticatedGroup(user)
  const extra = new Map<string, string[]>()
  for (const { kind, key, name: value } of requests) {
    if (kind === 'UserExtra' && key !== undefined) addToGroup(extra, key, value)
  }
  if (extra.size > 0) user.extra = Object.fromEntries(extra)
  const uid = requests.find(({ kind }) => kind === 'UID')
  if (uid) user.uid = uid.name
  return user
}

/** Unless the request has one of the two groups. */
function addAuthenticatedGroup(user: UserInfo): void {
  if (user.groups.includes(UNAUTHENTICATED)) return
  if (user.name === ANONYMOUS.name) user.groups.push(UNAUTHENTICATED)
  else if (!user.groups.includes(AUTHENTICATED)) user.groups.push(AUTHENTICATED)
}

function attributesOf(user: UserInfo, one: ImpersonationRequest): AttributesRecord {
  const base = {
    user,
    verb: 'impersonate',
    isResource: true,
    path: '',
    version: 'v1',
    subresource: '',
    name: one.name,
  }
  switch (one.kind) {
    case 'ServiceAccount':
      return { ...base, group: '', resource: 'serviceaccounts', namespace: one.namespace ?? '' }
    case 'User':
      return { ...base, group: '', resource: 'users', namespace: '' }
    case 'Group':
      return { ...base, group: '', resource: 'groups', namespace: '' }
    case 'UserExtra':
      return {
        ...base,
        ...REVIEW_GROUP,
        resource: 'userextras',
        subresource: one.key ?? '',
        namespace: '',
      }
    case 'UID':
      return { ...base, ...REVIEW_GROUP, resource: 'uids', namespace: '' }
  }
}

/** As Go prints an ObjectReference. */
function printed({ kind, namespace, name, key }: ImpersonationRequest): string {
  const apiVersion =
    kind === 'UserExtra' || kind === 'UID' ? `${REVIEW_GROUP.group}/${REVIEW_GROUP.version}` : ''
  return `{${[kind, namespace ?? '', name, '', apiVersion, '', key ?? ''].join(' ')}}`
}
