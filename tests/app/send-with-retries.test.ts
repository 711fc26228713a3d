/** Writes that somebody else was faster with are made anew from what is there then. */
import { expect, it } from 'vitest'
import type { ApiResponse } from '../../src/app/client'
import { sendWithRetries } from '../../src/app/manifests/send-with-retries'

const answer = (status: number, json: unknown): ApiResponse =>
  ({ status, ok: status < 300, json, text: JSON.stringify(json) }) as ApiResponse
const DONE = answer(200, {})
const OUTRUN = answer(409, {
  kind: 'Status',
  reason: 'Conflict',
  message: 'the object has been modified',
})
const OWNED = answer(409, {
  kind: 'Status',
  reason: 'Conflict',
  details: {
    causes: [{ reason: 'FieldManagerConflict', field: '.data.a', message: 'conflict with "bob"' }],
  },
})
const REFUSED = answer(403, { kind: 'Status', reason: 'Forbidden' })

/** @param answers of the tries, in order; the last for all that follow */
async function sent(
  answers: ApiResponse[],
  most: number,
): Promise<{ answer: ApiResponse; times: number; reads: number } | undefined> {
  let reads = 0
  const outcome = await sendWithRetries(async () => {
    const given = answers[Math.min(reads++, answers.length - 1)] as ApiResponse
    return { answer: given }
  }, most)
  return outcome && { ...outcome, reads }
}

it('reads and sends again while somebody was faster', async () => {
  expect(await sent([OUTRUN, OUTRUN, DONE], 5)).toEqual({ answer: DONE, times: 3, reads: 3 })
})

it('gives up after so many times, with the last refusal', async () => {
  expect(await sent([OUTRUN], 5)).toEqual({ answer: OUTRUN, times: 5, reads: 5 })
})

it('takes a conflict of owners, and any other refusal, for an answer', async () => {
  expect(await sent([OWNED, DONE], 5)).toEqual({ answer: OWNED, times: 1, reads: 1 })
  expect(await sent([REFUSED, DONE], 5)).toEqual({ answer: REFUSED, times: 1, reads: 1 })
})

it('sends nothing where what is read then leaves nothing to send', async () => {
  let reads = 0
  expect(
    await sendWithRetries(async () => (reads++ === 0 ? { answer: OUTRUN } : undefined), 5),
  ).toBeUndefined()
  expect(reads).toBe(2)
})
