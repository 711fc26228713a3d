import { MEDIA_TYPE } from '../../../engine/core/names'
import { isJsonObject, type KubeObject } from '../../../engine/core/object'
import { type ApiResponse, get, sendRequest } from '../../state/client'
import { sendWithRetries } from '../manifests/send-with-retries'
import { effectsOf, type FieldEffect, type Writer } from './effects'
import type { Step } from './recipes'

export interface Done {
  step: Step
  response: ApiResponse
  effects: FieldEffect[]
  times: number
}

/** As in kubectl's migration to server-side apply. */
const TRIES = 5

/**
 * @param address the object's path
 * @returns undefined if the live object makes the request unnecessary
 * @throws Error if the connection breaks, ApiFailure if the object cannot be read
 */
export async function sendStep(
  address: string,
  stepOf: (object: KubeObject) => Step | undefined,
): Promise<Done | undefined> {
  // Controllers write the object too, so each attempt reads it.
  const sent = await sendWithRetries(async () => {
    const before = await get<KubeObject>(address)
    const step = stepOf(before)
    return step && { before, step, response: await sendRequest(step.request) }
  }, TRIES)
  if (sent === undefined) return undefined
  const { before, step, response, times } = sent
  const effects =
    response.ok && isJsonObject(response.json)
      ? effectsOf(before, response.json as unknown as KubeObject, writerOf(step))
      : []
  return { step, response, effects, times }
}

function writerOf({ manager, request }: Step): Writer {
  return {
    name: manager,
    operation: request.contentType === MEDIA_TYPE.applyPatch ? 'Apply' : 'Update',
  }
}
