/** An object in each form that goes over the wire. */
import { expect, it } from 'vitest'
import { running, showPane, storyBrowser, tagsFor } from './harness'

const { open } = storyBrowser()

const SIZES = [
  { width: 1440, height: 900, theme: 'light' },
  { width: 820, height: 1100, theme: 'dark' },
  { width: 360, height: 740, theme: 'light' },
] as const

for (const size of SIZES) {
  it(
    `shows JSON, YAML, annotated Protobuf and the Table (${size.width} pixels)`,
    tagsFor(size),
    async () => {
      const { page, screenshot } = await open(size)
      const phone = size.width < 768
      if (!phone) await running(page)
      await page.getByRole('button', { name: /Run the sample/ }).click()
      if (phone) await showPane(page, 'Activity')
      await page.getByText('service/web').waitFor()
      if (phone) await showPane(page, 'Object')
      const object = page.getByRole('complementary', { name: 'Object' })
      await object.getByRole('tab', { name: 'Wire' }).click()

      const name = object.getByRole('button', { name: '1 name "web"', exact: true }).first()
      await name.focus()
      await expect
        .poll(() => object.locator('.hex-byte.value').allTextContents())
        .toEqual(['77', '65', '62'])
      expect(await object.locator('.hex-byte.tag').allTextContents()).toEqual(['0a', '03'])
      await screenshot(`wire protobuf ${size.width}`)
      await object.locator('.hex-byte').nth(6).hover()
      const pointed = object.getByRole('button', { name: '1 apiVersion "apps/v1"', pressed: true })
      await pointed.waitFor()
      // The object changes while it is shown, and the selected byte remains selected.
      await page.evaluate(() =>
        fetch('/apis/apps/v1/namespaces/default/deployments/web', {
          method: 'PATCH',
          headers: {
            'Content-Type': 'application/merge-patch+json',
            Authorization: 'Bearer admin-token',
          },
          body: '{"metadata":{"annotations":{"seen":"yes"}}}',
        }),
      )
      await object
        .getByRole('button', { name: /"seen"/ })
        .first()
        .waitFor()
      await pointed.waitFor()

      await object.getByRole('button', { name: /^Table/ }).click()
      await object.getByText('Up-to-date').first().waitFor()
      await screenshot(`wire table ${size.width}`)
      await object.getByRole('button', { name: /^JSON/ }).click()
      await object.getByText('"kind": "Deployment"').waitFor()
      await object.getByRole('button', { name: /^YAML/ }).click()
      await object.getByText('application/yaml').nth(1).waitFor()
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow).toBe(0)
    },
  )
}
