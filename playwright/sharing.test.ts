/** A link carries objects and files; opening it asks first, and loses nothing. */
import { expect, it } from 'vitest'
import { storyBrowser } from './harness'

const { open } = storyBrowser()

it('brings the cluster and the files to another browser', async () => {
  const sender = await open({ width: 1440, height: 900 })
  await sender.page.getByRole('button', { name: /Run the sample/ }).click()
  await sender.page.getByText('service/web').waitFor()
  await sender.page.getByRole('button', { name: 'Share' }).click()
  const link = await sender.page.getByRole('textbox', { name: 'Link' }).inputValue()
  expect(link).toContain('#k1=')
  await sender.screenshot('share dialog')

  const reader = await open({ width: 1440, height: 900, at: `#${link.split('#')[1]}` })
  const question = reader.page.getByRole('dialog', { name: 'Open the shared scenario?' })
  await question.waitFor()
  await question.getByRole('button', { name: 'Open in a new workspace' }).click()
  await reader.page.getByRole('treeitem', { name: 'web default' }).first().waitFor()
  expect(reader.page.url()).toContain('?workspace=shared')
  expect(reader.page.url()).not.toContain('#k1=')
  await reader.screenshot('shared in a workspace')

  // What was there before is as it was.
  await reader.page.getByRole('button', { name: 'shared', exact: true }).click()
  await reader.screenshot('workspaces')
  await reader.page.getByRole('button', { name: 'My cluster' }).click()
  await reader.page.getByRole('treeitem', { name: 'kubernetes default' }).first().waitFor()
  expect(await reader.page.getByRole('treeitem', { name: 'web default' }).count()).toBe(0)

  await reader.page.getByRole('button', { name: 'More', exact: true }).click()
  await reader.page.getByRole('menuitem', { name: /Workspaces/ }).click()
  await reader.page.getByRole('button', { name: 'Remove shared' }).click()
  await reader.page.getByRole('button', { name: 'Remove it' }).click()
  await reader.page.getByText('shared is removed').waitFor()
  expect(await reader.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual(['kubetab'])
})

it('leaves everything as it is when one declines', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await page.getByRole('button', { name: /Run the sample/ }).click()
  await page.getByText('service/web').waitFor()
  await page.getByRole('button', { name: 'Share' }).click()
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue()
  await page.keyboard.press('Escape')
  await page.evaluate((hash) => {
    location.hash = hash
  }, link.split('#')[1] ?? '')
  await page.getByRole('dialog', { name: 'Open the shared scenario?' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('treeitem', { name: 'web default' }).first().waitFor()
})
