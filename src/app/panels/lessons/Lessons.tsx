/** All lessons: what each teaches, how long it takes, how far one is. */
import './lessons.css'
import { LESSONS } from '../../../lessons/catalog'
import { Icon } from '../../components/Icon'
import { openLesson } from '../../lessons/open'
import { LESSON_HERE, useProgress } from '../../lessons/progress'

export default function Lessons() {
  const steps = useProgress((state) => state.steps)
  const finished = LESSONS.filter((lesson) => (steps[lesson.id] ?? 0) >= lesson.steps.length).length
  return (
    <section className="panel lessons">
      <header className="bar">
        <h2>Lessons</h2>
        <span className="soft">
          {finished} of {LESSONS.length} finished
        </span>
      </header>
      <div className="scroll">
        <p className="lessons-about">
          Each has a cluster of its own, so nothing of yours is touched. What counts is what came of it, however you do it: by a manifest, a
          script, or a terminal.
        </p>
        <ol className="lesson-list">
          {LESSONS.map((lesson, index) => {
            const done = steps[lesson.id] ?? 0
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
                      {lesson.minutes} minutes · {lesson.steps.length} steps
                      {done >= lesson.steps.length ? ' · finished' : done > 0 ? ` · ${done} done` : ''}
                      {lesson.id === LESSON_HERE ? ' · open here' : ''}
                    </span>
                  </span>
                </button>
              </li>
            )
          })}
        </ol>
      </div>
    </section>
  )
}
