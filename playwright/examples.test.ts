/** The example site: its YAML runs in a cluster of the page, with the server's responses. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import { storyBrowser, type Viewport } from './harness'
import { startOtherSite } from './static-site'

const { open } = storyBrowser()
const stops: (() => Promise<void>)[] = []
const SITE = fileURLToPath(new URL('../examples/docs-site/index.html', import.meta.url))

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

async function openSite(viewport: Viewport, change = (html: string) => html) {
  const { page, url, screenshot } = await open(viewport)
  const html = change(readFileSync(SITE, 'utf8').replace('https://example.org/kubetab/', url))
  const site = await startOtherSite(() => html)
  stops.push(site.stop)
  await page.goto(site.url)
  return { page, screenshot }
}

const run = (page: Page, index: number): Locator =>
  page.getByRole('button', { name: 'Run', exact: true }).nth(index)
const responses = (page: Page, index: number): Locator =>
  page.getByRole('status', { name: 'Responses of the server' }).nth(index)

it('runs, shows errors, and runs what the reader changed', { timeout: 180_000 }, async () => {
  const { page, screenshot } = await openSite({ width: 900, height: 1100 })
  expect(await page.getByRole('button', { name: 'Run', exact: true }).count()).toBe(3)
  expect(await page.locator('iframe').count()).toBe(0)
  await run(page, 0).click()
  await responses(page, 0).getByText('configmap/menu created').waitFor()

  await run(page, 1).click()
  await responses(page, 1)
    .getByText(/spec\.replicas.*must be greater than or equal to 0/)
    .waitFor()
  const example = page.getByRole('textbox').nth(1)
  const text = (await example.textContent()) ?? ''
  await example.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text.replace('-1', '1'))
  await page.keyboard.press('Control+Enter')
  await responses(page, 1).getByText('deployment.apps/web created').waitFor()

  await run(page, 2).click()
  await responses(page, 2).getByText('namespace/shop created').waitFor()
  await responses(page, 2).getByText('serviceaccount/robot created').waitFor()
  await screenshot('examples')
  expect(await page.locator('iframe').count()).toBe(1)

  await page.getByRole('button', { name: 'Reset cluster' }).first().click()
  await responses(page, 0).getByText('The cluster is empty again.').waitFor()
  await run(page, 0).click()
  await responses(page, 0).getByText('configmap/menu created').waitFor()
})

it('marks every block in YAML if the script has data-all', async () => {
  const { page } = await openSite({ width: 900, height: 1100 }, (html) =>
    html.replace(' defer>', ' defer data-all>'),
  )
  await run(page, 3).waitFor()
  await run(page, 3).click()
  await responses(page, 3).getByText(/./).filter({ hasNotText: '…' }).waitFor()
  expect(await responses(page, 3).locator('.kubetab-error').count()).toBe(1)
})

it.each([
  { width: 360, height: 740, theme: 'dark' },
  { width: 820, height: 1180, theme: 'light' },
] as const)('fits into $width, $theme', async (viewport) => {
  const { page, screenshot } = await openSite(viewport)
  await run(page, 0).waitFor()
  await screenshot(`examples ${viewport.width} ${viewport.theme}`)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    viewport.width,
  )
})
