import { create } from 'zustand'
import { PAGE_ACTOR, useActors } from '../../state/actors'
import { sendRequest } from '../../state/client'
import { load, store } from '../../state/stored'
import { notify } from '../../state/view'
import { ownKey } from '../../state/workspace'
import { isSame, type Replayed, replay, type Send } from './replay'
import type { RecordedRequest } from './scenario'
import { REPLAY } from './texts'

interface ScenarioState {
  /** The sender's name in the link, unverified; can be empty. */
  from: string
  recorded: readonly RecordedRequest[]
  replayed: readonly Replayed[]
  replaying: boolean
  take(from: string, recorded: readonly RecordedRequest[]): void
  step(): Promise<void>
  /** Stops at the first request that cannot be sent. */
  replay(): Promise<void>
}

const KEY = ownKey('scenario')
type Kept = Pick<ScenarioState, 'from' | 'recorded' | 'replayed'>
const NOTHING: Kept = { from: '', recorded: [], replayed: [] }

export const useScenario = create<ScenarioState>((set, get) => {
  const keep = (change: Partial<Kept>) => {
    set(change)
    const { from, recorded, replayed } = get()
    store(KEY, { from, recorded, replayed })
  }
  const sendNext = async () => {
    const { recorded, replayed } = get()
    const next = recorded[replayed.length]
    if (next) keep({ replayed: [...replayed, await replay(next, send)] })
  }
  const working = async (work: () => Promise<void>) => {
    if (get().replaying) return
    set({ replaying: true })
    try {
      await work()
    } catch (error) {
      notify(REPLAY.failed(error instanceof Error ? error.message : String(error)), 'bad')
    } finally {
      set({ replaying: false })
    }
  }
  return {
    ...load<Kept>(KEY, NOTHING),
    replaying: false,
    take: (from, recorded) => keep({ from, recorded, replayed: [] }),
    step: () => working(sendNext),
    replay: () =>
      working(async () => {
        while (get().replayed.length < get().recorded.length) await sendNext()
        const { recorded, replayed } = get()
        const same = recorded.filter((request, at) => isSame(request, replayed[at])).length
        notify(
          same === recorded.length
            ? REPLAY.allMatch(same)
            : REPLAY.someMatch(same, recorded.length),
          same === recorded.length ? 'good' : 'bad',
        )
      }),
  }
})

const send: Send = ({ who, ...request }) =>
  sendRequest({
    ...request,
    actor: useActors.getState().actors.find(({ name }) => name === who) ?? PAGE_ACTOR,
  })
