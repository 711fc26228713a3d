/** What the learner predicted, and what the server responded. */
import { create } from 'zustand'
import type { JsonObject } from '../../../engine/core/object'
import { isLike } from '../../../lessons/check'
import type { Prediction } from '../../../lessons/lesson'
import { load, onStored, store } from '../../state/stored'
import { ownKey } from '../../state/workspace'
import { sendAsLearner } from './play'

export interface Predicted {
  choice: number
  /** Index of the choice that matches the response; -1 if none does. */
  right: number
  code: number
  /** Of a Status: `AlreadyExists`. */
  reason: string
  message: string
  /** The learner has continued. */
  read: boolean
}

interface PredictionState {
  /** By step. */
  predicted: Readonly<Record<number, Predicted>>
}

const KEY = ownKey('lesson-predictions')
const stored = (): PredictionState => ({ predicted: load<Record<number, Predicted>>(KEY, {}) })

export const usePredictions = create<PredictionState>(stored)

onStored(KEY, () => usePredictions.setState(stored()))

function keep(predicted: PredictionState['predicted']): void {
  usePredictions.setState({ predicted })
  store(KEY, predicted)
}

export const clearPredictions = (): void => keep({})

export const isRead = (step: number): boolean =>
  usePredictions.getState().predicted[step]?.read === true

/** Sends the request, so that the server decides. */
export async function predict(
  step: number,
  { request, choices }: Prediction,
  choice: number,
): Promise<void> {
  const { code, body } = await sendAsLearner(request)
  const response: JsonObject = { code, body }
  const right = choices.findIndex(({ is }) => isLike(response, is))
  const { reason = '', message = '' } = code >= 400 ? body : {}
  keep({
    ...usePredictions.getState().predicted,
    [step]: { choice, right, code, reason: String(reason), message: String(message), read: false },
  })
}

export function readOn(step: number): void {
  const { predicted } = usePredictions.getState()
  const before = predicted[step]
  if (before !== undefined) keep({ ...predicted, [step]: { ...before, read: true } })
}

/** As if the right choice had been made, for a solution that is played. */
export async function predictRight(step: number, prediction: Prediction): Promise<void> {
  if (usePredictions.getState().predicted[step] === undefined) {
    await predict(step, prediction, 0)
    const { predicted } = usePredictions.getState()
    const before = predicted[step]
    if (before !== undefined) keep({ ...predicted, [step]: { ...before, choice: before.right } })
  }
  readOn(step)
}
