/** From a loaded page to a running API: the service worker if there can be one, else the engine on the page itself. */
import { CHANNEL_MARK, type Channel, type ChannelAnswer, type ChannelRequest, type ChannelRequests } from '../shared/channel'

export interface Connection {
  /** `page`: no service worker is to be had (plain HTTP, private window); other tabs then have engines of their own. */
  mode: 'service-worker' | 'page'
  /** Why the page hosts the engine itself. */
  reason?: string
  channel: Channel
}

const PATIENCE_MILLISECONDS = 10_000

/** @param base path that the page is served under, ending with `/` */
export async function connect(base: string): Promise<Connection> {
  if (!('serviceWorker' in navigator))
    return onPage(base, 'this page is not served over HTTPS or from this machine, so the browser offers no service worker')
  try {
    const registration = await navigator.serviceWorker.register(`${base}service-worker.js`, { scope: base })
    await controlled(registration)
    return { mode: 'service-worker', channel: workerChannel() }
  } catch (error) {
    return onPage(base, error instanceof Error ? error.message : String(error))
  }
}

/** After a hard reload the page is uncontrolled though a worker is active: it is asked to claim the page. */
async function controlled(registration: ServiceWorkerRegistration): Promise<void> {
  if (navigator.serviceWorker.controller) return
  const taken = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the service worker did not take over in time')), PATIENCE_MILLISECONDS)
    navigator.serviceWorker.addEventListener(
      'controllerchange',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
  registration.active?.postMessage('claim')
  await taken
}

function workerChannel(): Channel {
  return {
    request(kind, ask) {
      return new Promise((resolve, reject) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }: MessageEvent<ChannelAnswer>) =>
          data.ok ? resolve(data.answer as never) : reject(new Error(data.message))
        const worker = navigator.serviceWorker.controller
        if (worker === null) reject(new Error('the service worker is gone: reload the page'))
        else worker.postMessage({ mark: CHANNEL_MARK, request: { kind, ask } as ChannelRequest }, [port2])
      })
    },
  }
}

/** The same engine behind a patched `fetch`. Loaded only where it is needed. */
async function onPage(base: string, reason: string): Promise<Connection> {
  const { hostOnPage } = await import('./page-host')
  const engine = hostOnPage(base)
  return {
    mode: 'page',
    reason,
    channel: {
      async request<Kind extends keyof ChannelRequests>(kind: Kind, ask: ChannelRequests[Kind]['ask']) {
        const answer = await engine.answer({ kind, ask } as ChannelRequest)
        if (!answer.ok) throw new Error(answer.message)
        return answer.answer as ChannelRequests[Kind]['answer']
      },
    },
  }
}
