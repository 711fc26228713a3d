import { useEffect, useRef, useState } from 'react'
import type { Lesson, Step } from '../../../../lessons/lesson'
import { Icon } from '../../../components/Icon'
import { useClassroom } from '../classroom'
import { usePredictions } from '../predictions'
import { LESSON } from '../texts'
import { Paragraphs, Words } from './Paragraphs'
import { PredictStep } from './PredictStep'
import { scrollTo } from './scroll-to'

export function LessonSteps({ lesson }: { lesson: Lesson }) {
  const done = useClassroom((state) => state.done)
  const checks = useClassroom((state) => state.checks)
  const busy = useClassroom((state) => state.busy)
  const show = useClassroom((state) => state.show)
  const predicted = usePredictions((state) => state.predicted)
  const steps = useRef<HTMLOListElement>(null)
  useEffect(() => {
    // Scrolls to the next step; initially to the story.
    if (done > 0) scrollTo(steps.current?.children[done], 'bottom')
  }, [done])
  return (
    <ol className="lesson-steps" ref={steps}>
      {lesson.steps.map((step, index) => (
        <li
          key={step.title}
          className={index < done ? 'done' : index === done ? 'present' : 'later'}
        >
          <h3>
            <Icon name={index < done ? 'check' : index === done ? 'chevron' : 'circle'} size={14} />
            {step.title}
            <span className="visually-hidden">
              {index < done ? LESSON.done : index === done ? LESSON.current : LESSON.later}
            </span>
          </h3>
          {index === done && step.predict && (
            <PredictStep key={`predict ${step.title}`} step={index} prediction={step.predict} />
          )}
          {index === done && (predicted[index]?.read || !step.predict) && (
            <CurrentStep
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
  )
}

interface CurrentStepProps {
  step: Step
  checks: readonly { waitingFor: string; holds: boolean }[]
  busy: string | undefined
  onShow(): void
}

function CurrentStep({ step, checks, busy, onShow }: CurrentStepProps) {
  const [hints, setHints] = useState(0)
  return (
    <>
      <Paragraphs text={step.text} />
      <ul className="lesson-checks" aria-live="polite">
        {checks.map(({ waitingFor, holds }) => (
          <li key={waitingFor} className={holds ? 'good' : 'soft'}>
            <Icon name={holds ? 'check' : 'circle'} size={14} /> {waitingFor}
            <span className="visually-hidden">{holds ? LESSON.yes : LESSON.notYet}</span>
          </li>
        ))}
      </ul>
      {step.checks.some(({ kind }) => kind === 'request') && (
        <p className="soft small">{LESSON.requests}</p>
      )}
      {step.hints.slice(0, hints).map((hint) => (
        <p key={hint} className="note lesson-hint">
          <Words text={hint} />
        </p>
      ))}
      <div className="button-row">
        {hints < step.hints.length ? (
          <button type="button" className="button small" onClick={() => setHints(hints + 1)}>
            {hints === 0 ? LESSON.hint : LESSON.nextHint}
          </button>
        ) : (
          <button
            type="button"
            className="button small"
            disabled={busy !== undefined}
            onClick={onShow}
          >
            <Icon name="play" size={14} /> {LESSON.solution}
          </button>
        )}
      </div>
    </>
  )
}
