import { useEffect, useState } from 'react'
import { create } from 'zustand'
import type { ClockState as HostClock } from '../../hosts/shared/channel'
import { useConnection } from './connection'
import { useMoment } from './moment'
import { notify } from './view'

interface ClockStore {
  /** The last reading of the cluster clock, and `performance.now()` at that time. */
  reading: { clock: HostClock; at: number } | undefined
  stepping: boolean
  read(): Promise<void>
  setRate(rate: number): Promise<void>
  step(): Promise<void>
}

export const useClock = create<ClockStore>((set, get) => {
  const take = (clock: HostClock | undefined) =>
    clock && set({ reading: { clock, at: performance.now() } })
  const channel = () => useConnection.getState().connection?.channel
  const steer = async (how: { rate?: number; step?: boolean }) => {
    try {
      take(await channel()?.request('steer', how))
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error), 'bad')
    }
  }
  return {
    reading: undefined,
    stepping: false,
    read: async () => take(await channel()?.request('clock', undefined)),
    setRate: (rate) => steer({ rate }),
    async step() {
      if (get().stepping) return
      set({ stepping: true })
      await steer(get().reading?.clock.rate === 0 ? { step: true } : { rate: 0, step: true })
      set({ stepping: false })
    },
  }
})

/** Milliseconds since the epoch; the local time until the cluster's is known. */
export function clusterNow(): number {
  const { reading } = useClock.getState()
  if (reading === undefined) return Date.now()
  const { time, rate, next } = reading.clock
  const now = time + (performance.now() - reading.at) * rate
  return rate > 1 && next !== undefined ? Math.min(now, Math.max(time, next)) : now
}

/** Of the shown revision, or the cluster's; milliseconds since the epoch. */
export const shownNow = (): number => useMoment.getState().at ?? clusterNow()

const TICK_MILLISECONDS = 250
/** Polls, because an accelerated clock pauses while there is work. */
const READ_MILLISECONDS = 1000

/** @returns milliseconds since the epoch; undefined until it is known */
export function useClusterTime(): number | undefined {
  const reading = useClock((state) => state.reading)
  const past = useMoment((state) => state.at)
  const [, tick] = useState(0)
  useEffect(() => {
    void useClock.getState().read()
    const ticking = setInterval(() => tick((count) => count + 1), TICK_MILLISECONDS)
    const reading = setInterval(
      () => document.hidden || void useClock.getState().read(),
      READ_MILLISECONDS,
    )
    return () => {
      clearInterval(ticking)
      clearInterval(reading)
    }
  }, [])
  return past ?? (reading === undefined ? undefined : clusterNow())
}
