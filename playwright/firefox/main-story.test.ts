/** The main story in a second browser, Firefox, driven over WebDriver BiDi: what a newcomer does, and that it is kept. */
import { expect, it } from 'vitest'
import { firefoxStory } from './browser'

const { page: opened, errors } = firefoxStory()

const shows = (wanted: string) =>
  opened().waitForFunction(
    (part) => document.body.textContent?.includes(part),
    { timeout: 20_000 },
    wanted,
  )
const text = (selector: string) =>
  opened().$eval(selector, (element) => element.textContent?.trim() ?? '')

it('is served by a service worker', async () => {
  const page = opened()
  await shows('Server: service worker')
  const controlled = await page.evaluate(
    async () =>
      (
        await fetch('api/v1/namespaces/default', {
          headers: { Authorization: 'Bearer admin-token' },
        })
      ).status,
  )
  expect(controlled).toBe(200)
})

it('applies a manifest and shows the result', async () => {
  const page = opened()
  await page.locator('.monaco-editor .view-line').wait()
  await page.locator('.welcome-sample').click()
  await shows('service/web')
  expect(await text('.result .chip')).toBe('created')
})

it('shows who owns the fields of an object', async () => {
  const page = opened()
  await page.locator('#object-tab-ownership').click()
  await page.locator('.owner-chip').wait()
  expect(await text('.owner-chips')).toMatch(/kubectl/)
})

it('explains a field', async () => {
  const page = opened()
  await page.locator('#object-tab-now').click()
  await page.locator('.code-key ::-p-text(replicas)').click()
  await shows('From the server’s OpenAPI')
  expect(await text('.explanation h2')).toBe('spec.replicas')
  await page.keyboard.press('Escape')
})

it('shows changes from a watch', async () => {
  const page = opened()
  await page.locator('#activity-watches').click()
  await page.locator('.empty .button.primary').click()
  await page.locator('dialog .button.primary').click()
  await shows('ADDED')
  expect(await text('.watch-bar .chip')).toBe('live')
})

it('keeps everything over a reload', async () => {
  const page = opened()
  expect(errors).toEqual([])
  await page.reload()
  await shows('Server: service worker')
  await shows('web-')
  const kept = await page.evaluate(async () => {
    const response = await fetch('apis/apps/v1/namespaces/default/deployments/web', {
      headers: { Authorization: 'Bearer admin-token' },
    })
    return ((await response.json()) as { spec?: { replicas?: number } }).spec?.replicas
  })
  expect(kept).toBe(3)
  expect(errors).toEqual([])
})
