/** The views of an object: by keyboard, and what each of them shows. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { running, showPane, storyBrowser } from './harness'

const { open } = storyBrowser()

const chosen = (page: Page) =>
  page.getByRole('tablist', { name: 'Views of the object' }).getByRole('tab', { selected: true })

it('are reached by arrow keys, in the ARIA pattern of tabs', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await running(page)
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await page
    .getByRole('treeitem', { name: /^web-.*1\/1 Running/ })
    .first()
    .click()
  const tabs = page.getByRole('tablist', { name: 'Views of the object' })
  await tabs.getByRole('tab', { name: 'YAML' }).focus()
  const titles: (string | null)[] = []
  for (let at = 0; at < 9; at++) {
    titles.push(await chosen(page).textContent())
    const panel = page.getByRole('tabpanel', { name: titles.at(-1) ?? '' })
    await panel.waitFor()
    await page.keyboard.press('ArrowRight')
  }
  expect(titles).toEqual([
    'YAML',
    'Status',
    'Events',
    'Logs',
    'Related',
    'Manifest',
    'Ownership',
    'History',
    'Wire',
  ])
  expect(await chosen(page).textContent()).toBe('YAML')
  await page.keyboard.press('End')
  expect(await chosen(page).textContent()).toBe('Wire')
})

for (const size of [
  { width: 1440, height: 900, theme: 'dark' },
  { width: 360, height: 740, theme: 'light' },
] as const) {
  it(`show status, events, log and relatives (${size.width} pixels)`, async () => {
    const { page, screenshot } = await open(size)
    if (size.width > 767) await running(page)
    await page.getByRole('button', { name: /Run the sample/ }).click()
    const results = page.getByRole('region', { name: 'Results' })
    await results.getByText('3/3 ready').waitFor()
    await results.getByRole('button', { name: 'deployment.apps/web', exact: true }).click()
    const object = page.locator('[data-pane="object"]')
    const view = (name: string) => object.getByRole('tab', { name, exact: true }).click()

    await view('Status')
    await object
      .getByRole('region', { name: 'Conditions' })
      .getByText('MinimumReplicasAvailable')
      .waitFor()
    await view('Events')
    await object.getByText(/Scaled up replica set web-/).waitFor()
    await view('Manifest')
    await object.getByRole('combobox', { name: 'Manifest' }).selectOption('Applied by kubectl')
    await expect.poll(() => object.getByRole('tabpanel').textContent()).not.toContain('revision')
    await view('Related')
    const pods = object
      .getByRole('region', { name: 'Dependents' })
      .getByRole('button', { name: /^Pod/ })
    await expect.poll(() => pods.count()).toBe(3)
    await screenshot(`object related ${size.width}`)
    await pods.first().click()
    await showPane(page, 'Object')
    await object
      .getByRole('button', { name: /^ReplicaSet web-/ })
      .first()
      .waitFor()
    await view('Logs')
    const log = object.getByRole('region', { name: /^Log of web-/ })
    await expect.poll(() => log.textContent()).toMatch(/NGINX|Configuration/i)
    // Entries of the browser's history are debounced.
    const entry = () => page.evaluate(() => JSON.stringify(history.state))
    await expect.poll(entry).toContain('"objectTab":"logs"')
    await page.goBack()
    await object.getByRole('heading', { name: 'Deployment web' }).waitFor()
  })
}
