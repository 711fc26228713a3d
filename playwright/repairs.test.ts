/** A rejected request is repaired with one click, and the repair is undone with another. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { textIn } from './editors'
import { choose, running, showPane, storyBrowser, type Viewport } from './harness'

const { open } = storyBrowser()

const WIDE: Viewport = { width: 1440, height: 900, theme: 'light' }
const PHONE: Viewport = { width: 360, height: 740, theme: 'dark' }

const results = (page: Page) => page.getByRole('region', { name: 'Results' })
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

async function read(page: Page, path: string, token = 'admin-token') {
  return page.evaluate(
    async ([target, bearer]) => {
      const headers = { Authorization: `Bearer ${bearer}` }
      const response = await fetch(target, { headers })
      return { status: response.status, json: await response.json() }
    },
    [path, token] as const,
  )
}

const SETTINGS = 'api/v1/namespaces/default/configmaps/settings'

const MAP = `apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
`

it.each([WIDE, PHONE])(
  'grants what bob lacks, and takes it back ($width pixels)',
  async (viewport) => {
    const { page, screenshot } = await opened(viewport)
    await choose(page, 'act as bob')
    await apply(page, MAP)
    await repairs(page).getByText('Allow bob to create and patch configmaps').waitFor()
    await screenshot(`repair offered ${viewport.width}`)
    await repairs(page).getByRole('button', { name: 'Apply and send again' }).click()
    await results(page).getByText('done, and the request passed').waitFor()
    await screenshot(`repair applied ${viewport.width}`)
    expect((await read(page, SETTINGS)).status).toBe(200)
    await results(page).getByRole('button', { name: 'Undo' }).click()
    await results(page).getByText('Undone.').waitFor()
    expect((await read(page, SETTINGS)).status).toBe(404)
    expect((await read(page, SETTINGS, 'bob-token')).status).toBe(403)
  },
)

it('moves a field in the manifest, and moves it back', async () => {
  const { page, screenshot } = await opened(WIDE)
  const wrong = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, data: { a: b } }\n'
  await apply(page, wrong)
  await page.getByText('Move data to the top level').waitFor()
  await screenshot('repair of a field')
  await repairs(page).getByRole('button', { name: 'Apply and send again' }).first().click()
  await results(page).getByText('created').waitFor()
  const editor = page.locator('.monaco-editor').first()
  await expect.poll(() => textIn(editor)).toMatch(/metadata: \{ name: settings \}\ndata:/)
  expect((await read(page, SETTINGS)).json.data).toEqual({ a: 'b' })
  await results(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => textIn(editor)).toContain('metadata: { name: settings, data: { a: b } }')
  await results(page).getByText('Undone.').waitFor()
  expect((await read(page, SETTINGS)).status).toBe(404)
})

it('takes over a field of another manager, and gives it back', async () => {
  const { page, screenshot } = await opened(WIDE)
  await page.getByRole('button', { name: 'New file' }).click()
  await page.getByRole('menuitem', { name: 'Field conflict between two managers' }).click()
  const applyOf = (manager: string) =>
    page
      .getByRole('region', { name: `${manager}.yaml` })
      .getByRole('button', { name: 'Apply', exact: true })
      .click()
  await applyOf('alice')
  await page.getByText('created').waitFor()
  await applyOf('bob')
  await page.getByRole('button', { name: 'Show the request' }).click()
  const force = repairs(page).getByRole('listitem').filter({ hasText: 'Take over' })
  await force.waitFor()
  await screenshot('repair of a conflict')
  await force.getByRole('button', { name: 'Apply and send again' }).click()
  const requests = page.locator('[data-pane="activity"]')
  await requests.getByText('done, and the request passed').waitFor()
  await screenshot('repair of a conflict applied')
  const managersOf = async () => {
    const { json } = await read(page, 'api/v1/namespaces/default/configmaps?limit=50')
    const items = json.items as { metadata: { managedFields: { manager: string }[] } }[]
    return items.flatMap(({ metadata }) => metadata.managedFields.map(({ manager }) => manager))
  }
  expect(await managersOf()).toContain('bob')
  await requests.getByRole('button', { name: 'Undo' }).click()
  await requests.getByText('Undone.').waitFor()
  expect(await managersOf()).not.toContain('bob')
})

it('keeps what a user has changed since', async () => {
  const { page, screenshot } = await opened(WIDE)
  await apply(page, MAP.replace('name: settings', 'name: settings, namespace: shop'))
  await page.getByText('Create namespace "shop"').waitFor()
  await repairs(page).getByRole('button', { name: 'Apply and send again' }).click()
  await results(page).getByText('created').waitFor()
  await page.evaluate(() =>
    fetch('api/v1/namespaces/shop', {
      method: 'PATCH',
      headers: {
        Authorization: 'Bearer admin-token',
        'Content-Type': 'application/merge-patch+json',
      },
      body: JSON.stringify({ metadata: { labels: { team: 'a' } } }),
    }),
  )
  await results(page).getByRole('button', { name: 'Undo' }).click()
  await results(page).getByText('Undone, except Namespace shop: changed since.').waitFor()
  await results(page).getByText('The request passes by now').waitFor()
  await screenshot('repair kept')
  expect((await read(page, 'api/v1/namespaces/shop')).status).toBe(200)
  expect((await read(page, 'api/v1/namespaces/shop/configmaps/settings')).status).toBe(404)
})

it('leads from a rejected command of the console to its repairs', async () => {
  const { page, screenshot } = await opened(WIDE)
  await choose(page, 'act as bob')
  await page.getByRole('tab', { name: 'Console' }).click()
  await page.locator('.xterm-screen').click()
  await page.keyboard.type('kubectl create configmap settings\n')
  await page.getByRole('button', { name: '1 repair' }).waitFor()
  await screenshot('repairs of a command')
  await page.getByRole('button', { name: '1 repair' }).click()
  await repairs(page).getByRole('button', { name: 'Apply and send again' }).click()
  await page.getByText('done, and the request passed').waitFor()
  expect((await read(page, SETTINGS)).status).toBe(200)
})
