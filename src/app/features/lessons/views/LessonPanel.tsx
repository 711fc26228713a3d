/**
 * The lesson next to the workbench: its story, the current step, unmet checks, hints and the
 * solution.
 */
import './lessons.css'
import { useEffect, useRef, useState } from 'react'
import { LESSONS } from '../../../../lessons/catalog'
import type { Lesson, Step } from '../../../../lessons/lesson'
import { lessonText, readLessonText } from '../../../../lessons/text'
import { Icon } from '../../../components/Icon'
import { useConnection } from '../../../state/connection'
import { LESSON_HERE, OWN_LESSON_HERE, workspaceOfLesson } from '../../../state/lesson-workspace'
import { useView } from '../../../state/view'
import { useWorkspaces } from '../../workspaces/workspaces'
import { useAuthor } from '../author'
import { useClassroom } from '../classroom'
import { Paragraphs, Words } from './Paragraphs'

const LOOK_MILLISECONDS = 1000

export default function LessonPanel() {
  const connected = useConnection((state) => state.connection !== undefined)
  const lesson = useClassroom((state) => state.lesson)
  const done = useClassroom((state) => state.done)
  const checks = useClassroom((state) => state.checks)
  const busy = useClassroom((state) => state.busy)
  const failure = useClassroom((state) => state.failure)
  const enter = useClassroom((state) => state.enter)
  const look = useClassroom((state) => state.look)
  const show = useClassroom((state) => state.show)
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
  const steps = useRef<HTMLOListElement>(null)
  useEffect(() => {
    // Scrolls to the next step; initially to the story.
    if (done > 0) steps.current?.children[done]?.scrollIntoView({ block: 'nearest' })
  }, [done])
  if (lesson === undefined) return null
  const finished = done >= lesson.steps.length
  return (
    <aside
      className={open ? 'panel lesson' : 'panel lesson closed'}
      aria-label={`Lesson: ${lesson.title}`}
    >
      <header className="bar">
        <h2 className="cut">{lesson.title}</h2>
        <span className="soft small">
          {done} of {lesson.steps.length}
        </span>
        <span className="grow" />
        <button
          type="button"
          className="button quiet icon-only"
          aria-expanded={open}
          aria-label="Show the lesson"
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'down' : 'chevron'} />
        </button>
      </header>
      {open && (
        <div className="scroll lesson-body">
          <details open={done === 0}>
            <summary>The story</summary>
            <Paragraphs text={lesson.story} />
            <p className="soft small">
              <Reference text={lesson.rules} />
            </p>
          </details>
          <ol className="lesson-steps" ref={steps}>
            {lesson.steps.map((step, index) => (
              <li
                key={step.title}
                className={index < done ? 'done' : index === done ? 'present' : 'later'}
              >
                <h3>
                  <Icon
                    name={index < done ? 'check' : index === done ? 'chevron' : 'circle'}
                    size={14}
                  />
                  {step.title}
                  <span className="visually-hidden">
                    {index < done ? ' (done)' : index === done ? ' (to be done)' : ' (later)'}
                  </span>
                </h3>
                {index === done && (
                  <PresentStep
                    key={step.title}
                    step={step}
                    checks={checks}
                    busy={busy}
                    onShow={() => void show()}
                  />
                )}
              </li>
            ))}
          </ol>
          {busy !== undefined && <p className="soft">{busy}</p>}
          {failure !== undefined && (
            <p className="note bad" role="alert">
              {failure}
            </p>
          )}
          {finished && <Finished lesson={lesson} />}
          <ForTeachers lesson={lesson} busy={busy !== undefined} />
          <div className="button-row">
            <button
              type="button"
              className="button quiet small"
              disabled={busy !== undefined}
              onClick={() => confirmRestart(restart)}
            >
              Restart
            </button>
            <button type="button" className="button quiet small" onClick={showAll}>
              All lessons
            </button>
            <button
              type="button"
              className="button quiet small"
              onClick={() => useWorkspaces.getState().open('')}
            >
              Leave
            </button>
          </div>
        </div>
      )}
    </aside>
  )
}

