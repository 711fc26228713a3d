/** Constrained impersonation: KEP-5284; k8s.io/apiserver, pkg/endpoints/filters/impersonation. */
import { goQuote } from '../schema/go-text'
import type { UserInfo } from './authenticator'
import {
  type AttributesRecord,
  accountGroups,
  serviceAccountOf,
  type WantedUser,
  withAuthenticatedGroup,
} from './impersonation'

export interface ImpersonationCheck {
  attributes: AttributesRecord
  /** Why the check fails without an authorizer. */
  because?: string
  /** On success, checks of its kind up to this number are skipped. */
  covers?: number
}

export interface ImpersonationMode {
  name: string
  user: UserInfo
  checks: readonly ImpersonationCheck[]
}

const NODE_PREFIX = 'system:node:'
const NODE_NAME = 'authentication.kubernetes.io/node-name'
const NODE_KEYS = 'authentication.kubernetes.io/associated-node-keys'
const SUBDOMAIN = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const AUTHENTICATION = { group: 'authentication.k8s.io', version: 'v1' }
const CORE = { group: '', version: 'v1' }
/** From this number on, groups or extras are first checked together. */
const MANY = 4

function nodeOf(user: string): string | undefined {
  const name = user.startsWith(NODE_PREFIX) ? user.slice(NODE_PREFIX.length) : ''
  return SUBDOMAIN.test(name) ? name : undefined
}

const isNameOnly = ({ uid, groups, extra }: WantedUser): boolean =>
  uid === '' && groups.length === 0 && extra.size === 0

/** The legacy mode comes last. */
export function modesFor(wanted: WantedUser, request: AttributesRecord): ImpersonationMode[] {
  const { user: requester } = request
  const node = nodeOf(wanted.name)
  const account = serviceAccountOf(wanted.name)
  const modes: ImpersonationMode[] = []
  const add = (name: string, by: UserInfo = requester) =>
    modes.push(constrained(name, wanted, { ...request, user: by }))
  if (node !== undefined && isNameOnly(wanted)) {
    const isAccount = serviceAccountOf(requester.name) !== undefined
    const [own, ...others] = requester.extra?.[NODE_NAME] ?? []
    if (isAccount && others.length === 0 && own === node)
      add('associated-node', {
        ...requester,
        extra: { [NODE_KEYS]: Object.keys(requester.extra ?? {}).sort() },
      })
    add('arbitrary-node')
  }
  if (account !== undefined && isNameOnly(wanted)) add('serviceaccount')
  if (node === undefined && account === undefined) add('user-info')
  modes.push({
    name: 'legacy',
    user: identityOf(wanted, accountGroups(account)),
    checks: identityChecks(wanted, requester, 'impersonate', CORE),
  })
  return modes
}

function constrained(
  mode: string,
  wanted: WantedUser,
  request: AttributesRecord,
): ImpersonationMode {
  const { user: requester } = request
  const verb = `impersonate:${mode}`
  const isNode = nodeOf(wanted.name) !== undefined
  const groups = isNode ? ['system:nodes'] : accountGroups(serviceAccountOf(wanted.name))
  return {
    name: mode,
    user: identityOf(wanted, groups),
    checks: [
      { attributes: { ...request, verb: `impersonate-on:${mode}:${request.verb}` } },
      ...identityChecks(wanted, requester, verb, AUTHENTICATION),
    ],
  }
}

function identityOf({ name, uid, groups, extra }: WantedUser, byDefault: string[]): UserInfo {
  const own = groups.length > 0 ? [...groups] : byDefault
  return withAuthenticatedGroup({
    name,
    groups: own,
    ...(extra.size > 0
      ? { extra: Object.fromEntries([...extra].map(([key, values]) => [key, [...values]])) }
      : {}),
    ...(uid === '' ? {} : { uid }),
  })
}

