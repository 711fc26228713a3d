/** One run of the soak test in a browser that is there. */
import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import type { RunningBrowser } from '../../playwright/host-browser'
import { seededRandom } from '../../src/engine/core/environment'
import { bytesBelow, pageFigures, residentBytes, stopWorkers, WorkerProbe } from './measure'
import type { Minute, Result } from './report'
import type { WriteOrder } from './types'
import { endProblems, History, Seen } from './verdict'
import { WATCHERS } from './watchers'
import { preparations, Writer } from './writes'

const WRITES_PER_SECOND = 10
const MOST_IN_FLIGHT = 30
const GATHER_MILLISECONDS = 5_000
const MINUTE = 60_000
/** Minutes that a worker lives before it is stopped, one life after the other: short ones, and some in which growth would show. */
const LIVES = [2, 3, 5, 15, 4, 25]
/** At most so long everything may take to come to rest at the end. */
const SETTLE_MILLISECONDS = 120_000
const PAGE_WATCH = 'page:'

export interface SoakOptions {
  browser: RunningBrowser
  /** The browser's folder. */
  profile: string
  /** Where the page is served; ends with `/`. */
  url: string
  /** Text of the script that listens in the page. */
  script: string
  seed: number
  /** How fast the cluster's time runs. */
  rate: number
  log(line: string): void
  /** What was found so far, each minute: of a run that is broken off something is left. */
  keep(result: Result): void
}

/** A tab, and the way to look into it. */
interface Tab {
  page: Page
  session: CDPSession
}

export class Soak {
  private readonly history = new History()
  private readonly seen = new Map<string, Seen>()
  private readonly minutes: Minute[] = []
  private readonly problems: string[] = []
  private readonly writer: Writer
  private readonly begun = Date.now()
  private inFlight = 0
  private skipped = 0
  private stops = 0
  private hidden = 0

  private constructor(
    private readonly options: SoakOptions,
    private readonly page: Tab,
    /** The first tab writes and checks, both watch. */
    private readonly tabs: readonly [Tab, Tab],
    private readonly probe: WorkerProbe,
  ) {
    this.writer = new Writer(chanceOf(options.seed), () => Date.now() - this.begun)
  }

  /** Opens the tabs, prepares the cluster and starts the watchers. */
  static async begin(options: SoakOptions): Promise<Soak> {
    const { context } = options.browser
    const page = await tabOf(await context.newPage(), async (tab) => {
      await tab.addInitScript(`${options.script}\nwindow.soak.listen()`)
      await tab.goto(options.url)
      await tab.getByRole('treeitem', { name: /^Namespaces \d/ }).waitFor({ timeout: MINUTE })
    })
    const open = async () =>
      tabOf(await context.newPage(), (tab) => tab.goto(`${options.url}soak.html`))
    const browser = context.browser()
    if (browser === null) throw new Error('the browser is gone')
    const soak = new Soak(
      options,
      page,
      [await open(), await open()],
      await WorkerProbe.of(browser),
    )
    await page.page.bringToFront()
    await soak.prepare()
    return soak
  }

  private async prepare(): Promise<void> {
    const { rate } = this.options
    if (rate !== 1)
      await this.tabs[0].page.evaluate(
        (wanted) => window.soak.sendRequest('steer', { rate: wanted }),
        rate,
      )
    for (const order of preparations()) {
      const { status, message } = await this.send(order)
      if (status >= 300) throw new Error(`${order.path} returned ${status}: ${message}`)
    }
    for (const [index, { id, path, query, concern }] of WATCHERS.entries()) {
      this.seen.set(id, new Seen(id, concern, true))
      const tab = this.tabs[index % 2 === 0 ? 0 : 1]
      await tab.page.evaluate(([own, at, rest]) => window.soak.follow(own, at, rest), [
        id,
        path,
        query ?? '',
      ] as const)
    }
    await this.gather()
  }

  private readonly send = (order: WriteOrder) =>
    this.tabs[0].page.evaluate((requested) => window.soak.write(requested), order)

