/** Thousands of documents: the first results are shown at once, Cancel stops, and lists have every row. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { running, type Story, storyBrowser } from './harness'
import { command } from './views'

const { open } = storyBrowser()

const manifestOf = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings-${index}\ndata:\n  value: "${index}"\n`,
  ).join('---\n')

/** Opens the file as from the computer, and applies it. */
async function applyMany(count: number, width = 1440): Promise<Story> {
  const story = await open({ width, height: 900 })
  const { page } = story
  await running(page)
  const chooser = page.waitForEvent('filechooser')
  await command(page, 'Open files from this computer')
  await (await chooser).setFiles({
    name: 'many.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(manifestOf(count)),
  })
  await page.getByRole('tab', { name: 'many.yaml' }).waitFor()
  await page.getByRole('button', { name: 'Apply', exact: true }).first().click()
  return story
}

const results = (page: Page) => page.getByRole('region', { name: 'Results' })
const status = (page: Page) => results(page).getByRole('status').first()
const cancel = (page: Page) => results(page).getByRole('button', { name: 'Cancel' })
const rows = (page: Page) => results(page).getByRole('list', { name: 'Responses' })

/** Of the ConfigMaps named `settings-…`. */
const stored = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const response = await fetch('api/v1/namespaces/default/configmaps', {
      headers: { Authorization: 'Bearer admin-token' },
    })
    const { items } = (await response.json()) as { items: { metadata: { name: string } }[] }
    return items.filter(({ metadata }) => metadata.name.startsWith('settings-')).length
  })

describe('a manifest of many documents', () => {
  it('shows results while it is sent, and serves other requests meanwhile', async () => {
    const { page, screenshot } = await applyMany(1500)
    await rows(page).getByRole('button', { name: 'configmap/settings-0', exact: true }).waitFor()
    await cancel(page).waitFor()
    const [soFar, ready] = await Promise.all([
      stored(page),
      page.evaluate(async () => (await fetch('readyz')).text()),
    ])
    expect(soFar).toBeLessThan(1500)
    expect(ready).toBe('ok')
    await screenshot('many documents')
    await status(page)
      .getByText('Applied 1,500 of 1,500 in many.yaml')
      .waitFor({ timeout: 120_000 })
    expect(await stored(page)).toBe(1500)
  })

  it('stops on Cancel, and reports how many were sent', async () => {
    const { page, screenshot } = await applyMany(3000)
    await cancel(page).click()
    await status(page).getByText('canceled').waitFor()
    const [, done, all, left] =
      /Applied ([\d,]+) of ([\d,]+) .*canceled, ([\d,]+) not sent/
        .exec((await status(page).textContent()) ?? '')
        ?.map((text) => Number(text.replace(/,/g, ''))) ?? []
    expect(all).toBe(3000)
    expect((done ?? 0) + (left ?? 0)).toBe(3000)
    expect(left).toBeGreaterThan(0)
    expect(await stored(page)).toBe(done)
    await screenshot('canceled run')
    expect(await cancel(page).count()).toBe(0)
  })

  it('has a row per document for the keyboard, a screen reader and the filter', async () => {
    const { page } = await applyMany(300)
    await status(page).getByText('Applied 300 of 300').waitFor({ timeout: 60_000 })
    const first = rows(page).getByRole('listitem').first()
    expect(await first.getAttribute('aria-setsize')).toBe('300')
    expect(await rows(page).getByRole('listitem').count()).toBeLessThan(100)
    await first.getByRole('button').first().focus()
    await page.keyboard.press('End')
    const last = rows(page).getByRole('button', { name: 'configmap/settings-299', exact: true })
    await expect.poll(() => last.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    const second = rows(page).getByRole('button', { name: 'configmap/settings-1', exact: true })
    await expect.poll(() => second.evaluate((one) => one === document.activeElement)).toBe(true)
    await results(page).getByRole('searchbox').fill('settings-29')
    await expect.poll(() => first.getAttribute('aria-setsize')).toBe('11')
    await results(page)
      .getByRole('button', { name: /^Failed/ })
      .click()
    await results(page).getByText('No result matches.').waitFor()
  })

  it('keeps the visible row in place when rows are inserted above it', async () => {
    const { page } = await applyMany(300)
    await status(page).getByText('Applied 300 of 300').waitFor({ timeout: 60_000 })
    const tree = page.getByRole('tree', { name: 'Objects' })
    await page.locator('[data-filter]').fill('configmaps')
    await tree.getByRole('treeitem', { name: 'settings-150' }).or(tree).first().waitFor()
    await tree.evaluate((box) => {
      box.scrollTop = 120 * 27
    })
    const top = () =>
      tree.evaluate((box) => {
        const edge = box.getBoundingClientRect().top
        const row = [...box.querySelectorAll('[role=treeitem]')].find(
          (one) => one.getBoundingClientRect().top >= edge,
        )
        return `${row?.textContent} ${Math.round((row?.getBoundingClientRect().top ?? 0) - edge)}`
      })
    await expect.poll(top).toMatch(/settings-/)
    const before = await top()
    await page.evaluate(async () => {
      for (let at = 0; at < 5; at++)
        await fetch('api/v1/namespaces/default/configmaps', {
          method: 'POST',
          headers: {
            Authorization: 'Bearer admin-token',
            'Content-Type': 'application/json',
          },
          body: JSON.stringify({ metadata: { name: `a-first-${at}` } }),
        })
    })
    const siblings = () => tree.locator('.object').first().getAttribute('aria-setsize')
    await expect.poll(async () => Number(await siblings())).toBeGreaterThanOrEqual(305)
    expect(await top()).toBe(before)
  })
})
