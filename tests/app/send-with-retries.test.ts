/** A write that conflicts is computed again from the current object. */
import { expect, it } from 'vitest'
import { sendWithRetries } from '../../src/app/features/manifests/send-with-retries'
import type { ApiResponse } from '../../src/app/state/client'

const response = (status: number, json: unknown): ApiResponse =>
  ({ status, ok: status < 300, json, text: JSON.stringify(json) }) as ApiResponse
const DONE = response(200, {})
const CONFLICT = response(409, {
  kind: 'Status',
  reason: 'Conflict',
  message: 'the object has been modified',
})
const OWNED = response(409, {
  kind: 'Status',
  reason: 'Conflict',
  details: {
    causes: [{ reason: 'FieldManagerConflict', field: '.data.a', message: 'conflict with "bob"' }],
  },
})
const FORBIDDEN = response(403, { kind: 'Status', reason: 'Forbidden' })

/** @param responses to the tries, in order; the last one for all further tries */
async function sent(
  responses: ApiResponse[],
  most: number,
): Promise<{ response: ApiResponse; times: number; reads: number } | undefined> {
  let reads = 0
  const outcome = await sendWithRetries(async () => {
    const given = responses[Math.min(reads++, responses.length - 1)] as ApiResponse
    return { response: given }
  }, most)
  return outcome && { ...outcome, reads }
}

it('reads and sends again after each conflict', async () => {
  expect(await sent([CONFLICT, CONFLICT, DONE], 5)).toEqual({ response: DONE, times: 3, reads: 3 })
})

it('stops after the maximum number of tries, with the last conflict', async () => {
  expect(await sent([CONFLICT], 5)).toEqual({ response: CONFLICT, times: 5, reads: 5 })
})

it('retries neither a conflict of field managers nor another error', async () => {
  expect(await sent([OWNED, DONE], 5)).toEqual({ response: OWNED, times: 1, reads: 1 })
  expect(await sent([FORBIDDEN, DONE], 5)).toEqual({ response: FORBIDDEN, times: 1, reads: 1 })
})

it('sends nothing if the current object needs no change', async () => {
  let reads = 0
  expect(
    await sendWithRetries(async () => (reads++ === 0 ? { response: CONFLICT } : undefined), 5),
  ).toBeUndefined()
  expect(reads).toBe(2)
})
