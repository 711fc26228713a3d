import { ANONYMOUS, type UserInfo } from '../../authentication/authenticator'
import type { AccessSubject } from './types'

const AUTHENTICATED = 'system:authenticated'

/** A group is represented by a member without a name. */
export function userOf(subject: AccessSubject): UserInfo {
  if (subject.kind === 'Group') return { name: '', groups: known([subject.name]) }
  if (subject.kind === 'ServiceAccount') {
    const { namespace, name } = subject
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, AUTHENTICATED]
    return { name: `system:serviceaccount:${namespace}:${name}`, groups }
  }
  const { kind: _, groups = [], ...user } = subject
  return user.name === ANONYMOUS.name && groups.length === 0
    ? ANONYMOUS
    : { ...user, groups: known(groups) }
}

const known = (groups: readonly string[]): string[] =>
  groups.includes(AUTHENTICATED) || groups.some((group) => ANONYMOUS.groups.includes(group))
    ? [...groups]
    : [...groups, AUTHENTICATED]
