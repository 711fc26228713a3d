/** Calls of webhooks: posted, waited for, and made again a few times where that may help (texts recorded). */
import type { Clock, Random } from '../environment'
import { type Outbound, OutboundError } from '../outbound'
import { goDuration } from '../schema/go-duration'
import { goQuote } from '../schema/go-text'
import { AnswerError } from './answers'
import type { Endpoint } from './kubeconfig'

export interface Call {
  endpoint: Endpoint
  /** Milliseconds that each attempt may take. */
  timeout: number
  body: string
}

export interface CallEnvironment {
  clock: Clock
  random: Random
  /** Absent: the host has no way to others. */
  outbound?: Outbound | undefined
}

const ATTEMPTS = 5
const FIRST_PAUSE = 500
const PAUSE_GROWTH = 1.5
const PAUSE_JITTER = 0.2

export class TimeoutError extends Error {}

/**
 * @param read makes an answer of status code and body, or throws AnswerError
 * @throws TimeoutError, Error with the message of the last attempt
 */
export async function callWebhook<Answer>(
  call: Call,
  environment: CallEnvironment,
  read: (code: number, body: string) => Answer,
): Promise<Answer> {
  const { clock, random } = environment
  let pause = FIRST_PAUSE
  for (let attempt = 1; ; attempt++) {
    try {
      return await callOnce(call, environment, read)
    } catch (error) {
      if (attempt >= ATTEMPTS || !(error instanceof AnswerError) || !error.retriable) throw error
      await sleep(clock, pause * (1 + PAUSE_JITTER * fraction(random)))
      pause *= PAUSE_GROWTH
    }
  }
}

async function callOnce<Answer>(
  { endpoint, timeout, body }: Call,
  { clock, outbound }: CallEnvironment,
  read: (code: number, body: string) => Answer,
): Promise<Answer> {
  const { url, ...how } = endpoint
  const target = `${url}${/^https?:\/\/[^/]+$/.test(url) ? '/' : ''}?timeout=${goDuration(timeout)}`
  const failed = (why: string) => `Post ${goQuote(withoutPassword(target))}: ${why}`
  if (outbound === undefined) throw new Error(failed('there is no way to other servers from here'))
  let stopWaiting = () => {}
  const late = new Promise<never>((_, reject) => {
    stopWaiting = clock.after(timeout, () =>
      reject(
        new TimeoutError(
          failed('net/http: request canceled (Client.Timeout exceeded while awaiting headers)'),
        ),
      ),
    )
  })
  const headers = {
    accept: 'application/json, */*',
    'content-type': 'application/json',
    ...how.headers,
  }
  let cancel = () => {}
  const post = outbound.post({ ...how, url: target, headers, body }, (run) => {
    cancel = run
  })
  try {
    const answer = await Promise.race([post, late])
    return read(answer.status, answer.body)
  } catch (error) {
    if (error instanceof TimeoutError) cancel()
    throw error instanceof OutboundError ? new Error(failed(error.message)) : error
  } finally {
    stopWaiting()
  }
}

/** As Go's client shows a URL: `https://me:***@hook/`. */
export const withoutPassword = (url: string): string =>
  url.replace(/^([a-z]+:\/\/[^/@:]*):[^/@]*@/i, '$1:***@')

const sleep = (clock: Clock, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(milliseconds, resolve)
  })

const fraction = (random: Random): number => (random.bytes(new Uint8Array(1))[0] ?? 0) / 256
