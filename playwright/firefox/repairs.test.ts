/** The repair of a rejected request in Firefox: offered, applied, undone. */
import { expect, it } from 'vitest'
import { firefoxStory } from './browser'

const { page: opened, errors } = firefoxStory()

const shows = (wanted: string) =>
  opened().waitForFunction(
    (part) => document.body.textContent?.includes(part),
    { timeout: 20_000 },
    wanted,
  )

it('creates the namespace that a manifest needs, and removes it again', async () => {
  const page = opened()
  await shows('Server: service worker')
  await page.locator('.monaco-editor .view-line').click()
  await page.keyboard.down('Control')
  await page.keyboard.press('a')
  await page.keyboard.up('Control')
  await page.keyboard.type('{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: shop')
  await page.locator('.button.primary ::-p-text(Apply)').click()
  await shows('Create namespace "shop"')
  await page.locator('.repair > .button').click()
  await shows('done, and the request passed')
  await page.locator('.repair-outcome .button').click()
  await shows('Undone.')
  const status = await page.evaluate(async () => {
    const headers = { Authorization: 'Bearer admin-token' }
    return (await fetch('api/v1/namespaces/shop/configmaps/a', { headers })).status
  })
  expect(status).toBe(404)
  expect(errors).toEqual([])
})
