/** A rejected request is repaired with one click, and the repair is undone with another. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { choose, running, showPane, storyBrowser, type Viewport } from './harness'

const { open } = storyBrowser()

const WIDE: Viewport = { width: 1440, height: 900, theme: 'light' }
const PHONE: Viewport = { width: 360, height: 740, theme: 'dark' }

const results = (page: Page) => page.getByRole('status', { name: 'Results' })
const repairs = (page: Page) => page.getByRole('region', { name: 'Repairs' })

async function opened(viewport: Viewport) {
  const story = await open(viewport)
  if (viewport.width > 767) await running(story.page)
  await story.page.locator('.monaco-editor .view-line').first().waitFor()
  return story
}

async function apply(page: Page, manifest: string): Promise<void> {
  await showPane(page, 'Editor')
  await page.locator('.monaco-editor .view-line').first().click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(manifest)
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await showPane(page, 'Activity')
}

const statusOf = (page: Page, path: string, token: string): Promise<number> =>
  page.evaluate(
    async ([target, bearer]) => {
      const headers = { Authorization: `Bearer ${bearer}` }
      return (await fetch(`api/v1/namespaces/default/${target}`, { headers })).status
    },
    [path, token] as const,
  )

const MAP = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  mode: fast
`

it.each([WIDE, PHONE])('grants what bob lacks, and takes it back ($width pixels)', async (viewport) => {
  const { page, screenshot } = await opened(viewport)
  await choose(page, 'act as bob')
  await apply(page, MAP)
  await repairs(page).getByText('Allow bob to create and patch configmaps').waitFor()
  await screenshot(`repair offered ${viewport.width}`)
  await repairs(page).getByRole('button', { name: 'Apply and send again' }).click()
  await results(page).getByText('done, and the request passed').waitFor()
  await screenshot(`repair applied ${viewport.width}`)
  expect(await statusOf(page, 'configmaps/settings', 'admin-token')).toBe(200)
  await results(page).getByRole('button', { name: 'Undo' }).click()
  await results(page).getByText('Undone.').waitFor()
  expect(await statusOf(page, 'configmaps/settings', 'admin-token')).toBe(404)
  expect(await statusOf(page, 'configmaps/settings', 'bob-token')).toBe(403)
})
