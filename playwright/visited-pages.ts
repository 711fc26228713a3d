/**
 * Pages of a browser that has visited the page before. It keeps the registered service worker and
 * compiled code, which are most of the time of a first visit, and nothing else: before each page
 * opens, workers are stopped, and all stored data is deleted.
 *
 * Chromium keeps compiled workers only in a profile on disk, so the profile of each test worker
 * serves one file after another.
 */
import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright-core'

export const PROFILES = fileURLToPath(new URL('../.cache/stories-profiles/', import.meta.url))

/** Everything except the registered worker. */
const STORED_DATA = 'cookies,local_storage,indexeddb,cache_storage,file_systems,shader_cache'

export interface Looks {
  width: number
  height: number
  theme?: 'light' | 'dark'
  reducedMotion?: boolean
}

export class VisitedPages {
  private page: Page | undefined

  private constructor(
    private readonly context: BrowserContext,
    /** Keeps the browser running while no story has a page. */
    private readonly blank: Page,
  ) {}

  static async launch(options: LaunchOptions): Promise<VisitedPages> {
    const context = await chromium.launchPersistentContext(
      `${PROFILES}${process.env.VITEST_POOL_ID ?? 1}`,
      { ...options, viewport: null },
    )
    return new VisitedPages(context, context.pages()[0] ?? (await context.newPage()))
  }

  /** Returns a blank page, or undefined while another story has one: they would share data. */
  async take(
    { width, height, theme = 'light', reducedMotion = true }: Looks,
    url: string,
  ): Promise<Page | undefined> {
    if (this.page !== undefined) return undefined
    await this.clear(url)
    const page = await this.context.newPage()
    this.page = page
    await page.setViewportSize({ width, height })
    await page.emulateMedia({
      colorScheme: theme,
      reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    })
    return page
  }

  /** @returns undefined if the page is of another context */
  release(page: Page): Promise<void> | undefined {
    if (page !== this.page) return undefined
    this.page = undefined
    return this.closeAll()
  }

  async close(): Promise<void> {
    await this.context.close()
  }

  private async closeAll(): Promise<void> {
    const pages = this.context.pages().filter((page) => page !== this.blank)
    await Promise.all(pages.map((page) => page.close()))
  }

  private async clear(url: string): Promise<void> {
    const session = await this.context.newCDPSession(this.blank)
    await session.send('ServiceWorker.enable')
    await session.send('ServiceWorker.stopAllWorkers')
    await session.send('Storage.clearDataForOrigin', {
      origin: new URL(url).origin,
      storageTypes: STORED_DATA,
    })
    await session.detach()
  }
}
