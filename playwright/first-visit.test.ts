/** The first minute of a newcomer. */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { running, storyBrowser } from './harness'

const { open } = storyBrowser()

it('shows the welcome view, runs the sample and shows the Deployment and its watch event', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900, ownContext: true })
  await page.getByRole('heading', { name: /complete Kubernetes API server in this tab/ }).waitFor()
  await screenshot('first visit')

  await page.getByRole('button', { name: 'Search or run a command' }).waitFor()
  await page.keyboard.press('ControlOrMeta+Shift+E')
  await page
    .getByRole('dialog', { name: 'Start a watch' })
    .getByRole('button', { name: 'Start' })
    .click()
  await page.getByText(/^Listening/).waitFor()

  await page.getByRole('button', { name: /^Apply/ }).click()
  await page.getByText('deployment.apps/web').waitFor()
  expect(await page.getByRole('region', { name: 'Results' }).textContent()).toContain(
    'Applied 2 of 2',
  )

  await page.getByRole('tab', { name: /Watches/ }).click()
  await page.getByText('ADDED').first().waitFor()
  const event = page.locator('.event-row').first()
  await event.getByText('web').first().waitFor()
  await screenshot('the watch saw the deployment')

  const explorer = page.getByRole('navigation', { name: 'Explorer' })
  await explorer.getByRole('treeitem', { name: 'web default' }).first().waitFor()
  await page
    .getByRole('complementary', { name: 'Object' })
    .getByText('Deployment')
    .first()
    .waitFor()
})

it('times the first request soon after the page is opened', async () => {
  const times: number[] = []
  for (let visit = 0; visit < 3; visit++) {
    const { page } = await open({ width: 1200, height: 800, after: 1000, ownContext: true })
    await running(page)
    const first = await page.evaluate(() => {
      const timings = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      return timings.find(({ name }) => /\/apis?$/.test(name))?.responseEnd ?? 0
    })
    expect(first).toBeGreaterThan(0)
    times.push(Math.round(first))
  }
  console.log(`first API response after navigation began, in new windows: ${times.join(', ')} ms`)
})

it('loads less than 150 kB of JavaScript, compressed, before the first paint', () => {
  const read = (path: string) =>
    readFileSync(new URL(`../.cache/stories-dist/${path}`, import.meta.url))
  const scripts = [
    ...read('index.html')
      .toString()
      .matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g),
  ].map(([, path]) => path as string)
  expect(scripts.length).toBeGreaterThan(0)
  const size = scripts.reduce((sum, path) => sum + gzipSync(read(path)).length, 0)
  console.log(`${(size / 1000).toFixed(0)} kB of JavaScript before the first paint`)
  expect(size).toBeLessThan(150_000)
})
