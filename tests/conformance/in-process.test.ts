import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import type { ApiRequest, ApiResponse } from '../../src/engine/http/messages'
import { inProcessSender, inProcessSleep } from './in-process'

const START = Date.UTC(2026, 0, 1)

function playing(
  handle: (request: ApiRequest, clock: SimulatedClock) => Promise<ApiResponse> | ApiResponse,
) {
  const clock = new SimulatedClock(START)
  return {
    clock,
    send: inProcessSender({ handle: async (request) => handle(request, clock) }, clock),
    sleep: inProcessSleep(clock),
  }
}

const get = (path: string, headers: Record<string, string> = {}) => ({
  method: 'GET',
  path,
  headers,
})

describe('a request sent in-process', () => {
  it('is what the recorder sent: its headers and what its client added', async () => {
    const { send } = playing(async (request) => ({
      status: 200,
      headers: {},
      body: ['accept', 'accept-encoding', 'x-own', 'content-type']
        .map((name) => request.header(name))
        .join('|'),
    }))
    expect((await send(get('/', { 'X-Own': '1', Accept: 'application/json' }))).text).toBe(
      'application/json|gzip, deflate|1|',
    )
  })

  it('keeps the path and query as an HTTP client sends them', async () => {
    const { send } = playing((request) => ({ status: 200, headers: {}, body: request.target }))
    expect((await send(get('//api/v1/a%2Fb?x=a b&y=%2C'))).text).toBe(
      '//api/v1/a%2Fb?x=a%20b&y=%2C',
    )
  })

  it('returns decompressed text, joined headers, and no body for HEAD', async () => {
    const { send } = playing(() => ({
      status: 200,
      headers: { 'content-encoding': 'gzip', warning: ['a', 'b'] },
      body: gzipSync('packed'),
    }))
    expect(await send(get('/'))).toEqual({
      status: 200,
      headers: { 'content-encoding': 'gzip', warning: 'a, b' },
      text: 'packed',
    })
    expect((await send({ method: 'HEAD', path: '/', headers: {} })).text).toBe('')
  })
})

describe('simulated time', () => {
  it('passes at once where a watch would wait for its end', async () => {
    const { send, clock } = playing((_, time) => ({
      status: 200,
      headers: {},
      body: {
        start(sink) {
          sink.write('{"n":1}\n')
          time.after(500, () => sink.write('{"n":2}\n'))
          return time.after(30_000, () => sink.end())
        },
      },
    }))
    expect((await send(get('/watch'))).text).toBe('{"n":1}\n{"n":2}\n')
    expect(clock.now() - START).toBeGreaterThanOrEqual(30_000)
  })

  it('does not pass while a request can go on without it', async () => {
    const { send, clock } = playing(async (_, time) => {
      time.after(60_000, () => {})
      for (let i = 0; i < 100; i++) await Promise.resolve()
      return { status: 200, headers: {}, body: 'done' }
    })
    await send(get('/'))
    expect(clock.now() - START).toBeLessThan(1000)
  })

  it('advances the clock between requests, and runs due timers', async () => {
    const { sleep, clock } = playing(() => ({ status: 200, headers: {} }))
    let rang = 0
    clock.after(1000, () => rang++)
    await sleep(999)
    expect(rang).toBe(0)
    await sleep(1)
    expect(rang).toBe(1)
  })

  it('does not wait forever', async () => {
    const { send } = playing(() => new Promise<ApiResponse>(() => {}))
    await expect(send(get('/'))).rejects.toThrow('never ended')
  })
})
