/** Every stored version of an object can be shown and compared. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { choose, running, showPane, storyBrowser, tagsFor } from './harness'

const { open } = storyBrowser()

const SIZES = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 820, height: 1100, theme: 'dark' },
  { width: 360, height: 740, theme: 'dark' },
] as const

/** Scales as another field manager; resolves with the HTTP status. */
const scale = (page: Page, replicas: number) =>
  page.evaluate(async (count) => {
    const headers = {
      'Content-Type': 'application/merge-patch+json',
      Authorization: 'Bearer admin-token',
    }
    const path = '/apis/apps/v1/namespaces/default/deployments/web?fieldManager=autoscaler'
    return (
      await fetch(path, {
        method: 'PATCH',
        headers,
        body: JSON.stringify({ spec: { replicas: count } }),
      })
    ).status
  }, replicas)

/** Times of ownership are whole seconds: within one, a second write by the same manager leaves no trace of it. */
const nextSecond = (page: Page) =>
  page.waitForFunction(
    (before) => Math.floor(Date.now() / 1000) > before,
    Math.floor(Date.now() / 1000),
  )

for (const size of SIZES) {
  it(
    `shows each revision, who did it, and what differs between any two (${size.width} pixels)`,
    tagsFor(size),
    async () => {
      const { page, screenshot } = await open(size)
      const phone = size.width < 768
      if (!phone) await running(page)
      await page.getByRole('button', { name: /Run the sample/ }).click()
      if (phone) await showPane(page, 'Activity')
      await page.getByText('service/web').waitFor()
      for (const replicas of [4, 5]) {
        await nextSecond(page)
        expect(await scale(page, replicas)).toBe(200)
      }
      if (phone) await showPane(page, 'Object')
      const object = page.getByRole('complementary', { name: 'Object' })
      await object.getByRole('tab', { name: 'History' }).click()
      const revisions = object.getByRole('list', { name: /Revisions/ })
      await revisions
        .getByRole('button', { name: /changed .spec.replicas \d → \d admin · autoscaler/ })
        .nth(1)
        .waitFor()
      await expect
        .poll(() => revisions.getByRole('button').last().textContent())
        .toMatch(/created.*admin.*kubectl/)
      await screenshot(`history ${size.width}`)

      // Controllers write the status of a Deployment: what is compared is chosen by what it changed.
      await revisions.getByRole('button', { name: /\.spec\.replicas 4 → 5/ }).click()
      const comparison = object.getByRole('region', { name: /^Revision / })
      await expect.poll(() => comparison.textContent()).toMatch(/\.spec\.replicas.*4.*5/)
      const first =
        /^\d+/.exec((await revisions.getByRole('button').last().textContent()) ?? '')?.[0] ?? ''
      await comparison.getByRole('combobox').selectOption(first)
      await expect.poll(() => comparison.textContent()).toMatch(/\.spec\.replicas.*3.*5/)
      await comparison.getByRole('button', { name: 'YAML' }).click()
      await comparison.locator('.monaco-diff-editor .view-line').first().waitFor()
      await page.waitForFunction(
        () => document.querySelectorAll('.yaml-diff .line-insert').length > 0,
      )
      await screenshot(`history as text ${size.width}`)

      await revisions.getByRole('button').last().click()
      await comparison.getByRole('button', { name: /in the editor$/ }).click()
      await page.getByRole('tab', { name: 'web-2.yaml', selected: true }).waitFor()
    },
  )
}

it('lets comparisons as text be left before they are made', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await running(page)
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await page.getByText('service/web').waitFor()
  expect(await scale(page, 4)).toBe(200)
  const object = page.getByRole('complementary', { name: 'Object' })
  await object.getByRole('tab', { name: 'History' }).click()
  const revisions = object.getByRole('list', { name: /Revisions/ })
  const comparison = object.getByRole('region', { name: /^Revision / })
  await revisions.getByRole('button', { name: /\.spec\.replicas 3 → 4/ }).click()
  await comparison.getByRole('button', { name: 'YAML' }).click()
  // Selects versions faster than a user, after 0 to 19 milliseconds each. An exception fails the
  // test (harness.ts).
  const count = await revisions.evaluate(async (list) => {
    const buttons = [...list.querySelectorAll('button')]
    for (let turn = 0; turn < 60; turn++) {
      buttons[turn % buttons.length]?.click()
      await new Promise((resolve) => setTimeout(resolve, turn % 20))
    }
    return buttons.length
  })
  expect(count).toBeGreaterThan(1)
  await comparison.locator('.monaco-diff-editor .view-line').first().waitFor()
})

it('reports that older revisions are compacted', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await running(page)
  const paint = (color: string) =>
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
  for (const color of ['red', 'green']) expect(await paint(color)).toBeLessThan(300)
  await choose(page, 'paint', /paint.*ConfigMap in default/)
  await choose(page, 'compact')
  await page.getByRole('dialog').getByRole('button', { name: 'Compact' }).click()
  await page.getByText('History compacted').waitFor()
  expect(await paint('blue')).toBe(200)
  const object = page.getByRole('complementary', { name: 'Object' })
  await object.getByRole('tab', { name: 'History' }).click()
  await object.getByText(/Older revisions were compacted/).waitFor()
  const revisions = object.getByRole('list', { name: /Revisions/ }).getByRole('button')
  await expect.poll(() => revisions.count()).toBe(2)
})
