/**
 * The page opens offline after the first visit; an update is announced and installed without losing
 * data.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { running, storyBrowser } from './harness'
import { type RunningBrowser, startBrowser } from './host-browser'
import { type StaticSite, startStaticSite } from './static-site'

let site: StaticSite

beforeEach(async () => {
  site = await startStaticSite()
})

afterEach(() => site.stop())

// Pages close before the site ends, so that they do not request it.
const { open } = storyBrowser()

/** Some 160 files are cached twice, which takes time on a busy machine. */
const PATIENCE_MILLISECONDS = 210_000
const SIZE = { width: 1200, height: 800 }

const keptBuilds = (page: Page): Promise<string[]> =>
  page.evaluate(async () =>
    (await caches.keys()).filter((name) => name.startsWith('kubetab-page-')).sort(),
  )

/** The list is kept last. */
async function kept(page: Page, build: string): Promise<void> {
  const isThere = () =>
    page.evaluate(
      async (name) => (await caches.match(name)) !== undefined,
      `${site.url}files-${build}.json`,
    )
  await expect.poll(isThere, { timeout: 60_000, interval: 500 }).toBe(true)
}

async function type(page: Page, text: string): Promise<void> {
  await page.locator('.monaco-editor .view-line').first().click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type(text)
}

it(
  'opens and works without a network after the first visit',
  async () => {
    const { page, screenshot, errors } = await open({ ...SIZE, on: site.url })
    await page.getByRole('button', { name: /Run the sample/ }).click()
    await page.getByText('service/web').waitFor()
    await kept(page, site.build())
    expect(
      await page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length),
    ).toBe(1)

    await site.stop()
    const session = await page.context().newCDPSession(page)
    await session.send('ServiceWorker.enable')
    await session.send('ServiceWorker.stopAllWorkers')
    await page.reload()
    await running(page)
    await page.getByRole('treeitem', { name: 'web default' }).first().waitFor()
    await page.locator('.monaco-editor .view-line').first().waitFor()
    await page.getByRole('button', { name: /^Apply/ }).click()
    await page.getByText('Applied 2 of 2').waitFor()
    // The tables of another release.
    await page.getByRole('button', { name: /^Kubernetes release/ }).click()
    await page.getByRole('radio', { name: /1\.33/ }).check()
    await page.getByRole('button', { name: 'Change to 1.33' }).click()
    await page.getByText('The cluster now runs 1.33').waitFor()
    // Parts that were never loaded before, and another workspace.
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: 'Policy' })
      .click()
    await page.getByRole('main', { name: 'Policy' }).getByRole('tab').first().waitFor()
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('button', { name: 'Workbench' })
      .click()
    await page.goto(`${site.url}?workspace=other`)
    await running(page)
    await screenshot('offline')
    errors.splice(
      0,
      errors.length,
      ...errors.filter(
        (error) => !/ERR_CONNECTION_REFUSED|Failed to update a ServiceWorker/.test(error),
      ),
    )
  },
  PATIENCE_MILLISECONDS,
)

describe('an update', () => {
  let profile: string
  let browser: RunningBrowser

  // A browser with a persistent profile: in a private one Chromium delays worker updates by a
  // minute.
  beforeEach(async () => {
    profile = mkdtempSync(join(tmpdir(), 'kubetab-update-'))
    browser = await startBrowser(profile)
  })

  afterEach(async () => {
    await browser.kill()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  })

  it(
    'is announced, installed on request without losing data, and deletes the old files',
    async () => {
      const page = await browser.context.newPage()
      await page.setViewportSize(SIZE)
      await page.goto(site.url)
      await running(page)
      await page.locator('.monaco-editor').waitFor()
      await type(page, '# typed before\n')
      await page.getByRole('button', { name: /^Apply/ }).click()
      await page.getByText('Applied 2 of 2').waitFor()
      const first = site.build()
      await kept(page, first)

      site.release()
      // Another tab finds it, and holds on to the files of the old version. While a page like ours is in front, Chromium looks for
      // newer workers only a minute after it was opened.
      const other = await browser.context.newPage()
      await other.goto(`${site.url}icon.svg`)
      await other.evaluate(
        async () => void (await navigator.serviceWorker.getRegistration())?.update(),
      )
      const notice = page.getByRole('status').filter({ hasText: 'A new version is available' })
      // The new worker is downloaded and installed first, which takes time on a busy machine.
      await notice.waitFor({ timeout: 75_000 })
      await page.bringToFront()
      // The page continues unchanged on the new server.
      await type(page, '# typed after\n')
      await page.getByRole('button', { name: /^Apply/ }).click()
      await page.getByText('Applied 2 of 2').waitFor()

      // The click ends with the load of the new page, which takes as long.
      await notice.getByRole('button', { name: 'Update now' }).click({ timeout: 75_000 })
      await page.waitForFunction(
        (build) => document.querySelector<HTMLMetaElement>('meta[name=build]')?.content === build,
        site.build(),
      )
      await running(page)
      for (const text of ['typed after', 'typed before'])
        await page.locator('.view-line').getByText(text).waitFor()
      await page.getByRole('treeitem', { name: 'web default' }).first().waitFor()
      await kept(page, site.build())
      expect(await keptBuilds(page)).toEqual(
        [`kubetab-page-${first}`, 'kubetab-page-newerbuild'].sort(),
      )

      await other.close()
      await page.reload()
      await running(page)
      await expect
        .poll(() => keptBuilds(page), { timeout: 30_000 })
        .toEqual(['kubetab-page-newerbuild'])
    },
    PATIENCE_MILLISECONDS,
  )
})

it('is an app that can be installed', async () => {
  const { page } = await open({ ...SIZE, on: site.url })
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
    const text = await (await fetch(link?.href ?? '')).json()
    const icons = await Promise.all(
      text.icons.map(async ({ src, sizes }: { src: string; sizes: string }) => {
        const picture = new Image()
        picture.src = new URL(src, link?.href).href
        await picture.decode()
        return sizes === 'any' ? 'any' : `${picture.naturalWidth}x${picture.naturalHeight}`
      }),
    )
    return {
      ...text,
      sizes: text.icons.map(({ sizes }: { sizes: string }) => sizes),
      measured: icons,
    }
  })
  expect(manifest).toMatchObject({
    short_name: 'kubetab',
    display: 'standalone',
    start_url: './',
    scope: './',
  })
  expect(manifest.measured).toEqual(manifest.sizes)
  const session = await page.context().newCDPSession(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // A private window never installs anything.
  expect(
    installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
  ).toEqual([])
})
