/**
 * Leader election of pages with engines over one database: only the leader runs controllers. The
 * holder of a Web Lock leads. Without locks (plain HTTP), a new page broadcasts a query, and leads
 * without a response; a closing leader announces it. A crashed one is replaced when a page becomes
 * visible or hidden.
 */
import type { Campaign } from '../../engine/server/server-options'

/** @param name pages with the same name elect one leader */
export function pageCampaign(name: string): Campaign {
  // Absent outside secure contexts.
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
    // An abort before the election rejects the request, as intended.
    held.catch(() => undefined)
    return () => {
      giveUp.abort()
      resign()
    }
  }

/** Background pages respond slowly. */
const LISTEN_MILLISECONDS = 1000

type LeaderMessage = { type: 'query' | 'leader' | 'resign' | 'candidate'; from: number }

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
    const campaign = () => {
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
      if (data.type === 'resign') campaign()
      else if (leads && data.type === 'query') send('leader')
      else if (data.type === 'leader') concede()
      // The candidate with the lowest number wins.
      else if (stopListening && data.from < self) concede()
      else if (stopListening && data.type === 'query') send('candidate')
    }
    events.addEventListener('pagehide', leave)
    events.addEventListener('visibilitychange', campaign)
    campaign()
    return () => {
      concede()
      leave()
      events.removeEventListener('pagehide', leave)
      events.removeEventListener('visibilitychange', campaign)
      channel.close()
    }
  }
}

function timer(milliseconds: number, run: () => void): () => void {
  const set = setTimeout(run, milliseconds)
  return () => clearTimeout(set)
}
