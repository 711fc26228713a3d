/** The main story in a second browser, Firefox, driven over WebDriver BiDi: what a newcomer does, and that it is kept. */
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFirefox, NO_FIREFOX } from '../../scripts/find-firefox'
import { pageUrl } from '../harness'

/** What the browser notes by itself: answers above 399, and streams that a reload cuts off. No mistakes of the page. */
const NOTES = /^Failed to load resource|Failed to load ‘.*’\. A ServiceWorker intercepted the request/

let browser: Browser | undefined
let page: Page
const errors: string[] = []

beforeAll(async () => {
  const executablePath = findFirefox()
  if (executablePath === undefined) throw new Error(NO_FIREFOX)
  browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true })
  page = await browser.newPage()
  await page.setViewport({ width: 1440, height: 900 })
  const note = (text: string) => NOTES.test(text) || errors.push(text)
  page.on('pageerror', (error) => note(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') note(message.text())
  })
  await page.goto(pageUrl())
}, 60_000)

afterAll(async () => {
  await browser?.close()
})

const shows = (wanted: string) => page.waitForFunction((part) => document.body.textContent?.includes(part), { timeout: 20_000 }, wanted)
const text = (selector: string) => page.$eval(selector, (element) => element.textContent?.trim() ?? '')

it('is answered by a service worker', async () => {
  await shows('running in a service worker')
  const controlled = await page.evaluate(
    async () => (await fetch('api/v1/namespaces/default', { headers: { Authorization: 'Bearer admin-token' } })).status,
  )
  expect(controlled).toBe(200)
})

it('applies a manifest and tells what came of it', async () => {
  await page.locator('.monaco-editor .view-line').wait()
  await page.locator('.welcome-sample').click()
  await shows('service/web')
  expect(await text('.result .chip')).toBe('created')
})

it('shows who owns the fields of an object', async () => {
  await page.locator('.object-tabs [role=tab]:nth-child(2)').click()
  await page.locator('.owner-chip').wait()
  expect(await text('.owner-chips')).toMatch(/kubectl/)
})

it('explains a field', async () => {
  await page.locator('.object-tabs [role=tab]:nth-child(1)').click()
  await page.locator('.code-key ::-p-text(replicas)').click()
  await shows('From the server’s OpenAPI')
  expect(await text('.explanation h2')).toBe('spec.replicas')
  await page.keyboard.press('Escape')
})

it('tells of changes by a watch', async () => {
  await page.locator('#activity-watches').click()
  await page.locator('.empty .button.primary').click()
  await page.locator('dialog .button.primary').click()
  await shows('ADDED')
  expect(await text('.watch-bar .chip')).toBe('live')
})

it('keeps everything over a reload', async () => {
  expect(errors).toEqual([])
  await page.reload()
  await shows('running in a service worker')
  await shows('web-')
  const kept = await page.evaluate(async () => {
    const answer = await fetch('apis/apps/v1/namespaces/default/deployments/web', { headers: { Authorization: 'Bearer admin-token' } })
    return ((await answer.json()) as { spec?: { replicas?: number } }).spec?.replicas
  })
  expect(kept).toBe(3)
  expect(errors).toEqual([])
})
