/** The console: kubectl for the cluster of the page. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { running, storyBrowser } from './harness'

const { open } = storyBrowser()

/** Waits until the rows of the terminal match. */
async function shows(page: Page, pattern: RegExp): Promise<void> {
  const rows = page.getByRole('region', { name: 'Console' }).locator('.xterm-rows')
  await expect
    .poll(() => rows.textContent({ timeout: 20_000 }), { timeout: 20_000 })
    .toMatch(pattern)
}

it('completes, applies an open manifest, watches what comes of it and stops', {
  timeout: 120_000,
}, async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await page.keyboard.press('Control+Shift+5')
  await shows(page, /kubectl for this cluster/)
  const type = (text: string) => page.keyboard.type(text)

  await type('get po')
  await page.keyboard.press('Tab')
  await shows(page, /\$ get pod\s*$/)
  await page.keyboard.press('Tab')
  await shows(page, /poddisruptionbudgets\s+pods\s+podtemplates\s*\S+ \$ get pod\s*$/)
  await type('s\n')
  await shows(page, /No resources found in default namespace\./)

  await type('apply -f web.yaml && get service web -o name\n')
  await shows(page, /deployment\.apps\/web created\s*service\/web created\s*service\/web\s*admin/)
  // After the other commands, because the events of a watch soon fill all visible rows.
  await type('get pods -w --no-headers\n')
  await shows(page, /web-\w+-\w+ +1\/1 +Running/)
  await screenshot('console watching pods')
  await page.keyboard.press('Control+c')
  await type('get deployment web -o name | wc -l\n')
  await shows(page, /\^C\s*\S+ \$ get deployment web -o name \| wc -l\s*1\s*admin/)

  await type('exec deployment/web -- hostname\n')
  await shows(page, /-- hostname\s*web-\w+-\w+\s*admin/)

  await type('why deployment/web | head -n 2\n')
  await shows(page, /BECAUSE OF +FIELDS\s*\d+ +created +deployment\/web +a request/)

  await page.keyboard.press('Escape')
  const focused = () => page.evaluate(() => document.activeElement?.id)
  await expect.poll(focused).toBe('activity-console')
  await page.keyboard.press('Control+Shift+5')
  await expect.poll(focused).not.toBe('activity-console')
  await type('version | tail -n 1\n')
  await shows(page, /Server Version: v1\.37/)

  await page.getByRole('button', { name: 'Show requests' }).click()
  await page.getByText('/apis/apps/v1/namespaces/default/deployments').first().waitFor()
})

it('opens a rejected edit again with the server’s error, and keeps its text', {
  timeout: 120_000,
}, async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await page.keyboard.press('Control+Shift+5')
  await shows(page, /kubectl for this cluster/)
  await page.keyboard.type('create configmap settings --from-literal=color=blue\n')
  await shows(page, /configmap\/settings created/)
  await page.keyboard.type('edit configmap settings\n')
  const text = page.locator('.monaco-editor .view-lines')
  await text.getByText('Please edit the object below').waitFor()

  const toTheEnd = async (from: string) => {
    await text.getByText(from).click()
    await page.keyboard.press('Control+End')
  }
  await toTheEnd('Please edit the object below')
  await page.keyboard.insertText('  labels: {"a b": c}')
  await page.keyboard.press('Control+Enter')
  await text.getByText('configmaps "settings" was not valid').waitFor()
  await shows(page, /error: configmaps "settings" is invalid/)
  await screenshot('console edit rejected')

  await toTheEnd('was not valid')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.insertText('labels: {a: c}')
  await page.getByRole('button', { name: /^Save/ }).click()
  await shows(page, /configmap\/settings edited/)

  // The console has the focus again, and continues when an edit is canceled.
  await page.keyboard.type('edit configmap settings\n')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await shows(page, /Edit cancelled, no changes made\./)
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