  async run(minutes: number): Promise<Result> {
    const end = Date.now() + minutes * MINUTE
    const going = [
      this.write(end),
      this.everySoOften(end, GATHER_MILLISECONDS, () => this.gather()),
      this.sleepAndWake(end),
      this.hideAndShow(end),
    ]
    await this.measure()
    await this.everySoOften(end, Math.min(MINUTE, (minutes * MINUTE) / 4), () => this.measure())
    await Promise.all(going)
    return this.evaluate(minutes)
  }

  private async everySoOften(
    end: number,
    milliseconds: number,
    work: () => Promise<void>,
  ): Promise<void> {
    for (let next = Date.now() + milliseconds; next <= end; next += milliseconds) {
      await pause(Math.max(0, next - Date.now()))
      await work()
    }
  }

  private async write(end: number): Promise<void> {
    const going = new Set<Promise<void>>()
    await this.everySoOften(end, 1000 / WRITES_PER_SECOND, async () => {
      if (this.inFlight >= MOST_IN_FLIGHT) {
        this.skipped++
        return
      }
      this.inFlight++
      const one = this.writer.write(this.send).finally(() => {
        this.inFlight--
        going.delete(one)
      })
      going.add(one)
    })
    await Promise.all(going)
  }

  private async sleepAndWake(end: number): Promise<void> {
    for (let life = 0; ; life++) {
      const minutes = LIVES[life % LIVES.length] as number
      // A short run has its nap as well.
      const next = Math.min(
        minutes * MINUTE,
        life === 0 ? (end - this.begun) / 2 : Number.POSITIVE_INFINITY,
      )
      if (Date.now() + next > end - 10_000) return
      await pause(next)
      await stopWorkers(this.tabs[0].page)
      this.stops++
    }
  }

  /** The page lies behind another tab half of the time. */
  private async hideAndShow(end: number): Promise<void> {
    const half = Math.min(3 * MINUTE, (end - Date.now()) / 4)
    for (let turn = 0; Date.now() + half < end; turn++) {
      await pause(half)
      const front = turn % 2 === 0 ? this.tabs[1] : this.page
      await front.page.bringToFront()
      if (await this.page.page.evaluate(() => document.visibilityState === 'hidden')) this.hidden++
    }
  }

  /** Fetches what was seen and what became of the store. */
  private async gather(): Promise<void> {
    const [requesting] = this.tabs
    for (const { page } of [this.page, ...this.tabs])
      for (const watched of await page.evaluate(() => window.soak.drain())) {
        const { id, path } = watched
        const known = this.seen.get(id) ?? new Seen(id, { kind: await this.kindOf(path) }, false)
        this.seen.set(id, known)
        known.add(watched)
      }
    this.history.add(
      await requesting.page.evaluate(
        (after) => window.soak.sendRequest('timeline', { after }),
        this.history.newest,
      ),
    )
  }

  private async kindOf(path: string): Promise<string> {
    return (await this.tabs[0].page.evaluate((requested) => window.soak.list(requested), path)).kind
  }

  private async measure(): Promise<void> {
    const [requesting, other] = this.tabs
    const context = requesting.page.context()
    const status = await requesting.page.evaluate(() =>
      window.soak.sendRequest('status', undefined),
    )
    const stored = await requesting.page.evaluate(() => window.soak.stored())
    const page = await pageFigures(this.page.session)
    const [tabA, tabB] = [await pageFigures(requesting.session), await pageFigures(other.session)]
    const browser = context.browser()
    const minute: Minute = {
      minute: (Date.now() - this.begun) / MINUTE,
      page,
      tabs: tabA.heap + tabB.heap,
      worker: await this.probe.heap(),
      life: this.stops,
      openWatches: await requesting.page.evaluate(() => window.soak.openWatches()),
      objects: status.objects,
      revision: status.revision,
      history: status.revision - status.compactRevision,
      rows: stored.rows,
      requests: stored.requests,
      computed: stored.bytes,
      onDisk: bytesBelow(`${this.options.profile}/Default/IndexedDB`),
      resident: browser ? await residentBytes(browser) : undefined,
      acknowledged: this.writer.acknowledged.length,
      received: [...this.seen.values()].reduce((sum, { events }) => sum + events, 0),
      visibility: await this.page.page.evaluate(() => document.visibilityState),
    }
    this.minutes.push(minute)
    this.options.log(lineOf(minute))
    const problems = [...this.watchProblems(), ...this.writer.problems]
    for (const problem of problems) this.options.log(`  ${problem}`)
    this.options.keep(this.result(minute.minute, problems))
  }

