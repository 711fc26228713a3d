/** The stages of each request, and the audit events. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { editorOf, retype, textIn } from './editors'
import { choose, running, showPane, storyBrowser, tagsFor } from './harness'

const { open } = storyBrowser()

const SIZES = [
  { width: 1440, height: 900, theme: 'dark' },
  { width: 820, height: 1100, theme: 'light' },
  { width: 360, height: 740, theme: 'light' },
] as const

async function applyRejected(page: Page, phone: boolean): Promise<void> {
  if (!phone) await running(page)
  await page.getByRole('button', { name: /Run the sample/ }).click()
  if (phone) await showPane(page, 'Activity')
  await page.getByText('service/web').waitFor()
  await choose(page, 'act as alice')
  await choose(page, 'fails if it exists')
  await page
    .getByText(/User "alice" cannot create/)
    .first()
    .waitFor()
}

for (const size of SIZES) {
  it(
    `shows the stages of a request and where it stopped (${size.width} pixels)`,
    tagsFor(size),
    async () => {
      const { page, screenshot } = await open(size)
      await applyRejected(page, size.width < 768)
      await page.getByRole('tab', { name: /Requests/ }).click()
      const requests = page.getByRole('list', { name: 'Requests' })
      if (size.width === 1440) {
        await requests.getByRole('img', { name: 'stopped in authorization' }).first().waitFor()
        await requests.getByRole('img', { name: 'passed all stages' }).first().waitFor()
      }
      await requests.getByRole('button', { name: /403/ }).first().click()
      const stages = page.getByRole('region', { name: 'Stages' })
      await stages.getByText('authorization').waitFor()
      // Shown once.
      expect(
        await page
          .locator('.detail-body > .part')
          .getByText(/^[^{]*User "alice" cannot create/)
          .count(),
      ).toBe(1)
      expect(await stages.getByRole('listitem').count()).toBe(2)
      await screenshot(`stages rejected ${size.width}`)
      await page.getByRole('button', { name: 'Close request' }).click()
      await requests
        .getByRole('button', { name: /PATCH.*201/ })
        .first()
        .click()
      await stages.getByText('storage').waitFor()
      await stages.getByText('mutating admission').first().waitFor()
      await screenshot(`stages passed ${size.width}`)
    },
  )

  it(
    `shows audit events and takes another policy (${size.width} pixels)`,
    tagsFor(size),
    async () => {
      const { page, screenshot } = await open(size)
      await applyRejected(page, size.width < 768)
      await page.getByRole('tab', { name: 'Audit' }).click()
      const events = page.getByRole('list', { name: 'Audit events' })
      await events
        .getByRole('button', { name: /create.*403/ })
        .first()
        .click()
      const event = page.getByRole('region', { name: 'Audit event' })
      await event.getByText('"username":"alice"').first().waitFor()
      await screenshot(`audit ${size.width}`)

      await page.getByRole('button', { name: 'Audit policy' }).click()
      const policy = editorOf(page, 'Audit policy')
      await expect.poll(() => textIn(policy)).toContain('rules:')
      await policy.locator('.view-line').first().click()
      await page.keyboard.press('Control+End')
      await page.keyboard.insertText('  - level: Nonsense\n')
      await page.getByRole('button', { name: 'Set the policy' }).click()
      await page
        .getByRole('alert')
        .getByText(/The policy was rejected/)
        .waitFor()
      await page.getByRole('tab', { name: /Requests/ }).click()
      await page.getByRole('list', { name: 'Requests' }).waitFor()
      await page.getByRole('tab', { name: 'Audit' }).click()
      await events.waitFor()
      await page.getByRole('button', { name: 'Audit policy' }).click()
      await policy.getByRole('textbox').press('Control+End')
      await expect.poll(() => textIn(policy)).toContain('Nonsense')
      await screenshot(`audit policy ${size.width}`)
      await retype(policy, '')
      await page.getByRole('button', { name: 'Set the policy' }).click()
      await page.getByText('The audit policy is set').waitFor()
    },
  )
}
