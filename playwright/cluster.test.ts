/** The live cluster: a rollout step by step, a failing node, a deletion preview, and undo. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { storyBrowser } from './harness'

const { open } = storyBrowser()

const podIcons = (page: Page, state = '') =>
  page.getByRole('button', { name: new RegExp(`^Pod web-\\S+ in default: ${state}`) })
const time = (page: Page) => page.getByRole('timer', { name: 'Cluster time' })
const moment = (page: Page) => page.getByRole('slider', { name: 'Revision of the cluster' })

const toCluster = (page: Page) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Cluster' }).click()

/** Three pods of a deployment that are ready. */
async function withPods(page: Page): Promise<void> {
  await toCluster(page)
  await page.getByRole('region', { name: 'Node node-3: Ready' }).waitFor()
  await page.getByRole('button', { name: /^Deploy an example/ }).click()
  await expect.poll(() => podIcons(page, 'Ready').count(), { timeout: 15_000 }).toBe(3)
}

it('shows a rollout step by step while the clock is paused', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await withPods(page)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Inject a failure' }).click()
  await page.getByRole('menuitem', { name: /^Break the image of web/ }).click()
  await expect.poll(() => podIcons(page, 'Starting').count()).toBe(1)
  // The clock is paused.
  await page.waitForTimeout(1500)
  expect(await podIcons(page, 'Starting').count()).toBe(1)
  const step = page.getByRole('button', { name: 'Step' })
  const noImage = () => podIcons(page, '(?:ErrImagePull|ImagePullBackOff)').count()
  for (let steps = 0; steps < 5 && (await noImage()) === 0; steps++) {
    const before = await time(page).textContent()
    await step.click()
    await expect.poll(() => time(page).textContent()).not.toBe(before)
    await step.and(page.locator(':enabled')).waitFor()
    // The result appears later.
    await expect
      .poll(noImage, { timeout: 1000 })
      .toBe(1)
      .catch(() => undefined)
  }
  await screenshot('cluster rollout stuck')
  expect(await noImage()).toBe(1)
  expect(await podIcons(page, 'Ready').count()).toBe(3)
  await page
    .getByRole('button', { name: /^revision 2: shop\/web:missing, 1 desired, 1 current, 0 ready/ })
    .waitFor()
})

it('moves pods off a node that fails, in fast time', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900, theme: 'dark' })
  await withPods(page)
  await page.getByRole('button', { name: 'node-2', exact: true }).click()
  await page.getByRole('button', { name: 'Inject a failure' }).click()
  await page.getByRole('menuitem', { name: /^Fail node-2/ }).click()
  await page.getByRole('button', { name: '100×' }).click()
  await page.getByRole('region', { name: 'Node node-2: failed' }).waitFor()
  const elsewhere = page.getByRole('button', {
    name: /^Pod web-\S+ in default: Ready, on node-[13]/,
  })
  await expect.poll(() => elsewhere.count(), { timeout: 20_000 }).toBe(3)
  await screenshot('cluster node failed')
})

it('previews a deletion, which then deletes exactly that', async () => {
  const { page } = await open({ width: 1440, height: 900, reducedMotion: true })
  await withPods(page)
  await page.getByRole('button', { name: /^Deployment web/ }).click()
  const preview = page.getByRole('list', { name: 'Objects that the deletion removes' })
  await expect.poll(() => preview.getByText(/^web-/).count()).toBe(4)
  await page.getByText('4 deleted too').waitFor()
  await page.getByRole('button', { name: 'Orphan' }).click()
  await page.getByText('1 orphaned').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  // The ReplicaSet is an orphan now, and its Pods stay.
  await page.getByRole('article', { name: /^ReplicaSet web-/ }).waitFor()
  expect(await podIcons(page, 'Ready').count()).toBe(3)
})

it('goes back to a moment, which cannot be changed, and returns; or branches from there', async () => {
  const { page, screenshot, url } = await open({ width: 1440, height: 900 })
  await withPods(page)
  await moment(page).focus()
  await page.keyboard.press('Home')
  await page.getByText('Read-only').waitFor()
  await expect.poll(() => podIcons(page).count()).toBe(0)
  await page.getByText('Nothing runs at this revision.').waitFor()
  await screenshot('cluster at a moment')
  await page.keyboard.press('End')
  await expect.poll(() => podIcons(page, 'Ready').count()).toBe(3)
  await page.keyboard.press('Home')
  await page.getByRole('button', { name: 'Branch from here' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'In a new workspace' }).click()
  await page.waitForURL(/workspace=from-\d+/)
  await toCluster(page)
  await page.getByText('Nothing runs yet.').waitFor()
  // The cluster that it came from is as it was.
  await page.goto(url)
  await toCluster(page)
  await expect.poll(() => podIcons(page, 'Ready').count()).toBe(3)
})
