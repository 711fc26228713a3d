/** The lesson of this tab's workspace: a built-in one, or one of the user's. */
import { load, removeByPrefix, store } from './stored'
import { ownKey, WORKSPACE } from './workspace'

const MARK = 'lesson-'
const OWN_MARK = 'try-'
const TEXT = 'own-lesson'

/** The workspace of a built-in lesson. */
export const workspaceOfLesson = (id: string): string => MARK + id

/** The workspace of a user's lesson. */
export const workspaceOfOwn = (id: string): string => OWN_MARK + id

export const LESSON_HERE: string | undefined = WORKSPACE.startsWith(MARK)
  ? WORKSPACE.slice(MARK.length)
  : undefined

/** Text of the user's lesson of this workspace. */
export const OWN_LESSON_HERE: string | undefined = WORKSPACE.startsWith(OWN_MARK)
  ? keptText(ownKey(TEXT))
  : undefined

export const IN_LESSON = LESSON_HERE !== undefined || OWN_LESSON_HERE !== undefined

/** Undefined if this browser stores none. */
export const ownTextOf = (workspace: string): string | undefined =>
  workspace.startsWith(OWN_MARK) ? keptText(`~${workspace}.${TEXT}`) : undefined

function keptText(name: string): string | undefined {
  const text = load<unknown>(name, undefined)
  return typeof text === 'string' ? text : undefined
}

/**
 * Stored and removed with the workspace. Discards the progress on an earlier text.
 * @returns whether it is stored
 */
export function keepOwnLesson(id: string, text: string): boolean {
  const beginning = `~${workspaceOfOwn(id)}.`
  removeByPrefix(beginning)
  return store(beginning + TEXT, text)
}
