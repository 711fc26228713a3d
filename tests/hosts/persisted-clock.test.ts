/**
 * The simulated time in a browser survives a restart of the engine, which the browser may suspend
 * at any time.
 */
import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { BrowserEngine } from '../../src/hosts/shared/browser-engine'
import type { ChannelRequest, ChannelResponse, ClockState } from '../../src/hosts/shared/channel'

const engines: BrowserEngine[] = []
let count = 0
function engineOn(databaseName: string): (request: ChannelRequest) => Promise<ClockState> {
  const engine = new BrowserEngine({ databaseName })
  engines.push(engine)
  return async (request) => {
    const response: ChannelResponse = await engine.respond(request)
    if (!response.ok) throw new Error(response.message)
    return response.response as ClockState
  }
}
afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.drain())))

test('starts at the real time', async () => {
  const sendRequest = engineOn(`clock-${++count}`)
  const { time, rate } = await sendRequest({ kind: 'clock', request: undefined })
  expect(rate).toBe(1)
  expect(Math.abs(time - Date.now())).toBeLessThan(1000)
})

test('stays paused after a restart', async () => {
  const name = `clock-${++count}`
  const { time } = await engineOn(name)({ kind: 'steer', request: { rate: 0 } })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await engineOn(name)({ kind: 'clock', request: undefined })).toMatchObject({
    time,
    rate: 0,
  })
})

test('advances to the next due time, and persists it', async () => {
  const name = `clock-${++count}`
  const sendRequest = engineOn(name)
  await sendRequest({ kind: 'configure', request: { historyMinutes: 5 } })
  const { next = 0 } = await sendRequest({ kind: 'steer', request: { rate: 0 } })
  expect(next).toBeGreaterThan(0)
  expect((await sendRequest({ kind: 'steer', request: { step: true } })).time).toBe(next)
  expect((await engineOn(name)({ kind: 'clock', request: undefined })).time).toBe(next)
})

test('rejects an invalid speed', async () => {
  await expect(
    engineOn(`clock-${++count}`)({ kind: 'steer', request: { rate: -1 } }),
  ).rejects.toThrow('between 0 and 1000')
})
