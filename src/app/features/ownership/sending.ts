/** Sends a step of a recipe, computed from the current object, and retries it on a conflict. */
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
  /** How often it was sent until it was not too late. */
  times: number
}

/** As often as kubectl tries when it moves fields from the client's side to the server's. */
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
  // Builds the request from the live object, because controllers write it too.
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
