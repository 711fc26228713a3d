import { entryOf } from '../../../../engine/core/object'
import { countText } from '../../../components/format'
import './lessons.css'
import './incidents.css'
import { lazy, Suspense } from 'react'
import { CHAPTERS, LESSONS } from '../../../../lessons/catalog'
import { INCIDENTS } from '../../../../lessons/incidents'
import type { Lesson } from '../../../../lessons/lesson'
import { releasesText } from '../../../../lessons/releases'
import { Icon } from '../../../components/Icon'
import { Segments } from '../../../components/Segments'
import { LESSON_HERE } from '../../../state/lesson-workspace'
import { WORKSPACE } from '../../../state/workspace'
import { useWorkspaces } from '../../workspaces/workspaces'
import { useAuthor } from '../author'
import { useSolutions } from '../incident-progress'
import { INCIDENT_LIST } from '../incident-texts'
import { openHeld, openLesson } from '../open'
import { ownLessons } from '../own-lessons'
import { useProgress } from '../progress'
import { type ShownList, useShownList } from '../shown-list'
import { LESSON_LIST } from '../texts'
import { Incidents } from './Incidents'
import { ProgressMenu } from './ProgressMenu'

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

const LISTS = [
  { value: 'lessons', title: INCIDENT_LIST.lessons },
  { value: 'incidents', title: INCIDENT_LIST.incidents },
] as const

function AllLessons() {
  const list = useShownList((state) => state.list)
  const show = useShownList((state) => state.show)
  return (
    <section className="panel lessons">
      <header className="bar">
        <h2 className="visually-hidden">
          {list === 'lessons' ? LESSON_LIST.title : INCIDENT_LIST.incidents}
        </h2>
        <Segments label={INCIDENT_LIST.shown} value={list} choices={LISTS} onChoose={show} />
        <Finished list={list} />
        <span className="grow" />
        <ProgressMenu />
        {list === 'lessons' && (
          <button
            type="button"
            className="button small"
            aria-label={LESSON_LIST.write}
            onClick={() => useAuthor.getState().begin()}
          >
            <Icon name="edit" size={14} /> <span className="bar-word">{LESSON_LIST.write}</span>
          </button>
        )}
      </header>
      {list === 'lessons' ? <LessonCards /> : <Incidents />}
    </section>
  )
}

function Finished({ list }: { list: ShownList }) {
  const steps = useProgress((state) => state.steps)
  const best = useSolutions((state) => state.best)
  const finished = LESSONS.filter(
    (lesson) => (entryOf(steps, lesson.id) ?? 0) >= lesson.steps.length,
  ).length
  const solved = INCIDENTS.filter(({ id }) => entryOf(best, id) !== undefined).length
  return (
    <span className="soft cut">
      {list === 'lessons'
        ? LESSON_LIST.finished(finished, LESSONS.length)
        : INCIDENT_LIST.solved(solved, INCIDENTS.length)}
    </span>
  )
}

function LessonCards() {
  return (
    <div className="scroll">
      <p className="lessons-about">{LESSON_LIST.about}</p>
      {CHAPTERS.map(({ chapter, lessons }) => (
        <section key={chapter}>
          <h3 className="lessons-heading">{chapter}</h3>
          <ol className="lesson-list">
            {LESSONS.filter(({ id }) => lessons.includes(id)).map((lesson) => (
              <LessonCard key={lesson.id} lesson={lesson} number={LESSONS.indexOf(lesson) + 1} />
            ))}
          </ol>
        </section>
      ))}
      <OwnLessons />
    </div>
  )
}

function LessonCard({ lesson, number }: { lesson: Lesson; number: number }) {
  const done = useProgress((state) => entryOf(state.steps, lesson.id) ?? 0)
  return (
    <li>
      <button type="button" className="lesson-card" onClick={() => openLesson(lesson.id)}>
        <span className="lesson-number" aria-hidden="true">
          {done >= lesson.steps.length ? <Icon name="check" /> : number}
        </span>
        <span className="lesson-words">
          <strong>{lesson.title}</strong>
          <span className="soft">{lesson.about}</span>
          <span className="soft small">
            {countText(lesson.minutes, 'minute')} · {countText(lesson.steps.length, 'step')}
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
