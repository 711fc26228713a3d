import { entryOf } from '../../../../engine/core/object'
import { countText } from '../../../components/format'
import './lessons.css'
import { lazy, Suspense } from 'react'
import { LESSONS } from '../../../../lessons/catalog'
import { releasesText } from '../../../../lessons/releases'
import { Icon } from '../../../components/Icon'
import { LESSON_HERE } from '../../../state/lesson-workspace'
import { WORKSPACE } from '../../../state/workspace'
import { useWorkspaces } from '../../workspaces/workspaces'
import { useAuthor } from '../author'
import { openHeld, openLesson } from '../open'
import { ownLessons } from '../own-lessons'
import { useProgress } from '../progress'
import { LESSON_LIST } from '../texts'

const Author = lazy(() => import('./Author'))

export default function Lessons() {
  const writing = useAuthor((state) => state.open)
  return writing ? (
    <Suspense fallback={<p className="arriving">{LESSON_LIST.loading}</p>}>
      <Author />
    </Suspense>
  ) : (
    <AllLessons />
  )
}

function AllLessons() {
  const steps = useProgress((state) => state.steps)
  const finished = LESSONS.filter(
    (lesson) => (entryOf(steps, lesson.id) ?? 0) >= lesson.steps.length,
  ).length
  return (
    <section className="panel lessons">
      <header className="bar">
        <h2>{LESSON_LIST.title}</h2>
        <span className="soft">{LESSON_LIST.finished(finished, LESSONS.length)}</span>
        <span className="grow" />
        <button type="button" className="button small" onClick={() => useAuthor.getState().begin()}>
          <Icon name="edit" size={14} /> {LESSON_LIST.write}
        </button>
      </header>
      <div className="scroll">
        <p className="lessons-about">{LESSON_LIST.about}</p>
        <ol className="lesson-list">
          {LESSONS.map((lesson, index) => {
            const done = entryOf(steps, lesson.id) ?? 0
            return (
              <li key={lesson.id}>
                <button type="button" className="lesson-card" onClick={() => openLesson(lesson.id)}>
                  <span className="lesson-number" aria-hidden="true">
                    {done >= lesson.steps.length ? <Icon name="check" /> : index + 1}
                  </span>
                  <span className="lesson-words">
                    <strong>{lesson.title}</strong>
                    <span className="soft">{lesson.about}</span>
                    <span className="soft small">
                      {countText(lesson.minutes, 'minute')} ·{' '}
                      {countText(lesson.steps.length, 'step')}
                      {lesson.releases && ` · ${releasesText(lesson)}`}
                      {done >= lesson.steps.length
                        ? LESSON_LIST.isFinished
                        : done > 0
                          ? LESSON_LIST.progress(done)
                          : ''}
                      {lesson.id === LESSON_HERE ? LESSON_LIST.openHere : ''}
                    </span>
                  </span>
                </button>
              </li>
            )
          })}
        </ol>
        <OwnLessons />
      </div>
    </section>
  )
}

function OwnLessons() {
  const names = useWorkspaces((state) => state.names)
  const own = ownLessons(names)
  if (own.length === 0) return null
  return (
    <>
      <h3 className="lessons-heading">{LESSON_LIST.shared}</h3>
      <ol className="lesson-list">
        {own.map(({ workspace, title }) => (
          <li key={workspace}>
            <button type="button" className="lesson-card" onClick={() => openHeld(workspace)}>
              <span className="lesson-number" aria-hidden="true">
                <Icon name="edit" size={14} />
              </span>
              <span className="lesson-words">
                <strong>{title}</strong>
                <span className="soft small">
                  {LESSON_LIST.workspace(workspace)}
                  {workspace === WORKSPACE && LESSON_LIST.openHere}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ol>
    </>
  )
}
