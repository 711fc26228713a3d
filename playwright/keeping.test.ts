/** Nothing that was acknowledged or typed is lost. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, it } from 'vitest'
import { requireChromium } from '../scripts/find-chromium'
import { editorOf, retype, textIn } from './editors'
import { choose, pageUrl, running, storyBrowser } from './harness'

const { open } = storyBrowser()

const createConfigMap = async (name: string): Promise<number> => {
  const response = await fetch('/api/v1/namespaces/default/configmaps', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer admin-token' },
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { k: 'v' },
    }),
  })
  return response.status
}

const statusOf = async (name: string): Promise<number> =>
  (
    await fetch(`/api/v1/namespaces/default/configmaps/${name}`, {
      headers: { Authorization: 'Bearer admin-token' },
    })
  ).status

it('keeps objects and what was typed over a reload', async () => {
  const { page } = await open({ width: 1200, height: 800 })
  await page.locator('.monaco-editor').waitFor()
  await page.locator('.monaco-editor .view-line').first().click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('# typed by hand\n')
  expect(await page.evaluate(createConfigMap, 'kept')).toBe(201)

  await page.reload()
  await page.locator('.monaco-editor .view-lines').getByText('typed by hand').waitFor()
  await running(page)
  expect(await page.evaluate(statusOf, 'kept')).toBe(200)
})

it('keeps every letter, however fast they are typed', async () => {
  const { page, context } = await open({ width: 1200, height: 800 })
  await running(page)
  await choose(page, 'whether a request is allowed')
  const body = editorOf(page, 'Body of the review')
  await body.locator('.view-line').last().waitFor()
  await retype(body, '')
  const slow = await context.newCDPSession(page)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  // The editor neither completes nor indents in a comment.
  const typed = `# ${'the quick brown fox jumps over the lazy dog, '.repeat(3)}and rests`
  await page.keyboard.type(typed)
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await expect.poll(() => textIn(body)).toBe(typed)
})

it('shows in one tab what another one does', async () => {
  const { page, context, url } = await open({ width: 1200, height: 800 })
  await running(page)
  const other = await context.newPage()
  await other.goto(url)
  await running(other)
  expect(await other.evaluate(createConfigMap, 'from-the-other-tab')).toBe(201)
  await page.getByRole('searchbox', { name: 'Find objects by name or kind' }).fill('from-the-other')
  await page.getByRole('treeitem', { name: /from-the-other-tab/ }).waitFor()
})

it('loses no acknowledged write when the browser is killed', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'kubetab-profile-'))
  const launch = () =>
    chromium.launchPersistentContext(profile, {
      executablePath: requireChromium(),
      chromiumSandbox: process.getuid?.() !== 0,
      args: ['--disable-gpu', '--disable-quic', '--disable-background-networking'],
    })
  try {
    const context = await launch()
    const page = await context.newPage()
    await page.goto(pageUrl())
    await running(page)
    for (const name of ['one', 'two', 'three'])
      expect(await page.evaluate(createConfigMap, name)).toBe(201)
    const session = await context.newCDPSession(page)
    // The browser has no chance to tidy up.
    await session.send('Browser.crash').catch(() => undefined)
    await context.close().catch(() => undefined)

    const again = await launch()
    const reopened = await again.newPage()
    await reopened.goto(pageUrl())
    await running(reopened)
    for (const name of ['one', 'two', 'three'])
      expect(await reopened.evaluate(statusOf, name)).toBe(200)
    await again.close()
  } finally {
    rmSync(profile, { recursive: true, force: true })
  }
})
