/**
 * How quick the page is when it is full: 10,000 objects, 50 events a second, and someone who works meanwhile. Interactions are real
 * input; their time is from the key or button to the next picture, as the browser itself measures it (Event Timing). What the page's
 * thread used of the processor is printed too: a busy machine changes that little. Then the load continues for minutes, while the
 * script measures the heaps.
 *
 *   npm run bench:page -- [--objects 10000] [--rate 50] [--minutes 1] [--times 20]
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { requireChromium } from '../../scripts/find-chromium'
import { servePage } from '../../scripts/serve-page'
import './page-window'
import { heap, metric, workerHeap } from './page-heap'

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '50' },
    minutes: { type: 'string', default: '1' },
    times: { type: 'string', default: '20' },
  },
})
const [objects, rate, minutes, times] = [
  values.objects,
  values.rate,
  values.minutes,
  values.times,
].map(Number) as [number, number, number, number]
const NAMESPACES = 20

interface FirstPaint {
  milliseconds: number
  kilobytes: number
}

/** A first visit: when something is seen, and what was fetched until then, compressed as a web server would. */
async function firstPaint(context: BrowserContext, url: string): Promise<FirstPaint> {
  const page = await context.newPage()
  const bodies = new Map<string, Promise<Buffer>>()
  page.on('response', (response) => {
    if (response.ok() && !response.fromServiceWorker())
      bodies.set(
        response.url(),
        response.body().catch(() => Buffer.alloc(0)),
      )
  })
  await page.goto(url, { waitUntil: 'load' })
  const { paint, fetched } = await page.evaluate(async () => {
    const [first] = await new Promise<PerformanceEntry[]>((resolve) => {
      new PerformanceObserver((list) =>
        resolve(list.getEntriesByName('first-contentful-paint')),
      ).observe({ type: 'paint', buffered: true })
    })
    const paint = first?.startTime ?? 0
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return {
      paint,
      fetched: resources
        .filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= paint)
        .map(({ name }) => name),
    }
  })
  const sizes = await Promise.all(
    [page.url(), ...fetched].map(
      async (name) => gzipSync((await bodies.get(name)) ?? Buffer.alloc(0)).length,
    ),
  )
  await page.close()
  return { milliseconds: paint, kilobytes: sizes.reduce((sum, size) => sum + size, 0) / 1024 }
}

/** Through the API, as everything. */
async function fill(page: Page, count: number): Promise<void> {
  await page.evaluate(
    async ({ count, namespaces }) => {
      const headers = { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' }
      const post = (path: string, body: object) =>
        fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }).then((received) =>
          received.text(),
        )
      for (let at = 0; at < namespaces; at++)
        await post('api/v1/namespaces', { metadata: { name: `team-${at}` } })
      let next = 0
      const work = async () => {
        while (next < count) {
          const at = next++
          await post(`api/v1/namespaces/team-${at % namespaces}/configmaps`, {
            metadata: { name: `settings-${at}`, labels: { app: `app-${at % 50}` } },
            data: { value: 'x'.repeat(200) },
          })
        }
      }
      await Promise.all(Array.from({ length: 16 }, work))
    },
    { count, namespaces: NAMESPACES },
  )
}

/** Changes objects at the rate, for as long as the page lives. What the sending costs is counted in: it runs in the same page. */
async function stream(page: Page): Promise<void> {
  await page.evaluate(
    ({ rate, count, namespaces }) => {
      const headers = {
        Authorization: 'Bearer admin-token',
        'Content-Type': 'application/merge-patch+json',
      }
      let at = 0
      const started = performance.now()
      const seen = window
      const MOST_UNANSWERED = 50
      let unanswered = 0
      seen.sent = 0
      seen.leftOut = 0
      setInterval(() => {
        const due = Math.floor(((performance.now() - started) / 1000) * rate)
        // A server that cannot follow is not to drown in questions: what is late then is not sent at all.
        for (let burst = 0; seen.sent < due && burst < 10; burst++) {
          seen.sent++
          if (unanswered >= MOST_UNANSWERED) {
            seen.leftOut++
            continue
          }
          unanswered++
          const which = at++ % Math.min(count, 500)
          void fetch(`api/v1/namespaces/team-${which % namespaces}/configmaps/settings-${which}`, {
            method: 'PATCH',
            headers,
            body: JSON.stringify({ data: { value: String(at) } }),
          })
            .then((received) => received.text())
            .finally(() => unanswered--)
        }
      }, 1000 / rate)
    },
    { rate, count: objects, namespaces: NAMESPACES },
  )
}

