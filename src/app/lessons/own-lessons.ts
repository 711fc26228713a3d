/** The lessons of somebody's own that this browser keeps. To tell their titles they are read, which takes a reader of YAML. */
import { readLessonText } from '../../lessons/text'
import { ownTextOf } from './here'

export interface OwnLesson {
  workspace: string
  title: string
  text: string
}

/** Those of the given workspaces in which a lesson of somebody's own is tried. */
export function ownLessons(workspaces: readonly string[]): OwnLesson[] {
  return workspaces.flatMap((workspace) => {
    const text = ownTextOf(workspace)
    const title = text === undefined ? undefined : readLessonText(text).lesson?.title
    return text === undefined || title === undefined ? [] : [{ workspace, title, text }]
  })
}
