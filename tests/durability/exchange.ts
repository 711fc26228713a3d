/** Requests of an ordinary client. A missing response is a hang, and every rejection must be a Status. */
import { Agent, request } from 'node:http'
import type { Host } from '../etcd/hosts'

export interface Stored {
  kind: string
  apiVersion: string
  metadata: {
    name: string
    namespace?: string
    uid: string
    resourceVersion: string
    continue?: string
    deletionTimestamp?: string
    finalizers?: string[]
  }
  data?: Record<string, string>
  spec?: Record<string, unknown>
  status?: unknown
  items?: Stored[]
}

export interface Status {
  kind: string
  status: string
  reason?: string
  message: string
  code: number
  details?: { uid?: string; retryAfterSeconds?: number }
}

export interface TestResponse {
  code: number
  /** Of a rejection, and of most deletions. */
  status: Status
  /** Of anything else. */
  object: Stored
  text: string
  milliseconds: number
}

/** No request may take longer: the server bounds them at 60 seconds. */
const HANG = 75_000

export class Hang extends Error {}
/** The connection ended before a response: what was requested happened or did not. */
export class Lost extends Error {}

const agent = new Agent({ keepAlive: true })

export interface TestRequest {
  method?: string
  path: string
  body?: unknown
  type?: string
}

/** @throws Lost, or Hang */
export function exchange(
  { url }: Pick<Host, 'url'>,
  { method = 'GET', path, body, type = 'application/json' }: TestRequest,
): Promise<TestResponse> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      authorization: 'Bearer admin-token',
      ...(text === undefined ? {} : { 'content-type': type }),
    }
    const sent = request(`${url}${path}`, { method, headers, agent }, (response) => {
      let received = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        received += piece
      })
      response.on('error', (cause) => reject(new Lost(`${method} ${path}`, { cause })))
      response.on('end', () => {
        clearTimeout(limit)
        const value = parse(received)
        resolve({
          code: response.statusCode ?? 0,
          text: received,
          status: value as Status,
          object: value as Stored,
          milliseconds: performance.now() - began,
        })
      })
    })
    const limit = setTimeout(() => {
      reject(new Hang(`${method} ${path} had no response within ${HANG} ms`))
      sent.destroy()
    }, HANG)
    sent.on('error', (cause) => {
      clearTimeout(limit)
      reject(new Lost(`${method} ${path}`, { cause }))
    })
    sent.end(text)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is wrong with a rejection, if anything: it must be a Status with the same code. */
export function faultOfRejection({ code, status, text }: TestResponse): string | undefined {
  if (code < 400) return undefined
  if (
    (status?.kind !== 'Status' && status?.reason !== 'Timeout') ||
    status.status !== 'Failure' ||
    status.code !== code ||
    !status.message
  )
    return `${code} came with ${text.slice(0, 300)}`
  return undefined
}

export interface Event {
  type: string
  object: Stored
}

/** The events of one watch, until its connection ends; `onEvent` is called as each arrives. @throws Lost where it could not begin */
export function follow(
  { url }: Pick<Host, 'url'>,
  path: string,
  onEvent: (event: Event) => void,
  signal?: AbortSignal,
): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
      { headers: { authorization: 'Bearer admin-token' }, signal },
      (response) => {
        const code = response.statusCode ?? 0
        let rest = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => {
          const lines = (rest + piece).split('\n')
          rest = lines.pop() ?? ''
          if (code === 200) for (const line of lines) onEvent(JSON.parse(line) as Event)
        })
        response.on('close', () => resolve({ code, text: rest }))
        response.on('error', () => {})
      },
    )
    sent.on('error', (cause) => reject(new Lost(path, { cause })))
    sent.end()
  })
}
