/** How much of the page has to arrive before it can be drawn: its document, its styles, its first script and all that this needs at once. */
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pageUrl } from './harness'

/** Compressed, as a web server would send it. */
const MOST_KILOBYTES = { script: 150, everything: 170 }

const text = async (url: string): Promise<string> => (await fetch(url)).text()
const kilobytes = (texts: Iterable<string>): number => [...texts].reduce((sum, one) => sum + gzipSync(one).length, 0) / 1024

/** The scripts that are loaded before any of the page's code runs: what is imported on demand comes later. */
async function firstScripts(document: string, at: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const follow = async (url: string): Promise<void> => {
    if (found.has(url)) return
    found.set(url, '')
    const script = await text(url)
    found.set(url, script)
    const imported = [...script.matchAll(/(?:\bfrom|\bimport)\s*"(\.\/[^"]+\.js)"/g)].map(([, path]) => new URL(path as string, url).href)
    await Promise.all(imported.map(follow))
  }
  await Promise.all([...document.matchAll(/<script[^>]*\ssrc="([^"]+)"/g)].map(([, path]) => follow(new URL(path as string, at).href)))
  return found
}

it('is drawn with what is needed for the first screen alone', async () => {
  const at = pageUrl()
  const document = await text(at)
  const scripts = await firstScripts(document, at)
  const styles = [...document.matchAll(/<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"/g)].map(
    ([, path]) => new URL(path as string, at).href,
  )
  const script = kilobytes(scripts.values())
  // The page's code is in there, or something else was weighed.
  expect([...scripts.values()].some((one) => one.includes('Search or run a command'))).toBe(true)
  expect(styles.length).toBeGreaterThan(0)
  expect(script).toBeLessThan(MOST_KILOBYTES.script)
  expect(script + kilobytes([document]) + kilobytes(await Promise.all(styles.map(text)))).toBeLessThan(MOST_KILOBYTES.everything)
})