  private watchProblems(last?: number): string[] {
    return [...this.seen.values()].flatMap((seen) => seen.problems(this.history, last))
  }

  private async evaluate(minutes: number): Promise<Result> {
    const last = await this.settled()
    const [requesting] = this.tabs
    for (const { id, path, query = '' } of WATCHERS) {
      const { objects } = await requesting.page.evaluate(
        ([at, rest]) => window.soak.list(at, rest),
        [path, query] as const,
      )
      const seen = this.seen.get(id)
      if (seen) this.problems.push(...endProblems(seen, objects, last))
    }
    this.problems.push(
      ...this.watchProblems(last),
      ...this.history.missing(this.writer.acknowledged),
      ...this.writer.problems,
    )
    return { ...this.result(minutes, this.problems), finished: true }
  }

  private result(minutes: number, problems: string[]): Result {
    const all = [...this.seen.values()]
    return {
      minutes,
      seed: this.options.seed,
      rate: this.options.rate,
      finished: false,
      stops: this.stops,
      hidden: this.hidden,
      watchers: WATCHERS.length,
      pageWatches: all.filter(({ id }) => id.startsWith(PAGE_WATCH)).length,
      writes: this.writer.acknowledged.length,
      repeated: this.writer.repeated,
      skipped: this.skipped,
      slowest: this.writer.slowest,
      changes: this.history.count,
      received: all.reduce((sum, { events }) => sum + events, 0),
      connections: all.reduce((sum, { connections }) => sum + connections.size, 0),
      problems,
      measured: this.minutes,
    }
  }

  /** Waits until nothing more is written and the watchers have had the time to hear of it. @returns the last revision that counts */
  private async settled(): Promise<number> {
    const end = Date.now() + SETTLE_MILLISECONDS
    let last = -1
    while (Date.now() < end && last !== this.history.newest) {
      last = this.history.newest
      await pause(GATHER_MILLISECONDS)
      await this.gather()
    }
    // Where nodes and controllers never rest, what is counted ends a while ago.
    const counted = this.history.newest
    await pause(GATHER_MILLISECONDS)
    await this.gather()
    return counted
  }
}

async function tabOf(page: Page, open: (page: Page) => Promise<unknown>): Promise<Tab> {
  await open(page)
  const session = await page.context().newCDPSession(page)
  return { page, session }
}

/** Numbers from 0 up to 1, the same for the same seed. */
function chanceOf(seed: number): () => number {
  const random = seededRandom(seed)
  return () => new DataView(random.bytes(new Uint8Array(4)).buffer).getUint32(0) / 2 ** 32
}

const megabytes = (bytes: number | undefined): string =>
  bytes === undefined ? '?' : `${(bytes / 1e6).toFixed(1)} MB`

function lineOf(minute: Minute): string {
  const {
    page,
    tabs,
    worker,
    objects,
    rows,
    openWatches,
    acknowledged,
    received,
    computed,
    onDisk,
    resident,
    visibility,
  } = minute
  return [
    `${minute.minute.toFixed(1)} min`,
    `page ${megabytes(page.heap)} (${page.nodes} nodes, ${page.listeners} listeners, ${visibility})`,
    `tabs ${megabytes(tabs)}`,
    `worker ${megabytes(worker)} (life ${minute.life})`,
    `${openWatches} watches`,
    `${objects} objects, ${rows} rows, ${megabytes(computed)} estimated, ${megabytes(onDisk)} on disk`,
    `resident ${megabytes(resident)}`,
    `${acknowledged} writes, ${received} events`,
  ].join(' · ')
}
