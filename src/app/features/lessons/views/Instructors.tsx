import type { Lesson } from '../../../../lessons/lesson'
import { lessonText } from '../../../../lessons/text'
import { Icon } from '../../../components/Icon'
import { OWN_LESSON_HERE } from '../../../state/lesson-workspace'
import { useView } from '../../../state/view'
import { useAuthor } from '../author'
import { useClassroom } from '../classroom'
import { INSTRUCTORS } from '../texts'

export function Instructors({ lesson, busy }: { lesson: Lesson; busy: boolean }) {
  const played = useClassroom((state) => state.played)
  const playThrough = useClassroom((state) => state.playThrough)
  const play = (which: 'solution' | 'wrong', title: string) => (
    <button
      type="button"
      className="button small"
      disabled={busy}
      onClick={() => confirmPlay(title, () => void playThrough(which))}
    >
      <Icon name="play" size={14} /> {title}
    </button>
  )
  return (
    <details className="lesson-teachers" open={OWN_LESSON_HERE !== undefined}>
      <summary>{INSTRUCTORS.title}</summary>
      <div className="button-row">
        {play('solution', INSTRUCTORS.playSolution)}
        {lesson.wrong.length > 0 && play('wrong', INSTRUCTORS.playWrong)}
        <button
          type="button"
          className="button small"
          onClick={() => useAuthor.getState().begin(OWN_LESSON_HERE ?? lessonText(lesson))}
        >
          <Icon name="edit" size={14} />{' '}
          {OWN_LESSON_HERE === undefined ? INSTRUCTORS.template : INSTRUCTORS.edit}
        </button>
      </div>
      {played !== undefined && <p role="status">{played}</p>}
    </details>
  )
}

function confirmPlay(title: string, run: () => void): void {
  useView.getState().set({
    question: {
      title: INSTRUCTORS.playQuestion(title),
      text: INSTRUCTORS.consequence,
      choices: [{ title: INSTRUCTORS.play, danger: true, run }],
    },
  })
}
