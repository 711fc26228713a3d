/**
 * Retries with exponential backoff (k8s.io/apiserver, pkg/util/webhook). Error texts recorded from
 * kube-apiserver 1.31.
 */
import type { Clock, Random } from '../core/environment'
import { type Outbound, OutboundError } from '../core/outbound'
import { goDuration } from '../schema/go-duration'
import { goQuote } from '../schema/go-text'
import type { Endpoint } from './kubeconfig'
import { ReviewResponseError } from './review-status'

export interface Call {
  endpoint: Endpoint
  /** Milliseconds of each attempt. */
  timeout: number
  body: string
}

export interface CallEnvironment {
  clock: Clock
  random: Random
  /** Absent if the host cannot reach other servers. */
  outbound?: Outbound | undefined
}

const ATTEMPTS = 5
const FIRST_PAUSE = 500
const PAUSE_GROWTH = 1.5
const PAUSE_JITTER = 0.2

export class TimeoutError extends Error {}

/**
 * @param read throws ReviewResponseError
 * @throws TimeoutError, Error with the message of the last attempt
 */
export async function callWebhook<Result>(
  call: Call,
  environment: CallEnvironment,
  read: (code: number, body: string) => Result,
): Promise<Result> {
  const { clock, random } = environment
  let pause = FIRST_PAUSE
  for (let attempt = 1; ; attempt++) {
    try {
      return await callOnce(call, environment, read)
    } catch (error) {
      if (attempt >= ATTEMPTS || !(error instanceof ReviewResponseError) || !error.retriable)
        throw error
      await sleep(clock, pause * (1 + PAUSE_JITTER * fraction(random)))
      pause *= PAUSE_GROWTH
    }
  }
}

async function callOnce<Result>(
  { endpoint, timeout, body }: Call,
  { clock, outbound }: CallEnvironment,
  read: (code: number, body: string) => Result,
): Promise<Result> {
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
    const response = await Promise.race([post, late])
    return read(response.status, response.body)
  } catch (error) {
    if (error instanceof TimeoutError) cancel()
    throw error instanceof OutboundError ? new Error(failed(error.message)) : error
  } finally {
    stopWaiting()
  }
}

/** Go's client: `https://me:***@hook/`. */
const withoutPassword = (url: string): string =>
  url.replace(/^([a-z]+:\/\/[^/@:]*):[^/@]*@/i, '$1:***@')

const sleep = (clock: Clock, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(milliseconds, resolve)
  })

const fraction = (random: Random): number => (random.bytes(new Uint8Array(1))[0] ?? 0) / 256
