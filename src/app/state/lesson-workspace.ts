/** The lesson that this tab's workspace belongs to: a built-in one, or one of the user's. */
import { load, removeByPrefix, store } from './stored'
import { ownKey, WORKSPACE } from './workspace'

const MARK = 'lesson-'
const OWN_MARK = 'try-'
const TEXT = 'own-lesson'

/** The workspace in which a lesson is held. */
export const workspaceOfLesson = (id: string): string => MARK + id

/** The workspace in which a lesson is tried that is none of the project's. */
export const workspaceOfOwn = (id: string): string => OWN_MARK + id

/** Id of the project's lesson that is held here; undefined for any other workspace. */
export const LESSON_HERE: string | undefined = WORKSPACE.startsWith(MARK)
  ? WORKSPACE.slice(MARK.length)
  : undefined

/** Text of the user's lesson that this workspace tries. */
export const OWN_LESSON_HERE: string | undefined = WORKSPACE.startsWith(OWN_MARK)
  ? keptText(ownKey(TEXT))
  : undefined

/** Whether this workspace is a lesson's. */
export const IN_LESSON = LESSON_HERE !== undefined || OWN_LESSON_HERE !== undefined

/** Text of the user's lesson that a workspace belongs to, if this browser stores one. */
export const ownTextOf = (workspace: string): string | undefined =>
  workspace.startsWith(OWN_MARK) ? keptText(`~${workspace}.${TEXT}`) : undefined

function keptText(name: string): string | undefined {
  const text = load<unknown>(name, undefined)
  return typeof text === 'string' ? text : undefined
}

/**
 * Stored with the workspace, and removed with it. Progress on an earlier text is discarded.
 * @returns whether it is stored
 */
export function keepOwnLesson(id: string, text: string): boolean {
  const beginning = `~${workspaceOfOwn(id)}.`
  removeByPrefix(beginning)
  return store(beginning + TEXT, text)
}
