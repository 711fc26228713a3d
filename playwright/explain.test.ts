/**
 * Terms and fields are explained wherever they appear, by keyboard and by touch; the palette finds
 * everything.
 */
import { expect, it, vi } from 'vitest'
import { running, storyBrowser } from './harness'
import { command, runSample } from './views'

const { open } = storyBrowser()

// Each is a way of many steps, and the machine may be busy with others.
vi.setConfig({ testTimeout: 180_000 })

it('explains a field of an object by keyboard alone, and gives the focus back', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await running(page)
  await runSample(page)
  const yaml = page.getByRole('region', { name: 'Deployment web as YAML' })
  await yaml.focus()
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const explanation = page.getByRole('dialog', { name: 'What metadata.name means' })
  await explanation.getByText('Cannot be changed').waitFor()
  await explanation.getByRole('link', { name: 'Object names and IDs' }).waitFor()
  await page.keyboard.press('Escape')
  await explanation.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('name')
})

it('finds fields by their paths, words of the API and lessons', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Search everything' })
  await search.pressSequentially('deploy.spec.strat')
  await page.getByRole('option', { name: 'deployment.spec.strategy' }).waitFor()
  await screenshot('palette field')
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog', { name: 'What spec.strategy means' })
    .getByText('From the server’s OpenAPI')
    .waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await search.fill('AlreadyExists')
  await page.getByRole('option', { name: 'AlreadyExists Status reason' }).click()
  await page
    .getByRole('dialog', { name: 'What AlreadyExists means' })
    .getByText('Names are unique')
    .waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await search.fill('lost update')
  await page.getByRole('option', { name: /^Lost updates Lesson/ }).waitFor()
})

it('explains a rejected request on a phone, from the lower edge', async () => {
  const { page, screenshot } = await open({ width: 360, height: 740 })
  await runSample(page)
  await command(page, 'Create (fails if it exists)')
  await command(page, 'Show requests')
  await page
    .getByRole('list', { name: 'Requests' })
    .getByRole('button', { name: /409/ })
    .first()
    .click()
  await page
    .getByRole('region', { name: 'Rejection' })
    .getByRole('button', { name: 'AlreadyExists' })
    .click()
  const explanation = page.getByRole('dialog', { name: 'What AlreadyExists means' })
  await explanation.getByText('Names are unique').waitFor()
  await screenshot('360 explained reason')
  const box = await explanation.boundingBox()
  expect(box && Math.round(box.y + box.height)).toBe(740)
  await explanation.getByRole('button', { name: 'Close the explanation' }).click()
  await explanation.waitFor({ state: 'detached' })
})

it('keeps panels as they were arranged, until the layout is reset', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await running(page)
  const explorer = page.getByRole('navigation', { name: 'Explorer' })
  await page
    .getByRole('group', { name: 'Panels' })
    .getByRole('button', { name: 'Explorer' })
    .click()
  await explorer.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('region', { name: 'Activity' }).waitFor()
  expect(await explorer.count()).toBe(0)
  await page.getByRole('button', { name: 'Enlarge the activity' }).click()
  expect(await page.getByRole('region', { name: 'Editor' }).count()).toBe(0)
  await command(page, 'Reset the layout')
  await explorer.waitFor()
  await page.getByRole('region', { name: 'Editor', exact: true }).waitFor()
})