function identityChecks(
  { name, uid, groups, extra }: WantedUser,
  requester: UserInfo,
  verb: string,
  usersAndGroups: { group: string; version: string },
): ImpersonationCheck[] {
  const isConstrained = verb !== 'impersonate'
  const of = (
    version: { group: string; version: string },
    resource: string,
    more: Partial<AttributesRecord>,
  ): AttributesRecord => ({
    user: requester,
    verb,
    isResource: true,
    path: '',
    subresource: '',
    namespace: '',
    name: '',
    ...version,
    resource,
    ...more,
  })
  const group = (name: string) => of(usersAndGroups, 'groups', { name })
  const extras = (subresource: string, name: string) =>
    of(AUTHENTICATION, 'userextras', { subresource, name })
  const values = [...extra].flatMap(([key, values]) => values.map((value) => extras(key, value)))
  return [
    { attributes: username(name, verb, (resource, more) => of(usersAndGroups, resource, more)) },
    ...(uid === '' ? [] : [{ attributes: of(AUTHENTICATION, 'uids', { name: uid }) }]),
    ...(isConstrained ? groupProblems(groups, group) : []),
    ...together(groups.map(group), isConstrained ? group('*') : undefined),
    ...(isConstrained ? extraProblems(extra, extras('', '')) : []),
    ...together(values, isConstrained ? extras('*', '*') : undefined),
  ]
}

function username(
  user: string,
  verb: string,
  of: (resource: string, more: Partial<AttributesRecord>) => AttributesRecord,
): AttributesRecord {
  const account = serviceAccountOf(user)
  if (account !== undefined) return of('serviceaccounts', account)
  const node = verb === 'impersonate' ? undefined : nodeOf(user)
  if (node === undefined) return of('users', { name: user })
  // The node may change between requests of a service account.
  return of('nodes', { name: verb === 'impersonate:associated-node' ? '*' : node })
}

/** @param whole the check of all together, first if there are many */
function together(
  checks: readonly AttributesRecord[],
  whole: AttributesRecord | undefined,
): ImpersonationCheck[] {
  const each = checks.map((attributes) => ({ attributes }))
  return whole !== undefined && checks.length >= MANY
    ? [{ attributes: whole, covers: checks.length }, ...each]
    : each
}

function groupProblems(
  groups: readonly string[],
  of: (name: string) => AttributesRecord,
): ImpersonationCheck[] {
  if (groups.includes(''))
    return [{ attributes: of(''), because: 'impersonating the empty string group is not allowed' }]
  return groups.includes('system:masters')
    ? [
        {
          attributes: of('system:masters'),
          because: 'impersonating the system:masters group is not allowed',
        },
      ]
    : []
}

function extraProblems(
  extra: WantedUser['extra'],
  attributes: AttributesRecord,
): ImpersonationCheck[] {
  for (const [key, values] of extra) {
    const because = extraProblem(key, values)
    if (because !== undefined) return [{ attributes, because }]
  }
  return []
}

function extraProblem(key: string, values: readonly string[]): string | undefined {
  if (key === '') return 'impersonating the empty string key in extra is not allowed'
  const [host = '', ...path] = key.split('/')
  if (host === '' || path.join('/') === '')
    return `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${goQuote(key)}: must be a domain-prefixed path (such as "acme.io/foo")`
  if (values.length === 0) return 'impersonating empty values in extra is not allowed'
  return values.includes('')
    ? 'impersonating the empty string value in extra is not allowed'
    : undefined
}

/** As Go prints the structure. */
export function wantedText({ name, uid, groups, extra }: WantedUser): string {
  const texts = (list: readonly string[]) => `[]string{${list.map(goQuote).join(', ')}}`
  const pairs = [...extra]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, values]) => `${goQuote(key)}:${texts(values)}`)
  const shownGroups = groups.length === 0 ? '[]string(nil)' : texts(groups)
  const shownExtra =
    extra.size === 0 ? 'map[string][]string(nil)' : `map[string][]string{${pairs.join(', ')}}`
  return `&user.DefaultInfo{Name:${goQuote(name)}, UID:${goQuote(uid)}, Groups:${shownGroups}, Extra:${shownExtra}}`
}
