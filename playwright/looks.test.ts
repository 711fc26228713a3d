/** Pictures of the page at three widths and in both themes, to be looked at; and nothing sticks out at any width. */
import { expect, it } from 'vitest'
import { storyBrowser } from './harness'

const { open } = storyBrowser()

const SIZES = [
  { width: 360, height: 740 },
  { width: 820, height: 1100 },
  { width: 1440, height: 900 },
]

for (const { width, height } of SIZES) {
  for (const theme of ['light', 'dark'] as const) {
    it(`fits ${width} pixels, ${theme}`, async () => {
      const { page, screenshot } = await open({ width, height, theme })
      await page.locator('.monaco-editor').waitFor()
      await screenshot(`${width} ${theme} welcome`)
      await page.getByRole('button', { name: /Run the sample/ }).click()
      if (width < 768) {
        // In a one-pane layout, the result is shown.
        await page.getByText('service/web').waitFor()
        await screenshot(`${width} ${theme} results`)
        await page
          .getByRole('navigation', { name: 'Panes' })
          .getByRole('button', { name: 'Object' })
          .click()
      }
      await page
        .getByRole('complementary', { name: 'Object' })
        .getByText('Deployment')
        .first()
        .waitFor()
      await screenshot(`${width} ${theme} applied`)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow).toBe(0)
      if (width === 820) {
        // Truncated names are shown in full on hover.
        const managers = page.locator('.fold .cut', { hasText: 'kube-controller-manager' })
        await managers.hover()
        expect(await managers.getAttribute('title')).toBe(await managers.textContent())
      }
    })
  }
}

it('keeps the editor readable where colors are forced', async () => {
  const { page } = await open({ width: 820, height: 1100 })
  await page.emulateMedia({ forcedColors: 'active' })
  await page.reload()
  const word = page.locator('.monaco-editor .view-line span span').first()
  await word.waitFor()
  const ground = await page
    .locator('.monaco-editor')
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await word.evaluate((element) => getComputedStyle(element).color)).not.toBe(ground)
})

it('brings the file into sight that was opened last, where there is no room for all', async () => {
  const { page } = await open({ width: 1440, height: 900 })
  await page.locator('.monaco-editor').waitFor()
  for (let opened = 0; opened < 4; opened++) {
    await page.getByRole('button', { name: 'New file' }).click()
    await page.getByRole('menuitem', { name: /^New manifest/ }).click()
  }
  const tabs = page.getByRole('tablist', { name: 'Open files' })
  expect(await tabs.getByRole('tab').count()).toBe(5)
  const [chosen, list] = await Promise.all([
    tabs.getByRole('tab', { selected: true }).boundingBox(),
    tabs.boundingBox(),
  ])
  const end = (box: typeof list) => (box?.x ?? 0) + (box?.width ?? 0)
  expect(end(chosen)).toBeLessThanOrEqual(end(list))
  expect(chosen?.x).toBeGreaterThanOrEqual(list?.x ?? 0)
})
