import { useMemo, useState } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import { Icon } from '../../../components/Icon'
import { notify } from '../../../state/view'
import type { Step } from '../recipes'
import { type Done, sendStep } from '../sending'
import { notSent, STEPS } from '../texts'
import { latestOf, progressOf } from '../transfer'
import { StepView } from './StepView'

/** Sent steps stay; later ones are computed from the current object. */
interface StepsProps {
  /** The object's path. */
  address: string
  object: KubeObject
  stepsOf(object: KubeObject): Step[]
  onBegin?(): void
  onReset?(): void
}

export function Steps({ address, object, stepsOf, onBegin, onReset }: StepsProps) {
  const [done, setDone] = useState<Done[]>([])
  const [running, setRunning] = useState(false)
  const reached = latestOf(object, done)
  const steps = useMemo(() => stepsOf(reached), [stepsOf, reached])
  const { failed, finished, next } = progressOf(done, steps.length)
  const reset = () => {
    setDone([])
    onReset?.()
  }
  const send = async (all: boolean) => {
    setRunning(true)
    onBegin?.()
    try {
      let sent = failed ? done.slice(0, -1) : done
      for (let index = sent.length; index < steps.length; index++) {
        const one = await sendStep(address, (now) => stepsOf(now)[index])
        if (one === undefined) break
        sent = [...sent, one]
        setDone(sent)
        if (!one.response.ok || !all) break
      }
    } catch (error) {
      notify(notSent(error instanceof Error ? error.message : String(error)), 'bad')
    } finally {
      setRunning(false)
    }
  }
  return (
    <>
      <ol className="steps">
        {steps.map((step, index) => {
          const past = done[index]
          return (
            <StepView
              key={step.title}
              number={index + 1}
              step={past?.step ?? step}
              past={past}
              later={index > next}
              send={index === next && !finished && !running ? () => void send(false) : undefined}
            />
          )
        })}
      </ol>
      <div className="button-row">
        {finished ? (
          <button type="button" className="button small" onClick={reset}>
            {STEPS.startOver}
          </button>
        ) : (
          steps.length > 1 && (
            <button
              type="button"
              className="button small primary"
              disabled={running}
              onClick={() => void send(true)}
            >
              <Icon name="play" size={14} /> {done.length === 0 ? STEPS.runAll : STEPS.runRest}
            </button>
          )
        )}
      </div>
    </>
  )
}
