/** The line that shows what followed from the last write. */
import { expect, it } from 'vitest'
import { running, storyBrowser } from './harness'

const { open } = storyBrowser()

for (const size of [
  { width: 1440, height: 900, theme: 'light' },
  { width: 360, height: 740, theme: 'dark' },
] as const) {
  it(`follows a Deployment to its endpoints (${size.width} pixels)`, async () => {
    const { page, screenshot } = await open(size)
    if (size.width > 767) await running(page)
    await page.getByRole('button', { name: /Run the sample/ }).click()
    const strip = page.getByRole('region', { name: 'Consequences of the last write' })
    for (const title of [/^Deployment web .*ready/, /^ReplicaSet web-/, /Pods? .*1\/1 Running/])
      await strip.getByRole('button', { name: title }).waitFor()
    await strip.getByText('No further reactions.').waitFor({ state: 'attached', timeout: 40_000 })
    await screenshot(`causes ${size.width}`)
    await strip.getByRole('button', { name: 'Show all steps' }).click()
    const steps = strip.getByRole('list', { name: 'Steps, oldest first' })
    await steps.getByText('replicaset-controller').first().waitFor()
    await steps
      .getByText(/reacted to ReplicaSet web-/)
      .first()
      .waitFor()
    await screenshot(`causes steps ${size.width}`)
    await steps
      .getByRole('button', { name: /^ReplicaSet web-/ })
      .first()
      .click()
    const object = page.locator('[data-pane="object"]')
    await expect.poll(() => object.textContent()).toMatch(/ReplicaSet\s*web-/)
  })
}

it('shows a rejected write with its reason, and leads to the request', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900, theme: 'dark' })
  await running(page)
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await page.getByText('service/web').first().waitFor()
  await page.locator('.monaco-editor .view-line').first().click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('apiVersion: v1\nkind: Service\nmetadata:\n  name: WEB\n')
  await page.getByRole('button', { name: /^Apply/ }).click()
  const strip = page.getByRole('region', { name: 'Consequences of the last write' })
  await strip.getByText('Rejected: 422 Invalid').waitFor()
  await screenshot('causes rejected')
  await strip.getByRole('button', { name: 'Show the request' }).click()
  await page.getByRole('region', { name: 'Stages' }).waitFor()
  expect(await page.getByRole('tab', { name: /Requests/ }).getAttribute('aria-selected')).toBe(
    'true',
  )
})

it('shows writes of other clients, each with its difference', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900, theme: 'light' })
  await running(page)
  await page.getByRole('button', { name: /Run the sample/ }).click()
  const strip = page.getByRole('region', { name: 'Consequences of the last write' })
  await strip.getByRole('button', { name: /Pods .*1\/1 Running/ }).waitFor()
  await page.evaluate(async () => {
    await fetch('apis/apps/v1/namespaces/default/deployments/web/scale', {
      method: 'PATCH',
      headers: {
        Authorization: 'Bearer admin-token',
        'Content-Type': 'application/merge-patch+json',
        'x-kubetab-client': 'kubectl/v1.37.0',
      },
      body: JSON.stringify({ spec: { replicas: 4 } }),
    })
  })
  await strip.getByText('kubectl', { exact: true }).waitFor()
  await strip.getByRole('button', { name: /^Deployment web .*4\/4 ready/ }).waitFor()
  await strip.getByRole('button', { name: 'Show all steps' }).click()
  const steps = strip.getByRole('list', { name: 'Steps, oldest first' })
  const scaled = steps.getByRole('listitem').filter({ hasText: /^the request.*spec\.replicas/ })
  await scaled.getByRole('button', { name: 'Difference' }).click()
  const difference = scaled.getByRole('region', { name: 'Difference' })
  await expect.poll(() => difference.textContent()).toMatch(/\.spec\.replicas.*3.*4/)
  await screenshot('causes of another client')
  await scaled.getByRole('button', { name: 'History' }).click()
  await page.getByRole('tab', { name: 'History', selected: true }).waitFor()
})
