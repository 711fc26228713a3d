/** A Firefox for one file of stories, driven over WebDriver BiDi. */
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll } from 'vitest'
import { findFirefox, NO_FIREFOX } from '../../scripts/find-firefox'
import { pageUrl } from '../harness'

/**
 * Messages that the browser logs itself, for responses above 399 and for streams that a reload cuts
 * off. They are not errors of the page.
 */
const NOTES =
  /^Failed to load resource|Failed to load ‘.*’\. A ServiceWorker intercepted the request/

export interface FirefoxStory {
  /** The page, once it is open: inside of tests. */
  page(): Page
  /** Console errors of the page. */
  errors: string[]
}

/** Call at the top of a file: the page is opened once, before the first test. */
export function firefoxStory(): FirefoxStory {
  let browser: Browser | undefined
  let page: Page | undefined
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
  return {
    page() {
      if (page === undefined) throw new Error('the page is not open')
      return page
    },
    errors,
  }
}
