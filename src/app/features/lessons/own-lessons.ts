/** Reading the titles requires the YAML parser. */
import { readLessonText } from '../../../lessons/text'
import { ownTextOf } from '../../state/lesson-workspace'

export interface OwnLesson {
  workspace: string
  title: string
  text: string
}

export function ownLessons(workspaces: readonly string[]): OwnLesson[] {
  return workspaces.flatMap((workspace) => {
    const text = ownTextOf(workspace)
    const title = text === undefined ? undefined : readLessonText(text).lesson?.title
    return text === undefined || title === undefined ? [] : [{ workspace, title, text }]
  })
}
