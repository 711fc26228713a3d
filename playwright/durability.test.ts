/** The short form of `npm run durability` in a real browser. */
import { expect, it } from 'vitest'
import { killBrowsers } from '../tests/durability/browser-kills'

it('two kills of the browser while a page writes lose nothing that the page was told of', async () => {
  const { kills, acknowledged } = await killBrowsers(2, 7)
  expect(kills).toBe(2)
  expect(acknowledged).toBeGreaterThan(2)
})