/** Notes every interaction of the page from now on. */
async function observe(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = window
    seen.interactions = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEventTiming & {
        interactionId: number
      })[])
        if (entry.interactionId)
          seen.interactions.push({ id: entry.interactionId, duration: entry.duration })
    }).observe({ type: 'event', buffered: false, durationThreshold: 16 } as PerformanceObserverInit)
  })
}

/** The shortest duration that Event Timing reports. Shorter interactions count as this. */
const SHORTEST = 16

/** Does it so many times. @returns milliseconds to the next paint of each */
async function measured(
  page: Page,
  act: (at: number) => Promise<void>,
  between: () => Promise<void> = async () => undefined,
): Promise<number[]> {
  const durations: number[] = []
  for (let at = 0; at < times; at++) {
    await page.evaluate(() => {
      window.interactions = []
    })
    await act(at)
    await page.waitForTimeout(150)
    const seen = await page.evaluate(() => window.interactions)
    const longest = new Map<number, number>()
    for (const { id, duration } of seen) longest.set(id, Math.max(duration, longest.get(id) ?? 0))
    durations.push(...(longest.size > 0 ? longest.values() : [SHORTEST]))
    await between()
  }
  return durations
}

/** Scrolling has no interaction of its own: the time between pictures while the wheel turns. */
async function scrolled(page: Page): Promise<number[]> {
  const tree = page.getByRole('tree', { name: 'Objects' })
  await tree.hover()
  await page.evaluate(() => {
    const seen = window
    seen.frameTimes = []
    seen.watching = true
    let last = performance.now()
    const frame = (now: number) => {
      seen.frameTimes.push(now - last)
      last = now
      if (seen.watching) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  for (let turn = 0; turn < times * 2; turn++) {
    await page.mouse.wheel(0, 900)
    await page.waitForTimeout(30)
  }
  return page.evaluate(() => {
    const seen = window
    seen.watching = false
    return seen.frameTimes.slice(1)
  })
}

const quantile = (numbers: readonly number[], part: number): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

async function interactions(page: Page): Promise<Record<string, number[]>> {
  const filter = page.getByRole('searchbox', { name: 'Find objects by name or kind' })
  const tree = page.getByRole('tree', { name: 'Objects' })
  const palette = page.getByRole('combobox', { name: /^Search/ })
  const rows = () => tree.locator('.tree-row.object')
  const result: Record<string, number[]> = {}
  await filter.fill('configmaps')
  await rows().first().waitFor()
  result['open an object'] = await measured(page, async (at) =>
    rows()
      .nth(at % 12)
      .click({ force: true }),
  )
  result['type in the filter'] = await measured(
    page,
    async (at) => filter.pressSequentially(`settings-${at}`, { delay: 60 }),
    async () => filter.fill(''),
  )
  result['switch a tab'] = await measured(page, async (at) =>
    page.locator(`#activity-${['requests', 'watches', 'results'][at % 3]}`).click({ force: true }),
  )
  result['open the palette'] = await measured(
    page,
    async () => page.keyboard.press('Control+k'),
    async () => page.keyboard.press('Escape'),
  )
  await page.keyboard.press('Control+k')
  result['type in the palette'] = await measured(
    page,
    async (at) => palette.pressSequentially(`settings-${at}`, { delay: 60 }),
    async () => palette.fill(''),
  )
  await page.keyboard.press('Escape')
  await filter.fill('configmaps')
  result['scroll the tree (between pictures)'] = await scrolled(page)
  await filter.fill('')
  return result
}

/** No one does anything, and the stream goes on. @returns milliseconds of the processor that the page's thread uses a second, and its longest tasks */
async function underStream(
  page: Page,
  session: CDPSession,
): Promise<{ used: number; long: number[] }> {
  const seconds = 10
  await page.evaluate(() => {
    const seen = window
    seen.long = []
    seen.tasks ??= new PerformanceObserver((list) =>
      seen.long.push(...list.getEntries().map(({ duration }) => duration)),
    )
    seen.tasks.observe({ type: 'longtask' })
  })
  const before = await metric(session, 'TaskDuration')
  await page.waitForTimeout(seconds * 1000)
  const used = ((await metric(session, 'TaskDuration')) - before) / seconds
  return {
    used: used * 1000,
    long: await page.evaluate(() => window.long),
  }
}

const row = (...cells: string[]): void => console.log(`| ${cells.join(' | ')} |`)
const load = (): string =>
  loadavg()
    .map((number) => number.toFixed(1))
    .join(', ')

const server = await servePage()
const browser = await chromium.launch({
  executablePath: requireChromium(),
  headless: true,
  chromiumSandbox: process.getuid?.() !== 0,
})
try {
  console.log(`load averages at the beginning: ${load()}`)
  const paints: FirstPaint[] = []
  for (let visit = 0; visit < 3; visit++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    paints.push(await firstPaint(context, server.url))
    await context.close()
  }
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  // The bundler marks functions with it, which pages do not know.
  await context.addInitScript('globalThis.__name = (of) => of')
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  // Of the thread's own time: what others do on the machine is not counted.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  // For what is not measured one waits as long as it takes: the machine may be busy.
  page.setDefaultTimeout(180_000)
  await page.goto(server.url)
  await page.getByRole('treeitem', { name: /^Namespaces \d/ }).waitFor()
  const heapOfWorker = await workerHeap(browser)
  const empty = [await heap(session), await heapOfWorker()] as const
  const begun = performance.now()
  await fill(page, objects)
  console.log(`${objects} objects made in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  await page.keyboard.press('Control+Shift+E')
  await page.getByRole('dialog').getByLabel('Resource').selectOption({ label: 'configmaps' })
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
  await stream(page)
  await observe(page)
  await page.waitForTimeout(2000)
  const times = await interactions(page)
  console.log(`load averages when everything had been pressed: ${load()}`)
  // Every event is drawn here twice: as a row, and as a sign on the axis of time.
  await page.locator('#activity-watches').click({ force: true })
  const watching = await underStream(page, session)
  const heaps: { page: number; worker: number; nodes: number }[] = []
  const look = async () => {
    const [inPage, worker, nodes] = [
      await heap(session),
      await heapOfWorker(),
      await metric(session, 'Nodes'),
    ]
    heaps.push({ page: inPage, worker, nodes })
    console.log(
      `heap of the page ${inPage.toFixed(1)} MB, of the worker ${worker.toFixed(1)} MB, ${nodes} nodes; load averages ${load()}`,
    )
  }
  await look()
  const until = performance.now() + minutes * 60_000
  const pause = minutes > 5 ? 60_000 : 15_000
  while (performance.now() < until) {
    await page.waitForTimeout(Math.min(pause, until - performance.now()))
    await look()
  }
  const { sent, leftOut } = await page.evaluate(() => {
    const { sent, leftOut } = window
    return { sent, leftOut }
  })
  console.log(
    `${sent - leftOut} changes sent, ${leftOut} left out since the server could not follow; load averages at the end: ${load()}\n`,
  )
  row('what', 'median', '95 %', 'worst', 'n')
  row('---', '---:', '---:', '---:', '---:')
  for (const [what, numbers] of Object.entries(times))
    row(
      what,
      ...[quantile(numbers, 0.5), quantile(numbers, 0.95), Math.max(...numbers)].map(
        (number) => `${number.toFixed(0)} ms`,
      ),
      String(numbers.length),
    )
  console.log('')
  row(
    'first paint, three first visits',
    paints.map(({ milliseconds }) => `${milliseconds.toFixed(0)} ms`).join(', '),
  )
  row(
    'fetched before it, gzip',
    `${Math.max(...paints.map(({ kilobytes }) => kilobytes)).toFixed(0)} KB`,
  )
  row(
    'the page’s thread under the stream',
    `${watching.used.toFixed(0)} ms of processor time a second`,
  )
  row(
    'tasks of more than 50 ms in 10 s of it',
    `${watching.long.length}, the longest ${Math.max(0, ...watching.long).toFixed(0)} ms`,
  )
  row(
    'heap of the page and of the worker, empty',
    empty.map((size) => `${size.toFixed(0)} MB`).join(', '),
  )
  row(
    `heap of the page, full, over ${minutes} min of events`,
    heaps.map((at) => at.page.toFixed(0)).join(', '),
  )
  row('heap of the worker', heaps.map((at) => at.worker.toFixed(0)).join(', '))
  row('nodes of the document', heaps.map((at) => at.nodes).join(', '))
} finally {
  await browser.close()
  await server.close()
}
