/**
 * Kills of a real browser while a page writes: after each restart every acknowledged write is there, whole, and the
 * store takes the next write.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startBrowser } from '../../playwright/host-browser'
import { startHostSite } from '../../playwright/host-site'
import type { Connection } from '../../src/hosts/page/connect'
import { chanceOf } from '../robustness/chance'

declare global {
  interface Window {
    connection: Promise<Connection>
    api(path: string, init?: RequestInit): Promise<Response>
    acknowledge(write: string): void
    writeOn(path: string, names: string): Promise<never>
  }
}

const CONFIG_MAPS = 'api/v1/namespaces/default/configmaps'
const WRITERS = 4
/** The longest that a page writes before its browser is killed, in milliseconds. */
const LONGEST = 1500

export interface BrowserKills {
  kills: number
  acknowledged: number
  /** Stored, though the page was killed before it could report that. */
  unanswered: number
}

/**
 * @param reported after each kill
 * @throws Error that reports what was lost or halved
 */
export async function killBrowsers(
  kills: number,
  seed: number,
  reported: (done: number) => void = () => undefined,
): Promise<BrowserKills> {
  const site = await startHostSite()
  const profile = mkdtempSync(join(tmpdir(), 'kubetab-durability-'))
  const acknowledged = new Set<string>()
  let unanswered = 0
  try {
    for (let life = 0; life <= kills; life++) {
      const chance = chanceOf(seed, 'browser', life)
      const browser = await startBrowser(profile)
      try {
        const page = await browser.context.newPage()
        await page.exposeFunction('acknowledge', (write: string) => void acknowledged.add(write))
        await page.goto(site.url)
        unanswered += await expectThere(page, acknowledged, life)
        if (life === kills) break
        const begun = acknowledged.size
        await write(page, life)
        // A browser that has only just come up writes nothing in its first moments.
        for (
          const until = performance.now() + 20_000;
          acknowledged.size === begun && performance.now() < until;
        )
          await pause(10)
        await pause(chance.below(LONGEST))
      } finally {
        await browser.kill()
      }
      reported(life + 1)
    }
  } finally {
    await site.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  return { kills, acknowledged: acknowledged.size, unanswered }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** What the page runs, as text: a loader of sources may put into functions what a page does not have. */
const WRITE = `
window.write = async (path, name) => {
  const data = (version) => ({ first: version, second: version.padEnd(2000, '.') })
  const created = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { made: 'here' } }, data: data('1') }
  const creation = await window.api(path, { method: 'POST', body: JSON.stringify(created) })
  if (creation.status === 201) window.acknowledge(name + ' 1')
  const headers = { 'content-type': 'application/merge-patch+json' }
  const change = await window.api(path + '/' + name, { method: 'PATCH', headers, body: JSON.stringify({ data: data('2') }) })
  if (change.status === 200) window.acknowledge(name + ' 2')
}
window.writeOn = async (path, names) => {
  for (let i = 0; ; i++) await window.write(path, names + i)
}`

/** Begins to create objects, several at a time, and to change each of them once. */
async function write(page: Page, life: number): Promise<void> {
  await page.evaluate(WRITE)
  for (let writer = 0; writer < WRITERS; writer++) {
    await page.evaluate(([path, names]) => void window.writeOn(path, names), [
      CONFIG_MAPS,
      `w-${life}-${writer}-`,
    ] as const)
  }
}

/** @returns the number of stored writes without a response */
async function expectThere(
  page: Page,
  acknowledged: ReadonlySet<string>,
  life: number,
): Promise<number> {
  const { status, items, damaged } = await page.evaluate(async (path) => {
    const response = await window.api(`${path}?labelSelector=made%3Dhere`)
    const list = (await response.json()) as {
      items?: { metadata: { name: string }; data: { first: string; second: string } }[]
    }
    const { channel } = await window.connection
    return {
      status: response.status,
      items: list.items ?? [],
      damaged: (await channel.request('status', undefined)).damaged,
    }
  }, CONFIG_MAPS)
  if (status !== 200) throw new Error(`life ${life}: the store was not opened (${status})`)
  if (damaged.length > 0) throw new Error(`life ${life}: damaged records ${damaged.join()}`)
  const there = new Map(items.map(({ metadata, data }) => [metadata.name, data]))
  for (const [name, { first, second }] of there) {
    if (first !== second.replaceAll('.', ''))
      throw new Error(`life ${life}: half of a write of ${name} is there`)
  }
  for (const written of acknowledged) {
    const [name = '', version = ''] = written.split(' ')
    const found = there.get(name)?.first
    if (found === undefined || found < version)
      throw new Error(
        `life ${life}: ${written} was acknowledged, but ${found ?? 'nothing'} is there`,
      )
  }
  return [...there].filter(([name, { first }]) => !acknowledged.has(`${name} ${first}`)).length
}
