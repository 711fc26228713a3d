/** How objects are: in the explorer, in the results and next to the manifest. */
import { expect, it } from 'vitest'
import { running, storyBrowser } from './harness'

const { open } = storyBrowser()

it('shows a rollout in the list, in the results and next to the manifest', async () => {
  const { page, screenshot } = await open({ width: 1440, height: 900 })
  await running(page)
  await page.getByRole('button', { name: /Run the sample/ }).click()
  const row = page.getByRole('treeitem', { name: /^web default .*3\/3 ready/ }).first()
  await row.waitFor()
  const ready = page.getByRole('treeitem', { name: /1\/1 Running/ })
  await expect.poll(() => ready.count()).toBe(3)
  await page.getByRole('region', { name: 'Results' }).getByText('3/3 ready').waitFor()
  await page.locator('.editor-health.is-Current', { hasText: /3\/3.ready/ }).waitFor()

  const { keyboard } = page
  await page.locator('.monaco-editor .view-line', { hasText: 'image:' }).first().click()
  await keyboard.press('End')
  for (const _ of '1.27') await keyboard.press('Backspace')
  await keyboard.type('missing')
  await keyboard.press('Control+Enter')
  await page.getByRole('treeitem', { name: /0\/1 (ErrImagePull|ImagePullBackOff)/ }).waitFor()
  await row.locator('.health.is-InProgress').waitFor()
  await keyboard.press('Control+Home')
  await page.locator('.editor-health.is-InProgress', { hasText: /3\/3.ready/ }).waitFor()
  await screenshot('health of a rollout')
})

it('flashes a change, and not without motion', async () => {
  const { page } = await open({ width: 1440, height: 900, reducedMotion: false, ownContext: true })
  await running(page)
  await page.getByRole('button', { name: /Run the sample/ }).click()
  const flashes = page.locator('.tree-row .flash')
  await flashes.first().waitFor()
  const animations = () =>
    page.evaluate(
      () =>
        document
          .getAnimations()
          .filter((one) => 'animationName' in one && one.animationName === 'flash').length,
    )
  expect(await animations()).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await animations()).toBe(0)
})
