/** The short form of `npm run durability` in a real browser. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { killBrowsers } from '../tests/durability/browser-kills'
import { leaveStump } from '../tests/durability/log-stump'
import { startBrowser } from './host-browser'
import { startHostSite } from './host-site'

declare global {
  interface Window {
    api(path: string, init?: RequestInit): Promise<Response>
  }
}

it('two kills of the browser while a page writes lose no acknowledged write', async () => {
  const { kills, acknowledged } = await killBrowsers(2, 7)
  expect(kills).toBe(2)
  expect(acknowledged).toBeGreaterThan(2)
})

/** Chromium puts an old log away by a task of its lowest priority, which on a busy machine comes late. @returns whether it came to be so */
async function waitFor(isSo: () => boolean): Promise<boolean> {
  for (const end = Date.now() + 120_000; Date.now() < end && !isSo(); ) await sleep(100)
  return isSo()
}

it('a log that ends in the middle of an entry costs nothing that was written before or is written after', async () => {
  const site = await startHostSite()
  const profile = mkdtempSync(join(tmpdir(), 'kubetab-stump-'))
  /**
   * Opens the page, writes an object, kills the browser.
   * @param beforeKill runs before the kill
   * @returns the objects before it
   */
  const live = async (name: string, beforeKill = async () => {}): Promise<string[]> => {
    const browser = await startBrowser(profile)
    try {
      const page = await browser.context.newPage()
      await page.goto(site.url)
      const there = await page.evaluate(async (own) => {
        const path = 'api/v1/namespaces/default/configmaps'
        const listed = await window.api(`${path}?labelSelector=kept`)
        const { items } = (await listed.json()) as { items: { metadata: { name: string } }[] }
        const body = JSON.stringify({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: own, labels: { kept: 'here' } },
        })
        const { status } = await window.api(path, { method: 'POST', body })
        if (status !== 201) throw new Error(`${own} was not created: ${status}`)
        return items.map(({ metadata }) => metadata.name)
      }, name)
      await beforeKill()
      return there
    } finally {
      await browser.kill()
    }
  }
  try {
    expect(await live('first')).toEqual([])
    // The truncated entry is not needed: another write follows the asserted one.
    expect(await live('second')).toEqual(['first'])
    const cut = leaveStump(profile)
    const isPutAway = async () => {
      const gone = await waitFor(() => !existsSync(cut))
      expect(
        gone,
        `${cut} is still there; the log of the database:\n${readFileSync(join(cut, '../LOG'), 'utf8')}`,
      ).toBe(true)
    }
    expect(await live('third', isPutAway)).toContain('first')
    expect(await live('fourth')).toEqual(expect.arrayContaining(['first', 'third']))
  } finally {
    await site.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}, 240_000)
