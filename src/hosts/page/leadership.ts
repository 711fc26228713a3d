/**
 * Of several pages that each run an engine over the same store one alone runs controllers, as the real managers elect one among
 * them. Where the browser has locks the holder of one leads. Over plain HTTP it has none: there a newcomer asks aloud who leads,
 * and leads itself if no one answers; who leaves reports it. No one polls: a page that was left without a word (its process died) is
 * noticed when one looks at another.
 */
import type { Campaign } from '../../engine/server-options'

/** @param name of what is led: pages with the same one elect one of them */
export function pageCampaign(name: string): Campaign {
  // Absent where there is no secure context.
  const locks: LockManager | undefined = navigator.locks
  return locks
    ? lockCampaign(locks, name)
    : broadcastCampaign(new BroadcastChannel(`${name}-leader`), {
        addEventListener,
        removeEventListener,
      })
}

export const lockCampaign =
  (locks: Pick<LockManager, 'request'>, name: string): Campaign =>
  (elected) => {
    const giveUp = new AbortController()
    let resign = (): void => {}
    const inOffice = new Promise<void>((resolve) => {
      resign = resolve
    })
    const held = locks.request(`${name}-leader`, { signal: giveUp.signal }, () => {
      elected()
      return inOffice
    })
    // Given up before it was elected: that is what was requested.
    held.catch(() => undefined)
    return () => {
      giveUp.abort()
      resign()
    }
  }

/** How long a newcomer listens for a response. Pages in the background are slow to speak. */
const LISTEN_MILLISECONDS = 1000

type LeaderMessage = { type: 'query' | 'leader' | 'resign' | 'candidate'; from: number }

/** What a page's events are listened to by. */
type Events = {
  addEventListener: Window['addEventListener']
  removeEventListener: Window['removeEventListener']
}

export function broadcastCampaign(
  channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'>,
  events: Events,
  wait: (milliseconds: number, run: () => void) => () => void = timer,
): Campaign {
  return (elected) => {
    const self = Math.random()
    let leads = false
    let stopListening: (() => void) | undefined
    const send = (type: LeaderMessage['type']) =>
      channel.postMessage({ type, from: self } satisfies LeaderMessage)
    const concede = () => {
      stopListening?.()
      stopListening = undefined
    }
    const standForElection = () => {
      if (leads) return
      concede()
      stopListening = wait(LISTEN_MILLISECONDS, () => {
        leads = true
        send('leader')
        elected()
      })
      send('query')
    }
    const leave = () => {
      if (!leads) return
      leads = false
      send('resign')
    }
    channel.onmessage = ({ data }: MessageEvent<LeaderMessage>) => {
      if (data.type === 'resign') standForElection()
      else if (leads && data.type === 'query') send('leader')
      else if (data.type === 'leader') concede()
      // Of those that ask at once the one with the lowest number goes on.
      else if (stopListening && data.from < self) concede()
      else if (stopListening && data.type === 'query') send('candidate')
    }
    events.addEventListener('pagehide', leave)
    events.addEventListener('visibilitychange', standForElection)
    standForElection()
    return () => {
      concede()
      leave()
      events.removeEventListener('pagehide', leave)
      events.removeEventListener('visibilitychange', standForElection)
      channel.close()
    }
  }
}

function timer(milliseconds: number, run: () => void): () => void {
  const set = setTimeout(run, milliseconds)
  return () => clearTimeout(set)
}
