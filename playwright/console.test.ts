/** The console: kubectl for the cluster of the page. */
import { expect, it } from 'vitest'
import { running, storyBrowser } from './harness'

const { open } = storyBrowser()

it('lists, applies an open manifest, watches what comes of it and stops', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await page.keyboard.press('Control+Shift+5')
  const screen = page.getByRole('region', { name: 'Console' })
  await screen.getByText('kubectl for the cluster of this page').first().waitFor()
  const rows = screen.locator('.xterm-rows')
  const type = (text: string) => page.keyboard.type(text)

  await type('get po')
  await page.keyboard.press('Tab')
  await expect.poll(() => rows.textContent()).toMatch(/\$ get po(?!ds)[\s\S]*poddisruptionbudgets[\s\S]*pods[\s\S]*\$ get pod/)
  await type('s\n')
  await screen.getByText('No resources found in default namespace.').first().waitFor()

  await type('get pods -w | grep --invert web-nothing\n')
  await screen.getByText('unknown flag: --invert').first().waitFor()
  await type('apply -f web.yaml && get pods -w --no-headers\n')
  await screen.getByText('deployment.apps/web created').first().waitFor()
  await expect.poll(() => rows.textContent(), { timeout: 20_000 }).toMatch(/web-\w+-\w+ +1\/1 +Running/)
  await screenshot('console watching pods')
  await page.keyboard.press('Control+c')
  await type('get deployment web -o name | wc -l\n')
  await expect.poll(() => rows.textContent()).toMatch(/\^C[\s\S]*wc -l\s*1\s/)

  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Control+u')
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
  await page.getByRole('button', { name: 'Complete the line' }).click()
  await expect.poll(() => field.inputValue()).toBe('get namespaces ')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('region', { name: 'Console' }).getByText('kube-system').first().waitFor()
  await screenshot('console on a phone')
})
