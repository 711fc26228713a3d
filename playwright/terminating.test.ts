/** Objects that are being deleted: since when, what they wait for, and the step that ends it. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { running, showPane, storyBrowser } from './harness'

const { open } = storyBrowser()

async function apply(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await page.getByText('service/web').first().waitFor()
  await showPane(page, 'Editor')
  await page.locator('.monaco-editor .view-line').first().click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
  await page.getByRole('button', { name: /^Apply/ }).click()
}

async function remove(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delete object' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
}

for (const size of [
  { width: 1440, height: 900, theme: 'light' },
  { width: 360, height: 740, theme: 'dark' },
] as const) {
  it(`explains a finalizer and removes it (${size.width} pixels)`, async () => {
    const { page, screenshot } = await open(size)
    if (size.width > 767) await running(page)
    await apply(
      page,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, finalizers: [example.com/hold]}\n',
    )
    await page
      .getByRole('region', { name: 'Results' })
      .getByRole('button', { name: 'configmap/held', exact: true })
      .click()
    await remove(page)
    const card = page.getByRole('region', { name: 'Terminating' })
    await card.getByText('Finalizer example.com/hold').waitFor()
    await expect
      .poll(() => card.textContent())
      .toMatch(/Terminating for \d+s, since \d\d:\d\d:\d\d UTC/)
    await screenshot(`terminating ${size.width}`)
    await card.getByRole('button', { name: 'Remove example.com/hold' }).click()
    await page.getByText('Deleted. Last known state shown.').waitFor()
  })
}

it('counts the grace period of a Pod on a paused clock', async () => {
  const { page } = await open({ width: 1440, height: 900, theme: 'dark' })
  await running(page)
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await page
    .getByRole('treeitem', { name: /^web-.*1\/1 Running/ })
    .nth(2)
    .waitFor()
  await page.getByRole('button', { name: 'Cluster', exact: true }).click()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Workbench', exact: true }).click()
  await page
    .getByRole('treeitem', { name: /^web-.*1\/1 Running/ })
    .first()
    .click()
  await remove(page)
  const card = page.getByRole('region', { name: 'Terminating' })
  await expect
    .poll(() => card.textContent())
    .toMatch(/Terminating for [01]s, since .* UTC\. Containers are killed in (29|30)s/)
  await card.getByRole('button', { name: /^Node node-/ }).waitFor()
  await card.getByText('The cluster clock is paused').waitFor()
  await card.getByRole('button', { name: 'Delete now' }).click()
  await page.getByText('Deleted. Last known state shown.').waitFor()
})
