import { PANEL_SIZES, type StoredItem } from '../../state/stored'
import { KINDS } from './texts'

export interface SmallKind {
  id: string
  title: string
  about: string
  /** Names given to `store`. */
  names: readonly string[]
}

const OTHER: SmallKind = {
  id: 'other',
  title: KINDS.other,
  about: KINDS.otherAbout,
  names: [],
}

export const SMALL_KINDS: readonly SmallKind[] = [
  {
    id: 'files',
    title: KINDS.files,
    about: KINDS.filesAbout,
    names: ['editors'],
  },
  {
    id: 'progress',
    title: KINDS.progress,
    about: KINDS.progressAbout,
    names: ['lessons', 'incidents'],
  },
  {
    id: 'draft',
    title: KINDS.lesson,
    about: KINDS.lessonAbout,
    names: ['lesson-draft', 'lesson-draft-before'],
  },
  {
    id: 'webhook-draft',
    title: KINDS.webhook,
    about: KINDS.webhookAbout,
    names: ['webhook-draft'],
  },
  {
    id: 'actors',
    title: KINDS.users,
    about: KINDS.usersAbout,
    names: ['added-actors', 'actor'],
  },
  {
    id: 'console',
    title: KINDS.console,
    about: KINDS.consoleAbout,
    names: ['console-history'],
  },
  {
    id: 'tried',
    title: KINDS.drafts,
    about: KINDS.draftsAbout,
    names: ['bench', 'policy-workbench', 'design', 'rehearsal'],
  },
  {
    id: 'requests',
    title: KINDS.recorded,
    about: KINDS.recordedAbout,
    names: ['scenario'],
  },
  {
    id: 'looks',
    title: KINDS.layout,
    about: KINDS.layoutAbout,
    names: [
      'view',
      'layout',
      'lessons-shown',
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
    title: KINDS.lastKnown,
    about: KINDS.lastKnownAbout,
    names: ['last-known'],
  },
  {
    id: 'name',
    title: KINDS.name,
    about: KINDS.nameAbout,
    names: ['sharing-as'],
  },
]

/** Deleted together with the workspaces. */
const LIST_OF_WORKSPACES = 'workspaces'

export interface SmallThing extends SmallKind {
  things: StoredItem[]
}

/** Excludes data of named workspaces. */
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

export function ofWorkspace(all: readonly StoredItem[], workspace: string): StoredItem[] {
  return workspace === '' ? [] : all.filter(({ name }) => name.startsWith(`~${workspace}.`))
}

export function workspacesIn(all: readonly StoredItem[]): string[] {
  return [...new Set(all.flatMap(({ name }) => /^~([^.]+)\./.exec(name)?.[1] ?? []))]
}

/** The size in UTF-8, not on disk. */
export function bytesOf(things: readonly StoredItem[]): number {
  const encoder = new TextEncoder()
  return things.reduce((sum, { key, text }) => sum + encoder.encode(key + text).length, 0)
}