/** A user's lesson is parsed whenever it opens, because it can come from anywhere. */
/** Shows `Title: https://…` as a link. */
function Reference({ text }: { text: string }) {
  const [, title, url] = /^(.+): (https:\/\/\S+)$/.exec(text) ?? []
  if (url === undefined) return text
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {title}
    </a>
  )
}

function lessonHere(): Lesson | undefined {
  if (OWN_LESSON_HERE !== undefined) return readLessonText(OWN_LESSON_HERE).lesson
  return LESSONS.find(({ id }) => id === LESSON_HERE)
}

interface PresentStepProps {
  step: Step
  checks: readonly { waitingFor: string; holds: boolean }[]
  busy: string | undefined
  onShow(): void
}

function PresentStep({ step, checks, busy, onShow }: PresentStepProps) {
  const [hints, setHints] = useState(0)
  return (
    <>
      <Paragraphs text={step.text} />
      <ul className="lesson-checks" aria-live="polite">
        {checks.map(({ waitingFor, holds }) => (
          <li key={waitingFor} className={holds ? 'good' : 'soft'}>
            <Icon name={holds ? 'check' : 'circle'} size={14} /> {waitingFor}
            <span className="visually-hidden">{holds ? ' (yes)' : ' (not yet)'}</span>
          </li>
        ))}
      </ul>
      {step.checks.some(({ kind }) => kind === 'request') && (
        <p className="soft small">
          Requests count that you send: from the console, a script, a terminal, or by a button. What
          the page reads to show you objects does not.
        </p>
      )}
      {step.hints.slice(0, hints).map((hint) => (
        <p key={hint} className="note lesson-hint">
          <Words text={hint} />
        </p>
      ))}
      <div className="button-row">
        {hints < step.hints.length ? (
          <button type="button" className="button small" onClick={() => setHints(hints + 1)}>
            {hints === 0 ? 'Hint' : 'Next hint'}
          </button>
        ) : (
          <button
            type="button"
            className="button small"
            disabled={busy !== undefined}
            onClick={onShow}
          >
            <Icon name="play" size={14} /> Show solution
          </button>
        )}
      </div>
    </>
  )
}

/** Both solutions, played from the beginning, and the lesson's text to go on with. */
function ForTeachers({ lesson, busy }: { lesson: Lesson; busy: boolean }) {
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
      <summary>For instructors</summary>
      <div className="button-row">
        {play('solution', 'Play the solution')}
        {play('wrong', 'Play the wrong solution')}
        <button
          type="button"
          className="button small"
          onClick={() => useAuthor.getState().begin(OWN_LESSON_HERE ?? lessonText(lesson))}
        >
          <Icon name="edit" size={14} />{' '}
          {OWN_LESSON_HERE === undefined ? 'Use as template' : 'Edit it'}
        </button>
      </div>
      {played !== undefined && <p role="status">{played}</p>}
    </details>
  )
}

function confirmPlay(title: string, run: () => void): void {
  useView.getState().set({
    question: {
      title: `${title}?`,
      text: 'The cluster of this workspace returns to the start of the lesson, then the requests of this solution run one after another. Your files are kept.',
      choices: [{ title: 'Play it', danger: true, run }],
    },
  })
}

function Finished({ lesson }: { lesson: Lesson }) {
  const next =
    LESSON_HERE === undefined
      ? undefined
      : LESSONS[LESSONS.findIndex(({ id }) => id === lesson.id) + 1]
  return (
    <div className="lesson-finished" role="status">
      <p>
        <strong>Done.</strong> {lesson.about}
      </p>
      <p className="soft">Try next: {lesson.after}</p>
      {next && (
        <button
          type="button"
          className="button primary"
          onClick={() => useWorkspaces.getState().open(workspaceOfLesson(next.id))}
        >
          Next: {next.title}
        </button>
      )}
    </div>
  )
}

function showAll(): void {
  useAuthor.getState().close()
  useView.getState().set({ place: 'lessons' })
}

function confirmRestart(restart: () => Promise<void>): void {
  useView.getState().set({
    question: {
      title: 'Restart the lesson?',
      text: 'The cluster of this workspace returns to the start of the lesson. Your files are kept.',
      choices: [{ title: 'Restart', danger: true, run: () => void restart() }],
    },
  })
}
