import type { AccessView } from './state'

export const group = 'Access'
export const commands: Readonly<Record<AccessView, string>> = {
  rights: "Show a user's permissions",
  'who-can': 'Who can do something?',
  try: 'Check whether a request is allowed',
  roles: 'Least-privilege role for recorded requests',
  configuration: 'Configure authorization',
  identities: 'Add a user: token, service account, certificate',
}

export const actAs = (user: string, groups: readonly string[]) =>
  `Act as ${user} (${groups.join(', ') || 'no groups'})`
