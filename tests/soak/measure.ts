/**
 * Figures of a running browser: heaps after a collection, nodes of the page, processes, what lies
 * on the disk.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'

export interface PageFigures {
  heap: number
  nodes: number
  listeners: number
}

/** The heap of a page, when everything that no one needs is gone. */
export async function pageFigures(session: CDPSession): Promise<PageFigures> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { heap: usedSize, nodes, listeners: jsEventListeners }
}

/**
 * Sends DevTools Protocol commands to service workers, which the sessions of pages do not reach.
 */
export class WorkerProbe {
  private last = 0
  private readonly waiting = new Map<number, (result: Record<string, unknown>) => void>()

  private constructor(private readonly session: CDPSession) {
    session.on('Target.receivedMessageFromTarget', ({ message }) => {
      const { id, result = {} } = JSON.parse(message) as {
        id?: number
        result?: Record<string, unknown>
      }
      if (id === undefined) return
      this.waiting.get(id)?.(result)
      this.waiting.delete(id)
    })
  }

  static async of(browser: Browser): Promise<WorkerProbe> {
    return new WorkerProbe(await browser.newBrowserCDPSession())
  }

  /** Bytes in use after a collection; undefined when no worker runs. */
  async heap(): Promise<number | undefined> {
    const { targetInfos } = await this.session.send('Target.getTargets')
    const target = targetInfos.find(({ type }) => type === 'service_worker')
    if (target === undefined) return undefined
    const { sessionId } = await this.session.send('Target.attachToTarget', {
      targetId: target.targetId,
    })
    await this.sendRequest(sessionId, 'HeapProfiler.collectGarbage')
    const usage = await this.sendRequest(sessionId, 'Runtime.getHeapUsage')
    await this.session.send('Target.detachFromTarget', { sessionId }).catch(() => undefined)
    return typeof usage?.usedSize === 'number' ? usage.usedSize : undefined
  }

  private sendRequest(
    sessionId: string,
    method: string,
  ): Promise<Record<string, unknown> | undefined> {
    const id = ++this.last
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), 30_000)
      this.waiting.set(id, (result) => {
        clearTimeout(timer)
        resolve(result)
      })
      void this.session
        .send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method }) })
        .catch(() => resolve(undefined))
    })
  }
}

/** Stops all service workers, as the browser does with one that is idle. */
export async function stopWorkers(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.stopAllWorkers')
  await session.detach()
}

/** Bytes of all files below a folder. */
export function bytesBelow(folder: string): number {
  let sum = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    // A file may go while it is looked at.
    sum += entry.isDirectory()
      ? bytesBelow(path)
      : (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  }
  return sum
}

/** Resident bytes of the browser's processes; undefined if the system does not report them. */
export async function residentBytes(browser: Browser): Promise<number | undefined> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  try {
    return processInfo.reduce((sum, { id }) => sum + residentOf(id), 0)
  } catch {
    return undefined
  }
}

function residentOf(process: number): number {
  const pages = Number(readFileSync(`/proc/${process}/statm`, 'utf8').split(' ')[1])
  return pages * 4096
}
