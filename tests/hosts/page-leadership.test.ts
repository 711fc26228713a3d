/** One of several pages, each with its own engine, runs the controllers. */
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { broadcastCampaign, lockCampaign } from '../../src/hosts/page/leadership'

describe('by BroadcastChannel', () => {
  function pages() {
    const clock = new SimulatedClock()
    const channels: { onmessage: ((event: MessageEvent) => void) | null }[] = []
    const leaders = new Set<number>()
    function open(name: number) {
      const listeners = new Map<string, () => void>()
      const channel = {
        onmessage: null as ((event: MessageEvent) => void) | null,
        postMessage: (data: unknown) => {
          for (const other of [...channels])
            if (other !== channel) other.onmessage?.({ data } as MessageEvent)
        },
        close: () => void channels.splice(channels.indexOf(channel), 1),
      }
      channels.push(channel)
      const events = {
        addEventListener: (type: string, listener: () => void) => listeners.set(type, listener),
        removeEventListener: () => {},
      } as never
      const campaign = broadcastCampaign(channel as never, events, (milliseconds, run) =>
        clock.after(milliseconds, run),
      )
      const resign = campaign(() => leaders.add(name))
      return {
        fire: (type: string) => listeners.get(type)?.(),
        close: () => {
          leaders.delete(name)
          resign()
        },
        die: () => {
          leaders.delete(name)
          channel.onmessage = null
        },
      }
    }
    return { clock, leaders, open }
  }

  it('a page without others leads, and a second page does not', () => {
    const { clock, leaders, open } = pages()
    open(1)
    clock.advance(5000)
    open(2)
    clock.advance(5000)
    expect([...leaders]).toEqual([1])
  })

  it('one of several pages that open at once leads', () => {
    const { clock, leaders, open } = pages()
    for (const name of [1, 2, 3, 4]) open(name)
    clock.advance(5000)
    expect(leaders.size).toBe(1)
  })

  it('another page takes over when the leader leaves', () => {
    const { clock, leaders, open } = pages()
    const first = open(1)
    clock.advance(5000)
    open(2)
    open(3)
    clock.advance(5000)
    first.close()
    clock.advance(5000)
    expect(leaders.size).toBe(1)
    expect(leaders.has(1)).toBe(false)
  })

  it('a crashed leader is replaced when another page becomes visible', () => {
    const { clock, leaders, open } = pages()
    const first = open(1)
    clock.advance(5000)
    const second = open(2)
    clock.advance(5000)
    first.die()
    clock.advance(60_000)
    expect(leaders.size).toBe(0)
    second.fire('visibilitychange')
    clock.advance(5000)
    expect([...leaders]).toEqual([2])
  })
})

describe('by Web Locks', () => {
  it('leads while it holds the lock, and releases it', async () => {
    const queue: (() => void)[] = []
    let held = false
    const locks = {
      async request(_: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>) {
        if (held) await new Promise<void>((resolve) => queue.push(resolve))
        if (signal.aborted) throw signal.reason
        held = true
        await run()
        held = false
        queue.shift()?.()
      },
    } as never
    const leaders: string[] = []
    const resign = lockCampaign(locks, 'x')(() => leaders.push('first'))
    lockCampaign(locks, 'x')(() => leaders.push('second'))
    await Promise.resolve()
    expect(leaders).toEqual(['first'])
    resign()
    await new Promise((resolve) => setImmediate(resolve))
    expect(leaders).toEqual(['first', 'second'])
  })
})
