import { LESSONS } from '../../../../lessons/catalog'
import type { Lesson } from '../../../../lessons/lesson'
import { LESSON_HERE, workspaceOfLesson } from '../../../state/lesson-workspace'
import { useWorkspaces } from '../../workspaces/workspaces'
import { LESSON } from '../texts'

export function FinishedLesson({ lesson }: { lesson: Lesson }) {
  const next =
    LESSON_HERE === undefined
      ? undefined
      : LESSONS[LESSONS.findIndex(({ id }) => id === lesson.id) + 1]
  return (
    <div className="lesson-finished" role="status">
      <p>
        <strong>{LESSON.finished}</strong> {lesson.about}
      </p>
      <p className="soft">{LESSON.next(lesson.after)}</p>
      {next && (
        <button
          type="button"
          className="button primary"
          onClick={() => useWorkspaces.getState().open(workspaceOfLesson(next.id))}
        >
          {LESSON.nextLesson(next.title)}
        </button>
      )}
    </div>
  )
}
