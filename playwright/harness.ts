/**
 * What a story needs: one Chromium for the file, the built page without stored data, and screenshots.
 *
 *     const { open } = storyBrowser()
 *     it('creates a pod', async () => {
 *       const { page, screenshot } = await open({ width: 1280, height: 800 })
 *       …
 *       await screenshot('pod created')
 *     })
 */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { findChromium, NO_CHROMIUM } from '../scripts/find-chromium'
import { BARE_WINDOWS, QUIET } from './browser-flags'
import { VisitedPages } from './visited-pages'

const SCREENSHOTS = fileURLToPath(new URL('../test-results/screenshots/', import.meta.url))

export interface Viewport {
  width: number
  height: number
  theme?: 'light' | 'dark'
  /** Default true: animations cost time without a GPU, and few stories are about them. */
  reducedMotion?: boolean
  /** Below the page's address: `#v1/…` or `?embed=1`. */
  at?: string
  /** Another place that the page is served at. */
  on?: string
  /** Milliseconds to wait before opening the page, while a new browser loads its own pages. */
  after?: number
  /**
   * A context of its own, without a registered worker and with an empty cache: for stories about a
   * first visit, and for those that change the context or open more pages in it.
   */
  ownContext?: boolean
}

export interface Story {
  page: Page
  context: BrowserContext
  /** Where the page is served; ends with `/`. */
  url: string
  /** Writes `test-results/screenshots/NAME.png` (spaces become dashes) and returns its path. */
  screenshot(name: string): Promise<string>
  /** Console errors of the page, uncaught errors included. A test that ends with any fails. */
  errors: string[]
}

/** Where the page is served for the worker that runs this file; ends with `/`. */
export function pageUrl(): string {
  const urls = inject('pageUrls')
  const url = urls[Number(process.env.VITEST_POOL_ID ?? 1) - 1]
  if (url === undefined)
    throw new Error(`no page is served for worker ${process.env.VITEST_POOL_ID} of ${urls.length}`)
  return url
}

/** Call at the top of a file of stories. @param flags additional Chromium flags */
export function storyBrowser(flags: readonly string[] = []): {
  open(viewport: Viewport): Promise<Story>
} {
  let visited: VisitedPages | undefined
  let browser: Browser | undefined
  const opened: Story[] = []
  const args = [...QUIET, BARE_WINDOWS, ...flags]

  beforeAll(async () => {
    if (flags.length === 0) visited = await VisitedPages.launch(launchOptions(args))
  })

  afterEach(async () => {
    const stories = opened.splice(0)
    await Promise.all(stories.map((story) => visited?.release(story.page) ?? story.context.close()))
    // As one string: for arrays, a failure report prints only the length.
    expect(stories.flatMap(({ errors }) => errors).join('\n')).toBe('')
  })

  afterAll(async () => {
    await Promise.all([visited?.close(), browser?.close()])
  })

  async function ownPage({ theme = 'light', reducedMotion = true, ...size }: Viewport) {
    browser ??= await chromium.launch(launchOptions(args))
    const context = await browser.newContext({
      viewport: { width: size.width, height: size.height },
      colorScheme: theme,
      reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    })
    return context.newPage()
  }

  return {
    async open(viewport) {
      const { at = '', on = pageUrl(), after = 0, ownContext = on !== pageUrl() } = viewport
      const page =
        (ownContext ? undefined : await visited?.take(viewport, on)) ?? (await ownPage(viewport))
      const story: Story = {
        page,
        context: page.context(),
        url: on,
        errors: [],
        screenshot: (name) => screenshot(page, name),
      }
      page.on('pageerror', (error) => story.errors.push(error.stack ?? error.message))
      page.on('console', (message) => {
        // The browser logs every response above 399; a GET of an object that does not exist yet is
        // not an error of the page.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          story.errors.push(message.text())
      })
      opened.push(story)
      await page.waitForTimeout(after)
      await page.goto(on + at)
      return story
    },
  }
}

function launchOptions(args: string[]): LaunchOptions {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error(NO_CHROMIUM)
  return { executablePath, headless: true, chromiumSandbox: process.getuid?.() !== 0, args }
}

/**
 * Options of a story that runs at several sizes. `npm test` runs the widest and the narrowest; the
 * size between runs with `npm run test:extended`.
 */
export const tagsFor = ({ width }: Viewport): { tags: string[] } => ({
  tags: width === 820 ? ['extended'] : [],
})

/** Shows a pane where the page shows one at a time. */
export async function showPane(page: Page, name: string): Promise<void> {
  const panes = page.getByRole('navigation', { name: 'Panes' })
  if (await panes.isVisible()) await panes.getByRole('button', { name }).click()
}

/** Resolves when the explorer shows what the server has. */
export async function running(page: Page): Promise<void> {
  await page.getByRole('treeitem', { name: /^Namespaces \d/ }).waitFor()
}

async function screenshot(page: Page, name: string): Promise<string> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  const path = `${SCREENSHOTS}${name.replaceAll(' ', '-')}.png`
  await page.screenshot({ path })
  return path
}

/**
 * Types words into the search and selects the marked result.
 * @param named the result that must be marked first, because results follow the typing
 */
export async function choose(
  page: Page,
  words: string,
  named = new RegExp(words, 'i'),
): Promise<void> {
  const search = page.getByRole('combobox', { name: 'Search everything' })
  await page.keyboard.press('Control+k')
  await search.fill(words)
  await page.getByRole('option', { selected: true, name: named }).waitFor()
  await page.keyboard.press('Enter')
  // Waits until the palette is closed, so that the next search does not type into it.
  await search.waitFor({ state: 'detached' })
}
