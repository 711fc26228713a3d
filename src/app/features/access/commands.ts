import type { Command } from '../../commands/registry'
import { type AccessView, openAccess } from './state'

const ACCESS_VIEWS: { view: AccessView; title: string }[] = [
  { view: 'rights', title: "Show a user's permissions" },
  { view: 'who-can', title: 'Who can do something?' },
  { view: 'try', title: 'Check whether a request is allowed' },
  { view: 'roles', title: 'Least-privilege role for recorded requests' },
  { view: 'configuration', title: 'Configure authorization' },
  { view: 'identities', title: 'Add a user: token, service account, certificate' },
]

export const ACCESS_COMMANDS: Command[] = ACCESS_VIEWS.map(({ view, title }) => ({
  id: `access-${view}`,
  title,
  group: 'Access',
  run: () => openAccess(view),
}))
