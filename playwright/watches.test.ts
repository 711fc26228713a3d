/**
 * The life of a watch client: it is disconnected, misses events, catches up, and gets 410 after a
 * compaction.
 */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { running, storyBrowser, tagsFor } from './harness'

const { open } = storyBrowser()

const SIZES = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 820, height: 1100, theme: 'dark' },
  { width: 360, height: 740, theme: 'light' },
] as const

/**
 * Marks on the time axis, oldest first. Rows of the list below can have the same name, and are
 * sorted newest first.
 */
const marks = (page: Page, name: RegExp) =>
  page.getByRole('region', { name: 'Watches over time' }).getByRole('button', { name })

/** As another client would. */
const put = (page: Page, color: string) =>
  page.evaluate(async (value) => {
    const headers = {
      'Content-Type': 'application/apply-patch+yaml',
      Authorization: 'Bearer admin-token',
    }
    const body = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'paint' },
      data: { color: value },
    })
    const path = '/api/v1/namespaces/default/configmaps/paint?fieldManager=painter'
    return (await fetch(path, { method: 'PATCH', headers, body })).status
  }, color)

async function watchConfigMaps(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search or run a command' }).waitFor()
  await page.keyboard.press('ControlOrMeta+Shift+E')
  const dialog = page.getByRole('dialog', { name: 'Start a watch' })
  await dialog.getByLabel('Resource', { exact: true }).selectOption({ label: 'configmaps' })
  await dialog.getByLabel('Namespace', { exact: true }).selectOption('default')
  await dialog.getByRole('button', { name: 'Start' }).click()
  // The watch is open when it reports existing objects; later changes are events of their own.
  await marks(page, /^ADDED default\/kube-root-ca/).waitFor()
}

for (const size of SIZES) {
  it(
    `is cut, resumes, replays what it missed, and meets 410 after a compaction (${size.width} pixels)`,
    tagsFor(size),
    async () => {
      const { page, screenshot } = await open(size)
      if (size.width > 767) await running(page)
      await watchConfigMaps(page)
      for (const color of ['red', 'green']) expect(await put(page, color)).toBeLessThan(300)
      await marks(page, /^MODIFIED default\/paint/)
        .first()
        .waitFor()

      await page.getByRole('button', { name: 'Disconnect' }).click()
      const from = await page.getByLabel('resourceVersion to resume from').inputValue()
      await put(page, 'blue')
      await put(page, 'black')
      await page.getByRole('button', { name: 'Resume from' }).click()
      await marks(page, /^MODIFIED default\/paint.*before the connection began/)
        .nth(1)
        .waitFor()
      await put(page, 'white')
      await marks(page, /^MODIFIED default\/paint/)
        .nth(3)
        .waitFor()
      await marks(page, /^MODIFIED default\/paint/)
        .nth(2)
        .click()
      const event = page.getByRole('region', { name: 'Event' })
      await event.getByText('.data.color').waitFor()
      await expect.poll(() => event.textContent()).toMatch(/"blue".*"black"/)
      await screenshot(`watch replayed ${size.width}`)
      await event.press('Escape')

      await page.getByRole('button', { name: 'Disconnect' }).click()
      await put(page, 'gray')
      await page.getByRole('button', { name: 'Compact history' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Compact' }).click()
      await page.getByText('History compacted').waitFor()
      await page.getByLabel('resourceVersion to resume from').fill(from)
      await page.getByRole('button', { name: 'Resume from' }).click()
      const error = marks(page, /^ERROR too old resource version/)
      await error.click()
      await event.getByText('lists again').waitFor()
      await screenshot(`watch expired ${size.width}`)
      await event.getByRole('button', { name: /List again/ }).click()
      await marks(page, /^ADDED default\/paint/)
        .nth(1)
        .waitFor()
      await screenshot(`watch resumed ${size.width}`)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow).toBe(0)
    },
  )
}

it('moves between events by keyboard', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await running(page)
  await watchConfigMaps(page)
  for (const color of ['red', 'green', 'blue']) await put(page, color)
  const painted = marks(page, /^MODIFIED default\/paint/)
  await painted.nth(1).waitFor()
  await painted.nth(1).focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  const event = page.getByRole('region', { name: 'Event' })
  await expect.poll(() => event.textContent()).toMatch(/"red".*"green"/)

  // The pressed button disappears with the connection, and the focus moves to its replacement.
  const inHand = () => page.evaluate(() => document.activeElement?.textContent?.trim())
  await page.getByRole('button', { name: 'Disconnect', exact: true }).press('Enter')
  await expect.poll(inHand).toBe('Resume from')
  await page.keyboard.press('Enter')
  await expect.poll(inHand).toBe('Disconnect')
})

it('requests bookmarks on an open watch: it reconnects at its resourceVersion, and repeats no event', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await running(page)
  await watchConfigMaps(page)
  expect(await put(page, 'red')).toBeLessThan(300)
  const added = marks(page, /^ADDED default\/paint/)
  await added.waitFor()
  await page.getByRole('checkbox', { name: 'Bookmarks' }).check()
  await page
    .getByText(/^GET .*resourceVersion=\d+.*allowWatchBookmarks=true/)
    .or(page.getByTitle(/allowWatchBookmarks=true/))
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Disconnect' }).waitFor()
  await put(page, 'green')
  await marks(page, /^MODIFIED default\/paint/).waitFor()
  expect(await added.count()).toBe(1)
  await page.getByRole('tab', { name: /^Requests/ }).click()
  await page.getByText(/watch=1&resourceVersion=\d+&allowWatchBookmarks=true/).waitFor()
})
