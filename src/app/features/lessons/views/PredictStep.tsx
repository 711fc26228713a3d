/** A prediction: the question, then the response that decides it. */
import { useEffect, useRef, useState } from 'react'
import type { Prediction } from '../../../../lessons/lesson'
import { Icon } from '../../../components/Icon'
import { useClassroom } from '../classroom'
import { type Predicted, predict, readOn, usePredictions } from '../predictions'
import { PREDICT } from '../texts'
import { Paragraphs, Words } from './Paragraphs'
import { RequestLine } from './RequestLine'
import { scrollTo } from './scroll-to'

export function PredictStep({ step, prediction }: { step: number; prediction: Prediction }) {
  const predicted = usePredictions((state) => state.predicted[step])
  const busy = useClassroom((state) => state.busy !== undefined)
  const [sending, setSending] = useState(false)
  const { question, request, choices } = prediction
  if (predicted?.read) return null
  const choose = (choice: number) => {
    setSending(true)
    void predict(step, prediction, choice).finally(() => setSending(false))
  }
  return (
    <div className="predict">
      <Paragraphs text={question} />
      <RequestLine request={request} sent={predicted !== undefined} />
      <ul className="predict-choices" aria-label={PREDICT.choices}>
        {choices.map((choice, index) => (
          <li key={choice.says}>
            <button
              type="button"
              className="predict-choice"
              disabled={busy || sending || predicted !== undefined}
              data-verdict={predicted && verdictOf(predicted, index)}
              onClick={() => choose(index)}
            >
              <Icon name={iconOf(predicted, index)} size={14} />
              <span>
                <Words text={choice.says} />
                <span className="visually-hidden">{predicted && spoken(predicted, index)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div role="status">
        {predicted && <Verdict predicted={predicted} step={step} because={prediction.because} />}
      </div>
    </div>
  )
}

interface VerdictProps {
  predicted: Predicted
  step: number
  because: string
}

function Verdict({
  predicted: { choice, right, code, reason, message },
  step,
  because,
}: VerdictProps) {
  const verdict = useRef<HTMLDivElement>(null)
  useEffect(() => scrollTo(verdict.current, 'bottom'), [])
  return (
    <div className="predict-verdict" ref={verdict}>
      <p>
        <strong className={choice === right ? 'good' : 'warn'}>
          {choice === right ? PREDICT.right : PREDICT.other}
        </strong>{' '}
        {PREDICT.responded(code, reason)}
      </p>
      {message !== '' && <p className="mono small predict-message">{message}</p>}
      <Paragraphs text={because} />
      <div className="button-row">
        <button type="button" className="button small primary" onClick={() => goOn(step)}>
          {PREDICT.goOn}
        </button>
      </div>
    </div>
  )
}

function goOn(step: number): void {
  readOn(step)
  void useClassroom.getState().look()
}

function verdictOf({ choice, right }: Predicted, index: number): string | undefined {
  if (index === right) return 'right'
  return index === choice ? 'wrong' : undefined
}

function iconOf(predicted: Predicted | undefined, index: number): 'check' | 'close' | 'circle' {
  const verdict = predicted && verdictOf(predicted, index)
  if (verdict === 'right') return 'check'
  return verdict === 'wrong' ? 'close' : 'circle'
}

function spoken(predicted: Predicted, index: number): string {
  const verdict = verdictOf(predicted, index)
  if (verdict === 'right') return PREDICT.isRight
  return verdict === 'wrong' ? PREDICT.isWrong : ''
}
