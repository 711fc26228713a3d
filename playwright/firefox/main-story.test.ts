/** The main story in a second browser, Firefox, driven over WebDriver BiDi: what a newcomer does, and that it is kept. */
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { findFirefox, NO_FIREFOX } from '../../scripts/find-firefox'

let browser: Browser | undefined
let page: Page
const errors: string[] = []

beforeAll(async () => {
  const executablePath = findFirefox()
  if (executablePath === undefined) throw new Error(NO_FIREFOX)
  browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true })
  page = await browser.newPage()
  await page.setViewport({ width: 1440, height: 900 })
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text())
  })
  await page.goto(inject('pageUrl'))
}, 60_000)

afterAll(async () => {
  await browser?.close()
})

/** The first element of this accessible name, when it is there. */
const named = (name: string, role: string) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`)
const shows = (text: string) => page.waitForFunction((wanted) => document.body.innerText.includes(wanted), { timeout: 20_000 }, text)
const press = (selector: string) => page.locator(selector).click()

it('is answered by a service worker', async () => {
  await shows('running in a service worker')
  const controlled = await page.evaluate(
    async () => (await fetch('api/v1/namespaces/default', { headers: { Authorization: 'Bearer admin-token' } })).status,
  )
  expect(controlled).toBe(200)
})

it('applies a manifest and tells what came of it', async () => {
  await page.locator('.monaco-editor .view-line').wait()
  await named('Run the sample Apply a Deployment and a Service, and see what the server makes of them.', 'button').click()
  await shows('deployment.apps/web')
  await shows('service/web')
})

it('shows who owns the fields of an object', async () => {
  await press('.object-tabs [role=tab]:nth-child(2)')
  await shows('kubectl')
})

it('tells of changes by a watch', async () => {
  await page.evaluate(() => document.querySelector<HTMLElement>('#activity-watches')?.click())
  await press('.empty .button.primary')
  await page.locator('dialog .button.primary').click()
  await shows('ADDED')
})

it('keeps everything over a reload', async () => {
  await page.reload()
  await shows('running in a service worker')
  await shows('web')
  expect(errors).toEqual([])
})
