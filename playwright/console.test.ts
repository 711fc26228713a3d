/** The console: kubectl for the cluster of the page. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { running, storyBrowser } from './harness'

const { open } = storyBrowser()

/** What the terminal shows, row after row, comes to look like this. */
async function shows(page: Page, pattern: RegExp): Promise<void> {
  const rows = page.getByRole('region', { name: 'Console' }).locator('.xterm-rows')
  await expect.poll(() => rows.textContent({ timeout: 20_000 }), { timeout: 20_000 }).toMatch(pattern)
}

it('completes, applies an open manifest, watches what comes of it and stops', { timeout: 120_000 }, async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await page.keyboard.press('Control+Shift+5')
  await shows(page, /kubectl for the cluster of this page/)
  const type = (text: string) => page.keyboard.type(text)

  await type('get po')
  await page.keyboard.press('Tab')
  await shows(page, /\$ get pod\s*$/)
  await page.keyboard.press('Tab')
  await shows(page, /poddisruptionbudgets\s+pods\s+podtemplates\s*\S+ \$ get pod\s*$/)
  await type('s\n')
  await shows(page, /No resources found in default namespace\./)

  await type('apply -f web.yaml && get pods -w --no-headers\n')
  await shows(page, /deployment\.apps\/web created\s*service\/web created/)
  await shows(page, /web-\w+-\w+ +1\/1 +Running/)
  await screenshot('console watching pods')
  await page.keyboard.press('Control+c')
  await type('get deployment web -o name | wc -l\n')
  await shows(page, /\^C\s*\S+ \$ get deployment web -o name \| wc -l\s*1\s*admin/)

  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('activity-console')
  await page.getByRole('button', { name: 'Its requests' }).click()
  await page.getByText('/apis/apps/v1/namespaces/default/deployments').first().waitFor()
})

it('takes lines from a phone’s keyboard', async () => {
  const { page, screenshot } = await open({ width: 360, height: 740, theme: 'dark' })
  await page.getByRole('button', { name: 'Activity' }).click()
  await page.getByRole('tab', { name: 'Console' }).click()
  const field = page.getByRole('textbox', { name: 'Command' })
  await field.fill('get namesp')
  await page.getByRole('button', { name: 'Tab: complete the line' }).click()
  await expect.poll(() => field.inputValue()).toBe('get namespaces ')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await shows(page, /kube-system +Active/)
  await screenshot('console on a phone')
})
