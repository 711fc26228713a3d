/** Memory of the page and of the service worker, by the DevTools protocol. */
import type { Browser, CDPSession } from 'playwright-core'

export async function metric(
  session: CDPSession,
  name: 'JSHeapUsedSize' | 'TaskDuration' | 'Nodes',
): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find((one) => one.name === name)?.value ?? 0
}

/** Megabytes in use after everything that no one holds was given back. */
export async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return (await metric(session, 'JSHeapUsedSize')) / MEGABYTE
}

export const MEGABYTE = 1024 * 1024

/** @returns how to request the same of the service worker, in which the server runs */
export async function workerHeap(browser: Browser): Promise<() => Promise<number>> {
  const session = await browser.newBrowserCDPSession()
  const { targetInfos } = await session.send('Target.getTargets')
  const worker = targetInfos.find(({ type }) => type === 'service_worker')
  if (worker === undefined) throw new Error('there is no service worker')
  const { sessionId } = await session.send('Target.attachToTarget', {
    targetId: worker.targetId,
    flatten: false,
  })
  let lastId = 0
  const sendRequest = (method: string): Promise<{ usedSize?: number }> => {
    const id = ++lastId
    return new Promise((resolve) => {
      const onMessage = ({ message }: { message: string }) => {
        const received = JSON.parse(message) as { id?: number; result?: { usedSize?: number } }
        if (received.id !== id) return
        session.off('Target.receivedMessageFromTarget', onMessage)
        resolve(received.result ?? {})
      }
      session.on('Target.receivedMessageFromTarget', onMessage)
      void session.send('Target.sendMessageToTarget', {
        sessionId,
        message: JSON.stringify({ id, method }),
      })
    })
  }
  return async () => {
    await sendRequest('HeapProfiler.collectGarbage')
    return ((await sendRequest('Runtime.getHeapUsage')).usedSize ?? 0) / MEGABYTE
  }
}
