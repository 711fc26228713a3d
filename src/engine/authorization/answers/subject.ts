/** From a subject as a page names it to the user whom authorizers see. */
import { ANONYMOUS, type UserInfo } from '../../authentication/authenticator'
import type { AccessSubject } from './questions'

const EVERYBODY = 'system:authenticated'

/** A group stands for a member of it who has no name. */
export function userOf(subject: AccessSubject): UserInfo {
  if (subject.kind === 'Group') return { name: '', groups: known([subject.name]) }
  if (subject.kind === 'ServiceAccount') {
    const { namespace, name } = subject
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, EVERYBODY]
    return { name: `system:serviceaccount:${namespace}:${name}`, groups }
  }
  const { kind: _, groups = [], ...user } = subject
  return user.name === ANONYMOUS.name && groups.length === 0
    ? ANONYMOUS
    : { ...user, groups: known(groups) }
}

const known = (groups: readonly string[]): string[] =>
  groups.includes(EVERYBODY) || groups.some((group) => ANONYMOUS.groups.includes(group))
    ? [...groups]
    : [...groups, EVERYBODY]
