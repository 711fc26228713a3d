/** Incidents: one solved by kubectl in the console, one by the editor, and what is shown afterwards. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type Incident, incidentOf } from '../src/lessons/incident'
import { INCIDENTS } from '../src/lessons/incidents'
import { storyBrowser } from './harness'

const { open } = storyBrowser()

const drawn = (id: string, seed: number): Incident => {
  const incident = INCIDENTS.find((one) => one.id === id)
  if (incident === undefined) throw new Error(`the catalog has no incident ${id}`)
  return incidentOf(incident, seed)
}

const panelOf = (page: Page) => page.getByRole('complementary', { name: /^Incident: / })

/** Types a line into the console, as a user does. */
async function type(page: Page, line: string): Promise<void> {
  const terminal = page.getByRole('region', { name: 'Console' }).locator('.xterm-screen')
  await terminal.getByText('kubectl for this').first().waitFor()
  await terminal.click()
  await page.keyboard.type(`${line}\n`)
}

it('is found in the search, solved by kubectl, and reviewed', { timeout: 240_000 }, async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Lessons', exact: true }).click()
  await page.getByRole('button', { name: 'Incidents', exact: true }).click()
  await page.getByText(`0 of ${INCIDENTS.length} solved`).waitFor()
  await screenshot('incidents')
  await page.getByRole('button', { name: /Healthy Pods, no traffic/ }).click()
  const panel = panelOf(page)
  await panel.getByText('Solved when').waitFor()
  const [, seed] = /workspace=incident-no-endpoints-(\d+)/.exec(page.url()) ?? []
  const { story, hints, shortest } = drawn('no-endpoints', Number(seed))
  await panel.getByText(story).waitFor()
  await panel.getByRole('button', { name: 'Open hint 1 of 3' }).click()
  await panel.getByText(hints[0]).waitFor()
  expect(await panel.getByText(hints[1].slice(0, 30)).count()).toBe(0)
  await screenshot('incident open')

  await type(page, shortest[0] ?? '')
  await panel.getByText(/^Everything holds/).waitFor()
  await panel.getByText(/^Solved in/).waitFor()
  await panel.getByText('1 write, 1 hint').waitFor()
  await panel.getByText(/^patch services/).waitFor()
  await screenshot('incident solved')

  await page.reload()
  await panel.getByText(/^Solved in/).waitFor()
  await panel.getByRole('button', { name: 'All incidents' }).click()
  await page.getByText(`1 of ${INCIDENTS.length} solved`).waitFor()
})

it('is solved by the editor', { timeout: 240_000 }, async () => {
  const { page } = await open({
    width: 1440,
    height: 900,
    at: '?workspace=incident-forbidden-robot-3',
  })
  const panel = panelOf(page)
  await panel.getByText('Solved when').waitFor()
  const { start } = drawn('forbidden-robot', 3)
  const [, , , binding = ''] = start.objects.split('---\n')
  const namespace = /namespace: "(.+)" }\nroleRef/.exec(binding)?.[1] ?? ''
  const right = binding.replace(/namespace: "[^"]+" }\n*$/, `namespace: "${namespace}" }`)
  expect(right).not.toBe(binding)
  await page.getByRole('tab', { name: 'repair.yaml' }).click()
  await page.locator('[data-pane=editor] .view-line').first().waitFor()
  await page.locator('[data-pane=editor]').getByRole('textbox').first().focus()
  await page.keyboard.insertText(right)
  await page.keyboard.press('Control+Enter')
  await panel.getByText(/^Solved in/).waitFor()
  await panel.getByText(/^patch rolebindings/).waitFor()
})

it.each([
  { width: 820, height: 1180, theme: 'dark' },
  { width: 360, height: 740, theme: 'light' },
] as const)('is readable at $width, $theme', async ({ width, height, theme }) => {
  const { page, screenshot } = await open({
    width,
    height,
    theme,
    at: '?workspace=incident-stuck-namespace-2',
  })
  await panelOf(page).getByText('Solved when').waitFor()
  await screenshot(`incident ${width} ${theme}`)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
})
