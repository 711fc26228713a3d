/** Random clients in two tabs of one Chromium, while its worker is stopped, tabs are closed in the middle of writes, and all of it is killed. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type RunningBrowser, startBrowser } from '../../playwright/host-browser'
import { startHostSite } from '../../playwright/host-site'
import { IDEMPOTENCY_HEADER } from '../../src/engine/core/names'
import { type Conditions, type Findings, randomHistory } from './clients'
import { type Event, Hang, Lost, type TestRequest, type TestResponse } from './exchange'

declare global {
  interface Window {
    api(path: string, init?: RequestInit): Promise<Response>
    /** Lines of a watch, as they come. */
    printLines(id: number, lines: string[]): Promise<void>
    /** How to end watches that are open. */
    following?: Map<number, AbortController>
  }
}

const TABS = 2
const HANG = 75_000

/** @param kills whether the whole browser is killed too, which takes its time */
export async function historyInBrowser(conditions: Conditions, kills = true): Promise<Findings> {
  const site = await startHostSite()
  const profile = mkdtempSync(join(tmpdir(), 'kubetab-history-'))
  const listeners = new Map<number, (event: Event) => void>()
  let browser: RunningBrowser | undefined
  let tabs: Page[] = []
  let watches = 0

  const openTab = async (): Promise<Page> => {
    if (browser === undefined) throw new Error('there is no browser')
    const page = await browser.context.newPage()
    await page.exposeFunction('printLines', (id: number, lines: string[]) => {
      for (const line of lines) listeners.get(id)?.(JSON.parse(line) as Event)
    })
    await page.goto(site.url)
    return page
  }
  const start = async () => {
    browser = await startBrowser(profile)
    const opened: Page[] = []
    for (let i = 0; i < TABS; i++) opened.push(await openTab())
    tabs = opened
  }

  const killed = async () => {
    await browser?.kill()
    await start()
  }

  try {
    await start()
    return await randomHistory(conditions, ({ below }) => {
      const any = (): number => below(tabs.length)
      const tab = (): Page => tabs[any()] as Page
      return {
        exchange: (question) => sendIn(tab(), question),
        async follow(path, onEvent, signal) {
          const id = ++watches
          const page = tab()
          listeners.set(id, onEvent)
          const stop = () =>
            void page.evaluate((own) => window.following?.get(own)?.abort(), id).catch(() => {})
          signal.addEventListener('abort', stop)
          try {
            return await followIn(page, path, id)
          } finally {
            signal.removeEventListener('abort', stop)
            listeners.delete(id)
          }
        },
        lists: (path) => Promise.all(tabs.map((page) => sendIn(page, { path }))),
        failures: {
          'the worker is stopped': async () => {
            const session = await browser?.context.newCDPSession(tab())
            await session?.send('ServiceWorker.enable')
            await session?.send('ServiceWorker.stopAllWorkers')
            await session?.detach()
          },
          'a tab is closed': async () => {
            const at = any()
            const closed = tabs[at]
            tabs[at] = await openTab()
            await closed?.close()
          },
          'a tab is loaded again': async () => void (await tab().reload()),
          ...(kills ? { 'the browser is killed': killed } : {}),
        },
      }
    })
  } finally {
    await browser?.kill()
    await site.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** @throws Lost: the tab is gone, or its request failed @throws Hang */
export async function sendIn(
  page: Page,
  { method = 'GET', path, body, type = 'application/json' }: TestRequest,
): Promise<TestResponse> {
  const began = performance.now()
  let limit: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    limit = setTimeout(
      () => reject(new Hang(`${method} ${path} had no response within ${HANG} ms`)),
      HANG,
    )
  })
  // A browser sends a request again if its worker stops: the identifier makes both one write.
  const headers = { 'content-type': type, [IDEMPOTENCY_HEADER]: randomUUID() }
  const requested = page.evaluate(
    async ([where, init]) => {
      const response = await window.api(where, init)
      return { code: response.status, text: await response.text() }
    },
    [
      path.slice(1),
      { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
    ] as const,
  )
  try {
    const { code, text } = await Promise.race([requested, late])
    const value: unknown = text === '' ? undefined : JSON.parse(text)
    return {
      code,
      text,
      status: value as TestResponse['status'],
      object: value as TestResponse['object'],
      milliseconds: performance.now() - began,
    }
  } catch (error) {
    if (error instanceof Hang) throw error
    throw new Lost(`${method} ${path}`, { cause: error })
  } finally {
    clearTimeout(limit)
  }
}

/** @throws Error if the tab is gone */
function followIn(page: Page, path: string, id: number): Promise<{ code: number }> {
  return page.evaluate(
    async ([where, own]) => {
      const stop = new AbortController()
      window.following ??= new Map()
      window.following.set(own, stop)
      const response = await window.api(where, { signal: stop.signal })
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      if (response.status !== 200 || reader === undefined) return { code: response.status }
      let rest = ''
      try {
        for (;;) {
          const { done, value } = await reader.read()
          if (done) break
          const lines = (rest + value).split('\n')
          rest = lines.pop() ?? ''
          if (lines.length > 0) await window.printLines(own, lines)
        }
      } catch {
        // It was stopped, or the worker was.
      }
      return { code: 200 }
    },
    [path.slice(1), id] as const,
  )
}
