/**
 * Screenshots of every view at three widths and in both themes:
 * .cache/screenshots/WIDTH-THEME/VIEW.png
 *
 *     npm run screenshots                                  all of them
 *     npm run screenshots -- --only access,palette         views whose name contains one of these
 *     npm run screenshots -- --width 360 --theme dark
 */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { runSample, settled, THEMES, VIEWS, WIDTHS } from '../playwright/views'
import { requireChromium } from './find-chromium'
import { servePage } from './serve-page'

const FOLDER = fileURLToPath(new URL('../.cache/screenshots/', import.meta.url))

const { values } = parseArgs({
  options: { only: { type: 'string' }, width: { type: 'string' }, theme: { type: 'string' } },
})
const wanted = values.only?.split(',')
const views = VIEWS.filter(
  ({ name }) => wanted === undefined || wanted.some((part) => name.includes(part)),
)

async function picture(
  browser: Browser,
  url: string,
  size: (typeof WIDTHS)[number],
  theme: 'light' | 'dark',
): Promise<string[]> {
  const folder = `${FOLDER}${size.width}-${theme}/`
  mkdirSync(folder, { recursive: true })
  const context = await browser.newContext({
    viewport: size,
    colorScheme: theme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const missed: string[] = []
  await page.goto(url)
  await page.locator('.monaco-editor').waitFor()
  await settled(page)
  await page.screenshot({ path: `${folder}welcome.png` })
  await runSample(page)
  for (const { name, show } of views) {
    try {
      await show(page)
      await settled(page)
    } catch (error) {
      missed.push(
        `${size.width} ${theme} ${name}: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
      )
    }
    await page.screenshot({ path: `${folder}${name.replaceAll(' ', '-')}.png` })
  }
  await context.close()
  return missed
}

const server = await servePage()
const browser = await chromium.launch({
  executablePath: requireChromium(),
  headless: true,
  chromiumSandbox: process.getuid?.() !== 0,
})
const missed: string[] = []
for (const size of WIDTHS.filter(
  ({ width }) => values.width === undefined || values.width === String(width),
))
  for (const theme of THEMES.filter((one) => values.theme === undefined || values.theme === one))
    missed.push(...(await picture(browser, server.url, size, theme)))
await browser.close()
await server.close()
console.log(`${views.length} views: see ${FOLDER}`)
for (const line of missed) console.error(`not reached: ${line}`)
process.exitCode = missed.length === 0 ? 0 : 1
