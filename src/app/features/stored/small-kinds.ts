/** Items in localStorage, grouped by their meaning to the user. */
import { PANEL_SIZES, type StoredItem } from '../../state/stored'

export interface SmallKind {
  id: string
  title: string
  /** A description, and the origin of the data. */
  about: string
  /** Names given to `store`. */
  names: readonly string[]
}

const OTHER: SmallKind = {
  id: 'other',
  title: 'Other small things',
  about: 'Data of an earlier version of this page.',
  names: [],
}

export const SMALL_KINDS: readonly SmallKind[] = [
  {
    id: 'files',
    title: 'Files of the editor',
    about: 'Manifests and scripts of “My cluster”, as they were typed.',
    names: ['editors'],
  },
  {
    id: 'progress',
    title: 'Progress of lessons',
    about: 'Which steps of which lesson you have done.',
    names: ['lessons'],
  },
  {
    id: 'draft',
    title: 'A lesson of your own',
    about: 'The draft in the editor for authors, and the one before it.',
    names: ['lesson-draft', 'lesson-draft-before'],
  },
  {
    id: 'webhook-draft',
    title: 'A webhook that is not saved yet',
    about: 'Its code, as it was typed under Webhooks in “My cluster”.',
    names: ['webhook-draft'],
  },
  {
    id: 'actors',
    title: 'Added users',
    about:
      'Users, service accounts and certificates of “My cluster”, with their credentials; and the current user.',
    names: ['added-actors', 'actor'],
  },
  {
    id: 'console',
    title: 'Lines of the console',
    about: 'What was typed there, to be found again.',
    names: ['console-history'],
  },
  {
    id: 'tried',
    title: 'What was tried out',
    about: 'Expressions, policies, definitions and upgrades, as they were last looked at.',
    names: ['bench', 'policy-workbench', 'design', 'rehearsal'],
  },
  {
    id: 'requests',
    title: 'Recorded requests',
    about: 'The log that came with a shared link or a file.',
    names: ['scenario'],
  },
  {
    id: 'looks',
    title: 'Layout and preferences',
    about: 'Theme, panels and their sizes, expanded nodes, apply options, colors of managers.',
    names: [
      'view',
      'layout',
      'tree',
      'policy-tab',
      'applySide',
      'fieldValidation',
      'managers',
      PANEL_SIZES,
    ],
  },
  {
    id: 'last-known',
    title: 'Last known cluster state',
    about: 'The number of objects and the time, to report if the browser loses them.',
    names: ['last-known'],
  },
  {
    id: 'name',
    title: 'Your name',
    about: 'As you gave it when you shared a link.',
    names: ['sharing-as'],
  },
]

/** Names of the workspaces: they go with these. */
const LIST_OF_WORKSPACES = 'workspaces'

export interface SmallThing extends SmallKind {
  things: StoredItem[]
}

/** @returns the kinds with stored data; data of a named workspace counts there */
export function smallThings(all: readonly StoredItem[]): SmallThing[] {
  const own = all.filter(({ name }) => !name.startsWith('~') && name !== LIST_OF_WORKSPACES)
  const known = new Set(SMALL_KINDS.flatMap(({ names }) => names))
  const kinds = SMALL_KINDS.map((kind) => ({
    ...kind,
    things: own.filter(({ name }) => kind.names.includes(name)),
  }))
  return [...kinds, { ...OTHER, things: own.filter(({ name }) => !known.has(name)) }].filter(
    ({ things }) => things.length > 0,
  )
}

/** Items of a named workspace. */
export function ofWorkspace(all: readonly StoredItem[], workspace: string): StoredItem[] {
  return workspace === '' ? [] : all.filter(({ name }) => name.startsWith(`~${workspace}.`))
}

/** Named workspaces with stored items. */
export function workspacesIn(all: readonly StoredItem[]): string[] {
  return [...new Set(all.flatMap(({ name }) => /^~([^.]+)\./.exec(name)?.[1] ?? []))]
}

/** The size in UTF-8, not on disk. */
export function bytesOf(things: readonly StoredItem[]): number {
  const encoder = new TextEncoder()
  return things.reduce((sum, { key, text }) => sum + encoder.encode(key + text).length, 0)
}
