/** All lessons, with their subject, duration and progress. */
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

const Author = lazy(() => import('./Author'))

export default function Lessons() {
  const writing = useAuthor((state) => state.open)
  return writing ? (
    <Suspense fallback={<p className="arriving">Loading the lesson's editor …</p>}>
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
        <h2>Lessons</h2>
        <span className="soft">
          {finished} of {LESSONS.length} finished
        </span>
        <span className="grow" />
        <button type="button" className="button small" onClick={() => useAuthor.getState().begin()}>
          <Icon name="edit" size={14} /> Write a lesson
        </button>
      </header>
      <div className="scroll">
        <p className="lessons-about">
          Each lesson has its own cluster, so yours is not affected. Only the result counts: use
          manifests, scripts or kubectl.
        </p>
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
                        ? ' · finished'
                        : done > 0
                          ? ` · ${done} done`
                          : ''}
                      {lesson.id === LESSON_HERE ? ' · open here' : ''}
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

/** The user's lessons in this browser. */
function OwnLessons() {
  const names = useWorkspaces((state) => state.names)
  const own = ownLessons(names)
  if (own.length === 0) return null
  return (
    <>
      <h3 className="lessons-heading">Lessons of others, and your own</h3>
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
                  Workspace {workspace}
                  {workspace === WORKSPACE ? ' · open here' : ''}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ol>
    </>
  )
}
