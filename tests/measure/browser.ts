/**
 * The cost of the browser: responses of the service worker compared with a worker that does nothing,
 * and the start of an engine from stored data. Prints tables in Markdown.
 *
 *   npm run measure -- --only service-worker,start
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startBrowser } from '../../playwright/host-browser'
import { startHostSite } from '../../playwright/host-site'
import type { Connection } from '../../src/hosts/page/connect'
import { median } from '../support/median'
import { configMap } from './cluster'

declare global {
  interface Window {
    connection: Promise<Connection>
    api(path: string, init?: RequestInit): Promise<Response>
  }
}

const GET = 'api/v1/namespaces/default/configmaps/c-1'
const BATCHES = 30
const REQUESTS = 100
const STARTS = 9

/** Responds to every request with a constant text of the size of a get response. */
const constantWorker = (text: string) => `
const text = ${JSON.stringify(text)}
const headers = { 'content-type': 'application/json' }
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  if (event.request.url.endsWith('/constant')) event.respondWith(new Response(text, { headers }))
})`

const CONSTANT_PAGE = `<!doctype html><title>constant</title><script>
window.ready = navigator.serviceWorker.register('service-worker.js').then(async () => {
  while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20))
})
window.connection = window.ready
window.api = (path, init = {}) => fetch(path, { ...init, headers: { authorization: 'Bearer admin-token', ...init.headers } })
</script>`

const least = (numbers: number[]): number => Math.min(...numbers)
const shown = (milliseconds: number): string => milliseconds.toFixed(milliseconds < 10 ? 2 : 0)

/** Milliseconds of each of so many requests, one after another. */
function timed(page: Page, path: string): Promise<number[]> {
  return page.evaluate(
    async ([target, count]) => {
      const times: number[] = []
      for (let i = 0; i < count; i++) {
        const begun = performance.now()
        const response = await window.api(target)
        await response.text()
        if (response.status !== 200) throw new Error(`${target}: ${response.status}`)
        times.push(performance.now() - begun)
      }
      return times
    },
    [path, REQUESTS] as const,
  )
}

async function compared(engine: Page, constant: Page): Promise<void> {
  const ours: number[] = []
  const theirs: number[] = []
  for (const page of [engine, constant]) await page.evaluate(() => window.connection)
  for (let batch = -3; batch < BATCHES; batch++) {
    // One behind the other, so that both have the same share of what else the machine does.
    const pair = [await timed(engine, GET), await timed(constant, 'constant')] as const
    if (batch < 0) continue
    ours.push(...pair[0])
    theirs.push(...pair[1])
  }
  console.log('| a request of the page, milliseconds | median | best |')
  console.log('|---|---:|---:|')
  console.log(`| a get of a ConfigMap of 1 KB | ${shown(median(ours))} | ${shown(least(ours))} |`)
  console.log(
    `| the same text from a worker that does nothing else | ${shown(median(theirs))} | ${shown(least(theirs))} |`,
  )
  console.log(
    `| difference (goal: 0.3) | ${shown(median(ours) - median(theirs))} | ${shown(least(ours) - least(theirs))} |`,
  )
}

/** Milliseconds from a request to its response when the worker has to be started for it. */
async function starts(page: Page, target = 'api/v1/namespaces/default'): Promise<number[]> {
  const session = await page.context().newCDPSession(page)
  await session.send('ServiceWorker.enable')
  const times: number[] = []
  for (let i = 0; i < STARTS; i++) {
    await session.send('ServiceWorker.stopAllWorkers')
    await page.waitForTimeout(300)
    times.push(
      await page.evaluate(async (path) => {
        const begun = performance.now()
        await (await window.api(path)).text()
        return performance.now() - begun
      }, target),
    )
  }
  await session.detach()
  return times
}

async function stored(page: Page, count: number): Promise<void> {
  const objects = Array.from({ length: count }, (_, i) => ({
    ...configMap(i),
    metadata: { ...configMap(i).metadata, namespace: 'default' },
  }))
  await page.evaluate(async (given) => {
    const { channel } = await window.connection
    await channel.request('import', { objects: given as never })
    await (await fetch('version')).text()
  }, objects)
}

async function started(page: Page, constant: Page): Promise<void> {
  await constant.evaluate(() => window.connection)
  const nothing = await starts(constant, 'constant')
  const few = await starts(page)
  await stored(page, 10_000)
  const many = await starts(page)
  console.log('| first response of an idle worker, milliseconds | median | best |')
  console.log('|---|---:|---:|')
  console.log(
    `| a worker that does nothing else | ${shown(median(nothing))} | ${shown(least(nothing))} |`,
  )
  console.log(`| a fresh cluster | ${shown(median(few))} | ${shown(least(few))} |`)
  console.log(
    `| 10,000 stored ConfigMaps of 1 KB | ${shown(median(many))} | ${shown(least(many))} |`,
  )
  console.log(
    `| what they add (goal: a start in 150) | ${shown(median(many) - median(few))} | ${shown(least(many) - least(few))} |`,
  )
}

async function main(section: string | undefined): Promise<void> {
  const site = await startHostSite({
    'constant/': ['text/html', CONSTANT_PAGE],
    'constant/service-worker.js': ['text/javascript', constantWorker(JSON.stringify(configMap(1)))],
  })
  const profile = mkdtempSync(join(tmpdir(), 'kubetab-measure-'))
  const browser = await startBrowser(profile)
  try {
    const page = await browser.context.newPage()
    await page.goto(site.url)
    await page.evaluate(async (object) => {
      await window.api('api/v1/namespaces/default/configmaps', {
        method: 'POST',
        body: JSON.stringify(object),
      })
    }, configMap(1))
    const constant = await browser.context.newPage()
    await constant.goto(`${site.url}constant/`)
    await (section === 'start' ? started(page, constant) : compared(page, constant))
  } finally {
    await browser.kill()
    await site.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

void main(process.argv[2])
