import './lessons.css'
import { useEffect, useState } from 'react'
import { LESSONS } from '../../../../lessons/catalog'
import type { Lesson } from '../../../../lessons/lesson'
import { readLessonText } from '../../../../lessons/text'
import { Icon } from '../../../components/Icon'
import { useConnection } from '../../../state/connection'
import { LESSON_HERE, OWN_LESSON_HERE } from '../../../state/lesson-workspace'
import { useView } from '../../../state/view'
import { useWorkspaces } from '../../workspaces/workspaces'
import { useClassroom } from '../classroom'
import { showLessons } from '../shown-list'
import { LESSON } from '../texts'
import { FinishedLesson } from './FinishedLesson'
import { Instructors } from './Instructors'
import { LessonSteps } from './LessonSteps'
import { Paragraphs } from './Paragraphs'
import { Reference } from './Reference'
import { ShareLesson } from './ShareLesson'

const LOOK_MILLISECONDS = 1000

export default function LessonPanel() {
  const connected = useConnection((state) => state.connection !== undefined)
  const lesson = useClassroom((state) => state.lesson)
  const done = useClassroom((state) => state.done)
  const busy = useClassroom((state) => state.busy)
  const failure = useClassroom((state) => state.failure)
  const enter = useClassroom((state) => state.enter)
  const look = useClassroom((state) => state.look)
  const restart = useClassroom((state) => state.restart)
  const [open, setOpen] = useState(true)
  useEffect(() => {
    const here = lessonHere()
    if (!connected || here === undefined) return
    void enter(here)
    const timer = setInterval(() => {
      if (!document.hidden) void look()
    }, LOOK_MILLISECONDS)
    return () => clearInterval(timer)
  }, [connected, enter, look])
  if (lesson === undefined) return null
  const finished = done >= lesson.steps.length
  return (
    <aside
      className={open ? 'panel lesson' : 'panel lesson closed'}
      aria-label={LESSON.panel(lesson.title)}
    >
      <header className="bar">
        <h2 className="cut">{lesson.title}</h2>
        <span className="soft small">{LESSON.progress(done, lesson.steps.length)}</span>
        <span className="grow" />
        <ShareLesson title={lesson.title} />
        <button
          type="button"
          className="button quiet icon-only"
          aria-expanded={open}
          aria-label={LESSON.show}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'down' : 'chevron'} />
        </button>
      </header>
      {open && (
        <div className="scroll lesson-body">
          <details open={done === 0}>
            <summary>{LESSON.story}</summary>
            <Paragraphs text={lesson.story} />
            <p className="soft small">
              <Reference text={lesson.rules} />
            </p>
          </details>
          <LessonSteps lesson={lesson} />
          {busy !== undefined && <p className="soft">{busy}</p>}
          {failure !== undefined && (
            <p className="note bad" role="alert">
              {failure}
            </p>
          )}
          {finished && <FinishedLesson lesson={lesson} />}
          <Instructors lesson={lesson} busy={busy !== undefined} />
          <div className="button-row">
            <button
              type="button"
              className="button quiet small"
              disabled={busy !== undefined}
              onClick={() => confirmRestart(restart)}
            >
              {LESSON.restart}
            </button>
            <button type="button" className="button quiet small" onClick={showLessons}>
              {LESSON.all}
            </button>
            <button
              type="button"
              className="button quiet small"
              onClick={() => useWorkspaces.getState().open('')}
            >
              {LESSON.leave}
            </button>
          </div>
        </div>
      )}
    </aside>
  )
}

function confirmRestart(restart: () => Promise<void>): void {
  useView.getState().set({
    question: {
      title: LESSON.restartQuestion,
      text: LESSON.restartConsequence,
      choices: [{ title: LESSON.restart, danger: true, run: () => void restart() }],
    },
  })
}

/** Parsed whenever it opens, because it can come from anywhere. */
function lessonHere(): Lesson | undefined {
  if (OWN_LESSON_HERE !== undefined) return readLessonText(OWN_LESSON_HERE).lesson
  return LESSONS.find(({ id }) => id === LESSON_HERE)
}
