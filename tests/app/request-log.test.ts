/** The log of requests has a bound in number and in size; what a person did is kept longest, and what was sent longer than what came. */
import { describe, expect, it, vi } from 'vitest'
import type { LoggedRequest, Origin } from '../../src/app/state/logged-request'
import { KEPT, NOT_KEPT, RequestLog } from '../../src/app/state/request-log'
import { requestLog, useRequests } from '../../src/app/state/requests'

let lastId = 0
const entry = (origin: Origin, part: Partial<LoggedRequest> = {}): LoggedRequest => ({
  id: ++lastId,
  at: 0,
  method: 'GET',
  path: '/api/v1/pods',
  who: 'admin',
  origin,
  headers: {},
  ...part,
})

const idsOf = (log: RequestLog, origin: Origin): number[] =>
  log.entries.filter((one) => one.origin === origin).map(({ id }) => id)

describe('the log of requests', () => {
  it('keeps the newest of each origin: the page’s own requests evict no others', () => {
    const log = new RequestLog()
    const own = Array.from({ length: KEPT.action + 5 }, () => entry('action'))
    for (const one of own) log.add(one)
    const page = Array.from({ length: KEPT.page * 20 }, () => entry('page'))
    for (const one of page) log.add(one)
    expect(idsOf(log, 'action')).toEqual(own.slice(5).map(({ id }) => id))
    expect(idsOf(log, 'page')).toEqual(page.slice(-KEPT.page).map(({ id }) => id))
    expect(log.dropped).toBe(5)
  })

  it('drops the oldest responses at many megabytes, and no request', () => {
    const log = new RequestLog()
    const large = 'x'.repeat(200_000)
    const sent = Array.from({ length: 300 }, () => entry('script', { body: '{}' }))
    for (const one of sent) {
      log.add(one)
      log.change(one.id, { status: 200, response: large })
    }
    expect(log.entries).toHaveLength(300)
    expect(log.entries[0]).toEqual({ ...sent[0], status: 200, response: NOT_KEPT })
    expect(log.entries.at(-1)?.response).toBe(large)
    expect(log.entries.filter(({ response }) => response === large).length).toBe(99)
    expect(log.dropped).toBe(0)
  })

  it('gives up the oldest requests where what was sent is many megabytes, but not the newest', () => {
    const log = new RequestLog()
    const sent = Array.from({ length: 12 }, () => entry('action', { body: 'x'.repeat(3_000_000) }))
    for (const one of sent) log.add(one)
    expect(log.entries).toEqual(sent.slice(-6))
    expect(log.dropped).toBe(6)
    const huge = entry('action', { body: 'x'.repeat(50_000_000) })
    log.add(huge)
    expect(log.entries).toEqual([huge])
  })

  it('counts all responses, and ignores updates of dropped requests', () => {
    const log = new RequestLog()
    const sent = Array.from({ length: KEPT.page + 50 }, () => entry('page'))
    for (const one of sent) {
      log.add(one)
      log.change(one.id, { status: 200 })
      log.change(one.id, { open: false })
    }
    expect(log.responses).toBe(sent.length)
    const before = log.entries
    log.change((sent[0] as LoggedRequest).id, { response: 'late' })
    expect(log.entries).toBe(before)
  })
})

describe('what the page draws of it', () => {
  it('is one update for a thousand requests at once, while the log itself knows all of them', () => {
    vi.useFakeTimers()
    try {
      useRequests.getState().clear()
      const listener = vi.fn()
      const stop = useRequests.subscribe(listener)
      const { add, update } = useRequests.getState()
      for (let at = 0; at < 1000; at++) update(add(entry('script')), { status: 200, open: false })
      expect(listener).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1000)
      expect(listener).toHaveBeenCalledTimes(1)
      expect(useRequests.getState().log).toHaveLength(1000)
      add(entry('action'))
      expect(requestLog()).toHaveLength(1001)
      stop()
    } finally {
      vi.useRealTimers()
      useRequests.getState().clear()
    }
  })
})
