/** Everything can be reached without a mouse. */

import { expect, it } from 'vitest'
import { OTHER_WORDS } from '../src/app/features/search/other-words'
import { running, storyBrowser } from './harness'

const { open } = storyBrowser()

it('opens the palette, finds an object and shows it; Back leads to what was looked at before', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await running(page)
  const entries = await page.evaluate(() => history.length)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('cluster-admin clusterrole')
  // As a person does: the roles may still be on their way when the first keys are pressed.
  await page.getByRole('option', { name: /cluster-admin/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  const shown = page
    .getByRole('complementary', { name: 'Object' })
    .getByText('cluster-admin')
    .first()
  await shown.waitFor()
  await page.waitForFunction((before) => history.length > before, entries)
  await page.goBack()
  await shown.waitFor({ state: 'detached' })
  await page.goForward()
  await shown.waitFor()
})

it('leaves the editor with Escape twice and lists the shortcuts with a question mark', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await page.locator('.monaco-editor .view-line').first().click()
  const isInEditor = () =>
    page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null)
  await page.keyboard.press('Escape')
  await page.getByText('Press Escape again to leave the editor').first().waitFor()
  expect(await isInEditor()).toBe(true)
  await page.keyboard.press('Escape')
  expect(await isInEditor()).toBe(false)
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

it('moves to the editor with Ctrl+Shift+2', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await running(page)
  await page.locator('.monaco-editor .view-line').first().waitFor()
  await page.locator('[data-filter]').focus()
  await page.keyboard.press('Control+Shift+Digit2')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('.monaco-editor') !== null))
    .toBe(true)
})

it('applies with Ctrl+Enter from inside the editor', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await running(page)
  await page.locator('.monaco-editor .view-line').first().click()
  await page.keyboard.press('Control+Enter')
  await page.getByText('deployment.apps/web').waitFor()
})

it('opens an example of any kind, which the server accepts', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await page.getByRole('button', { name: 'New file' }).click()
  await page.getByRole('menuitem', { name: /New object/ }).click()
  const search = page.getByRole('combobox', { name: 'Search everything' })
  expect(await search.inputValue()).toBe('new ')
  await search.pressSequentially('netpol')
  await page.getByRole('option', { name: /New NetworkPolicy/, selected: true }).waitFor()
  await screenshot('new object')
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'networkpolicy.yaml' }).waitFor()
  await page.getByRole('button', { name: 'Apply', exact: true }).first().click()
  await page
    .getByRole('region', { name: 'Results' })
    .getByText('networkpolicy.networking.k8s.io/db-only-from-shop')
    .waitFor()
})

it('leaves the focus on what sent the manifest', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await running(page)
  const dryRun = page.getByRole('button', { name: 'Dry run', exact: true })
  await dryRun.focus()
  await page.keyboard.press('Enter')
  await page
    .getByRole('region', { name: 'Results' })
    .getByText(/^Dry run:/)
    .waitFor()
  expect(await dryRun.evaluate((button) => document.activeElement === button)).toBe(true)
})

it('finds commands by other words that people have for them', async () => {
  const { page } = await open({ width: 1200, height: 800 })
  await running(page)
  const search = page.getByRole('combobox', { name: 'Search everything' })
  await page.keyboard.press('Control+k')
  for (const [command, words] of Object.entries(OTHER_WORDS)) {
    await search.fill(words)
    await page.locator(`#entry-${command}`).waitFor()
  }
  await search.fill('settings night')
  await page.getByRole('option', { selected: true, name: /Theme: dark/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('html[data-theme=dark]').waitFor()
})
