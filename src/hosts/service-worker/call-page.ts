/** Sends handler calls from the worker to a page. */
import { CHANNEL_MARK, type PageMessage } from '../shared/channel'
import {
  type CallHandlers,
  type CallMessage,
  CONNECTION_REFUSED,
  type PageReply,
} from '../shared/handlers'
import type { PageClient, WorkerScope } from './scope'

/** An active page accepts at once; a closing one never responds. */
const PAGE_TIMEOUT_MS = 2000

/** Offers a call to a workspace's pages in turn, visible ones first. */
export const callPages =
  (worker: WorkerScope, workspace: string): CallHandlers =>
  (call, send) => {
    let canceled = false
    let cancel = (): void => {
      canceled = true
    }
    const callPage = async (): Promise<void> => {
      const pages = await worker.clients.matchAll({ type: 'window' })
      const order = [...pages].sort(
        (a, b) => Number(b.visibilityState === 'visible') - Number(a.visibilityState === 'visible'),
      )
      for (const page of order) {
        if (canceled) return
        const taken = await offered(
          page,
          { mark: CHANNEL_MARK, kind: 'call', workspace, call },
          send,
        )
        if (taken === undefined) continue
        if (canceled) taken()
        cancel = taken
        return
      }
      send({ kind: 'failed', message: CONNECTION_REFUSED })
    }
    callPage().catch((error: unknown) =>
      send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
    return () => cancel()
  }

/** @returns cancels the call; undefined if not accepted */
function offered(
  page: PageClient,
  message: PageMessage,
  send: (message: CallMessage) => void,
): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const timer = setTimeout(() => {
      port1.close()
      resolve(undefined)
    }, PAGE_TIMEOUT_MS)
    const settle = (taken: (() => void) | undefined) => {
      clearTimeout(timer)
      resolve(taken)
    }
    port1.onmessage = ({ data }: MessageEvent<PageReply>) => {
      if (data.kind === 'taken')
        settle(() => {
          port1.postMessage('cancel')
          port1.close()
        })
      else if (data.kind === 'declined') settle(undefined)
      else send(data)
      if (data.kind !== 'taken' && data.kind !== 'head' && data.kind !== 'chunk') port1.close()
    }
    page.postMessage(message, [port2])
  })
}
