import { load, removeByPrefix, store } from './stored'
import { ownKey, WORKSPACE } from './workspace'

const MARK = 'lesson-'
const OWN_MARK = 'try-'
const INCIDENT = /^incident-(.+)-(\d{1,4})$/
const TEXT = 'own-lesson'

export const workspaceOfLesson = (id: string): string => MARK + id

export const workspaceOfOwn = (id: string): string => OWN_MARK + id

/** Id of the built-in lesson; undefined in other workspaces. */
export const LESSON_HERE: string | undefined = WORKSPACE.startsWith(MARK)
  ? WORKSPACE.slice(MARK.length)
  : undefined

export const OWN_LESSON_HERE: string | undefined = WORKSPACE.startsWith(OWN_MARK)
  ? keptText(ownKey(TEXT))
  : undefined

export const workspaceOfIncident = (id: string, seed: number): string => `incident-${id}-${seed}`

const [, incident, seed] = INCIDENT.exec(WORKSPACE) ?? []

/** The built-in incident of this workspace, and its seed. */
export const INCIDENT_HERE: { id: string; seed: number } | undefined =
  incident === undefined ? undefined : { id: incident, seed: Number(seed) }

export const IN_LESSON = LESSON_HERE !== undefined || OWN_LESSON_HERE !== undefined

/** Text of the user's lesson of a workspace, if this browser stores one. */
export const ownTextOf = (workspace: string): string | undefined =>
  workspace.startsWith(OWN_MARK) ? keptText(`~${workspace}.${TEXT}`) : undefined

function keptText(name: string): string | undefined {
  const text = load<unknown>(name, undefined)
  return typeof text === 'string' ? text : undefined
}

/**
 * Stored and removed with the workspace. Discards progress on an earlier text.
 * @returns whether it is stored
 */
export function keepOwnLesson(id: string, text: string): boolean {
  const beginning = `~${workspaceOfOwn(id)}.`
  removeByPrefix(beginning)
  return store(beginning + TEXT, text)
}
