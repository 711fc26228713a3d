/** A plain HTTP client and what a burst of requests cost. */
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'

export interface TestResponse {
  status: number
  bytes: number
  text(): string
}

export interface RequestOptions {
  body?: string
  type?: string
  accept?: string
}

export interface Client {
  send(method: string, path: string, options?: RequestOptions): Promise<TestResponse>
  /** Resolves with the head; the body goes to `onData`. */
  stream(path: string, onData: (chunk: Buffer) => void): Promise<ClientRequest>
}

export function client(base: string, token: string): Client {
  const { protocol, hostname, port } = new URL(base)
  const lib = protocol === 'https:' ? https : http
  const agent = new lib.Agent({
    keepAlive: true,
    maxSockets: 256,
    rejectUnauthorized: false,
  } as http.AgentOptions)

  const open = (
    method: string,
    path: string,
    { body, type = 'application/json', accept = 'application/json' }: RequestOptions,
    responded: (response: IncomingMessage) => void,
  ) => {
    const content =
      body === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }
    const headers = {
      Authorization: `Bearer ${token}`,
      Accept: accept,
      'User-Agent': 'bench/1',
      ...content,
    }
    const request = lib.request({ host: hostname, port, path, method, agent, headers }, responded)
    request.end(body)
    return request
  }

  return {
    send: (method, path, options = {}) =>
      new Promise((resolve, reject) => {
        const request = open(method, path, options, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const bytes = chunks.reduce((total, chunk) => total + chunk.length, 0)
            resolve({
              status: response.statusCode ?? 0,
              bytes,
              text: () => Buffer.concat(chunks).toString(),
            })
          })
        })
        request.on('error', reject)
      }),
    stream: (path, onData) =>
      new Promise((resolve, reject) => {
        const request = open('GET', path, {}, (response) => {
          response.on('data', onData)
          resolve(request)
        })
        request.on('error', reject)
      }),
  }
}

export interface Load {
  count: number
  failed: number
  perSecond: number
  p50: number
  p99: number
  meanBytes: number
}

/** Sends `count` requests, so many at a time. The first failure is printed. */
export async function load(
  count: number,
  inFlight: number,
  one: (i: number) => Promise<TestResponse>,
): Promise<Load> {
  const times: number[] = []
  let [next, failed, bytes] = [0, 0, 0]
  const started = performance.now()
  await Promise.all(
    Array.from({ length: Math.min(inFlight, count) }, async () => {
      for (let i = next++; i < count; i = next++) {
        const sent = performance.now()
        const response = await one(i)
        times.push(performance.now() - sent)
        bytes += response.bytes
        if (response.status < 300) continue
        failed++
        if (failed === 1)
          console.error('first failure:', response.status, response.text().slice(0, 300))
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  const percentile = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(count * share))] ?? 0
  return {
    count,
    failed,
    perSecond: count / seconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
    meanBytes: bytes / count,
  }
}
