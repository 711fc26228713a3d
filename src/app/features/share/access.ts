/** The access configuration in a link; never contains a credential. */
import { isMap, isSeq, parseDocument } from 'yaml'
import { type AccessSettings, FIRST_ACCESS } from '../../../hosts/shared/access-settings'
import { draftOf, filesNamed, settingsOf } from '../access/access-draft'
import { nestsTooDeep } from '../manifests/yaml-nesting'
import type { SharedAccess } from './scenario'

/** @returns undefined for the default configuration; omits tokens */
export function sharedAccess(access: AccessSettings): SharedAccess | undefined {
  const draft = draftOf(access)
  const { by, modes, files, anonymous } = draft
  const named = filesNamed(draft)
  const keySets = Object.entries(draft.keySets).flatMap(([issuer, keys]) => {
    const known = publicKeys(keys)
    return known === undefined ? [] : [{ issuer, keys: known }]
  })
  const shared: SharedAccess = {
    ...(by === 'modes' && modes !== draftOf(FIRST_ACCESS).modes ? { modes } : {}),
    ...(by === 'file' ? { configuration: files.configuration } : {}),
    ...(named.includes('policy') ? { policy: files.policy } : {}),
    ...(named.includes('webhook') ? { webhook: withoutCredentials(files.webhook) } : {}),
    ...(files.authentication.trim() === '' ? {} : { authentication: files.authentication }),
    ...(keySets.length === 0 ? {} : { keySets }),
    ...(anonymous === 'usual' ? {} : { anonymous: anonymous === 'yes' }),
  }
  return Object.keys(shared).length === 0 ? undefined : shared
}

export function accessFrom({
  modes,
  configuration,
  policy,
  webhook,
  authentication,
  keySets = [],
  anonymous,
}: SharedAccess): AccessSettings {
  const first = draftOf(FIRST_ACCESS)
  const files = { configuration, policy, webhook, authentication }
  const given = Object.fromEntries(
    Object.entries(files).filter(([, text]) => text !== undefined),
  ) as Partial<typeof first.files>
  return settingsOf({
    by: configuration === undefined ? 'modes' : 'file',
    modes: modes ?? first.modes,
    files: { ...first.files, ...given },
    keySets: Object.fromEntries(keySets.map(({ issuer, keys }) => [issuer, keys])),
    anonymous: anonymous === undefined ? 'usual' : anonymous ? 'yes' : 'no',
  })
}

export const accessInWords = ({ configuration, modes }: SharedAccess): string =>
  configuration === undefined ? (modes ?? draftOf(FIRST_ACCESS).modes) : 'a configuration file'

const UNREADABLE = '# Left out: credentials may be in here, and the text is not valid YAML.\n'

/** Keeps only the names of users. */
function withoutCredentials(kubeconfig: string): string {
  if (nestsTooDeep(kubeconfig)) return UNREADABLE
  const document = parseDocument(kubeconfig)
  if (document.errors.length > 0) return UNREADABLE
  const users = document.get('users')
  if (!isSeq(users)) return kubeconfig
  const holders = users.items.filter(
    (user) =>
      isMap(user) &&
      isMap(user.get('user')) &&
      (user.get('user') as { items: unknown[] }).items.length > 0,
  )
  if (holders.length === 0) return kubeconfig
  for (const user of holders) if (isMap(user)) user.set('user', {})
  return document.toString()
}

/** Private members of a JSON Web Key (RFC 7518, sections 6.2.2, 6.3.2 and 6.4). */
const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** @returns undefined if it is not a key set */
function publicKeys(text: string): string | undefined {
  try {
    const set = JSON.parse(text) as { keys: Record<string, unknown>[] }
    if (!set.keys.some((key) => PRIVATE.some((member) => member in key))) return text
    const keys = set.keys.map((key) =>
      Object.fromEntries(Object.entries(key).filter(([member]) => !PRIVATE.includes(member))),
    )
    return JSON.stringify({ ...set, keys })
  } catch {
    return undefined
  }
}
