/** Connects a page to its API: through a service worker, otherwise an engine in the page. */
import {
  CHANNEL_MARK,
  type Channel,
  type ChannelRequest,
  type ChannelRequests,
  type ChannelResponse,
  isPageMessage,
  type WorkerMessage,
} from '../shared/channel'
import type { CallHandlers, PageReply } from '../shared/handlers'

export interface Connection {
  /**
   * `page`: no service worker, as over plain HTTP; every tab runs an engine over the same database.
   */
  mode: 'service-worker' | 'page'
  /** Why the engine is in the page, shown to the user. */
  reason?: string
  channel: Channel
  channelTo(workspace: string): Channel
  /** Makes the service worker cache the page for offline use. @param build of this page */
  cachePage(build: string): void
}

const TAKEOVER_TIMEOUT_MS = 10_000
/** Browsers stop a worker after 30 seconds without events. */
const STAY_MILLISECONDS = 20_000

/**
 * @param base path of the page, ending with `/`
 * @param call calls servers written in the page
 * @param kept false: use no browser storage
 */
export async function connect(
  base: string,
  workspace: string,
  call: CallHandlers,
  kept = true,
): Promise<Connection> {
  const onThisPage = (reason: string) => onPage(base, workspace, call, reason, kept)
  if (!kept) return onThisPage('nothing is kept')
  if (!('serviceWorker' in navigator))
    return onThisPage(
      'this page is not served over HTTPS or from this machine, so the browser offers no service worker',
    )
  const script = new URL(`${base}service-worker.js`, location.origin).href
  try {
    const registered = navigator.serviceWorker.register(script, { scope: base })
    if (isControlledBy(script)) {
      // A failed update, as when offline, is not an error.
      registered.catch(() => undefined)
    } else await waitForControl(script, await registered)
    takeCalls(workspace, call)
    setInterval(() => send({ mark: CHANNEL_MARK, kind: 'stay' }), STAY_MILLISECONDS)
    return {
      mode: 'service-worker',
      channel: workerChannel(workspace),
      channelTo: workerChannel,
      cachePage,
    }
  } catch (error) {
    return onThisPage(error instanceof Error ? error.message : String(error))
  }
}

/** Another application's worker may control the page on a shared origin. */
function isControlledBy(script: string): boolean {
  return navigator.serviceWorker.controller?.scriptURL === script
}

/** Waits for the new worker. After a hard reload, the active worker has to claim the page. */
async function waitForControl(
  script: string,
  registration: ServiceWorkerRegistration,
): Promise<void> {
  const taken = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('the service worker did not take over in time')),
      TAKEOVER_TIMEOUT_MS,
    )
    const look = () => {
      if (!isControlledBy(script)) return
      clearTimeout(timer)
      navigator.serviceWorker.removeEventListener('controllerchange', look)
      resolve()
    }
    navigator.serviceWorker.addEventListener('controllerchange', look)
    look()
  })
  const claim: WorkerMessage = { mark: CHANNEL_MARK, kind: 'claim' }
  registration.active?.postMessage(claim)
  await taken
}

function send(message: WorkerMessage, transfer: Transferable[] = []): boolean {
  const { controller } = navigator.serviceWorker
  controller?.postMessage(message, transfer)
  return controller !== null
}

function workerChannel(workspace: string): Channel {
  return {
    request(kind, request) {
      return new Promise((resolve, reject) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }: MessageEvent<ChannelResponse>) => {
          port1.close()
          if (data.ok) resolve(data.response as never)
          else reject(new Error(data.message))
        }
        const message: WorkerMessage = {
          mark: CHANNEL_MARK,
          kind: 'request',
          workspace,
          request: { kind, request } as ChannelRequest,
        }
        if (!send(message, [port2]))
          reject(new Error('the service worker is gone: reload the page'))
      })
    },
  }
}

/** Runs this workspace's engine's calls to servers in this page. */
function takeCalls(workspace: string, call: CallHandlers): void {
  navigator.serviceWorker.addEventListener(
    'message',
    ({ data, ports: [port] }: MessageEvent<unknown>) => {
      if (!isPageMessage(data) || port === undefined) return
      const post = (reply: PageReply) => port.postMessage(reply)
      if (data.workspace !== workspace) {
        post({ kind: 'declined' })
        return
      }
      post({ kind: 'taken' })
      const cancel = call(data.call, post)
      port.onmessage = cancel
    },
  )
}

const cachePage = (build: string): void => void send({ mark: CHANNEL_MARK, kind: 'keep', build })

/** Loaded only when needed. */
async function onPage(
  base: string,
  workspace: string,
  call: CallHandlers,
  reason: string,
  kept: boolean,
): Promise<Connection> {
  const { hostOnPage } = await import('./page-host')
  const engineOf = hostOnPage(base, call, kept)
  const channelTo = (name: string) => pageChannel(engineOf(name))
  return {
    mode: 'page',
    reason,
    channel: channelTo(workspace),
    channelTo,
    cachePage: () => undefined,
  }
}

function pageChannel(engine: {
  respond(request: ChannelRequest): Promise<ChannelResponse>
}): Channel {
  return {
    async request<Kind extends keyof ChannelRequests>(
      kind: Kind,
      request: ChannelRequests[Kind]['request'],
    ) {
      const response = await engine.respond({ kind, request } as ChannelRequest)
      if (!response.ok) throw new Error(response.message)
      return response.response as ChannelRequests[Kind]['response']
    },
  }
}
