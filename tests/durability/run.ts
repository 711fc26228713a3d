/**
 * Kills while something is being written: so many of a process on IndexedDB as it is simulated in Node, so many of a real browser; and so
 * many histories of random clients of several hosts over etcd, or of two tabs, while all of these fail in their ways.
 *
 *   npm run durability -- [--kills 1000] [--browser 50] [--histories 5] [--pages 2] [--seconds 60] [--hosts 2]
 *     [--seed 1]
 */
import 'fake-indexeddb/auto'
import { parseArgs } from 'node:util'
import { hasEtcd, NO_ETCD } from '../../scripts/find-etcd'
import { historyInBrowser } from './browser-history'
import { killBrowsers } from './browser-kills'
import type { Findings } from './clients'
import { historyOverEtcd } from './etcd/history'
import { LIVES, live } from './lives'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '1000' },
      browser: { type: 'string', default: '50' },
      histories: { type: 'string', default: '5' },
      pages: { type: 'string', default: '2' },
      seconds: { type: 'string', default: '60' },
      hosts: { type: 'string', default: '2' },
      seed: { type: 'string', default: '1' },
    },
  })
  const seed = Number(values.seed)
  await killProcesses(Number(values.kills), seed)
  await killAllBrowsers(Number(values.browser), seed)
  const milliseconds = Number(values.seconds) * 1000
  const overEtcd = (own: number) =>
    historyOverEtcd({ seed: own, milliseconds, hosts: Number(values.hosts) })
  const inBrowser = (own: number) =>
    historyInBrowser({ seed: own, milliseconds, clients: 4, calm: 3_000 })
  if (hasEtcd()) await reportHistories('over etcd', seed, Number(values.histories), overEtcd)
  else console.log(NO_ETCD)
  await reportHistories('in two tabs', seed, Number(values.pages), inBrowser)
}

async function killProcesses(wanted: number, seed: number): Promise<void> {
  if (wanted === 0) return
  const totals = { kills: 0, acknowledged: 0, unanswered: 0, found: 0 }
  for (let next = seed; totals.kills < wanted; next++) {
    const counted = await live(next, Math.min(LIVES, wanted - totals.kills))
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += counted[name]
  }
  const { kills, acknowledged, unanswered, found } = totals
  console.log(
    `${kills} deaths in the middle of transactions: all of ${acknowledged} acknowledged writes are there; of ${unanswered} unanswered ones ${found} are`,
  )
}

async function killAllBrowsers(wanted: number, seed: number): Promise<void> {
  if (wanted === 0) return
  const browsers = await killBrowsers(wanted, seed, (done) => {
    if (done % 10 === 0) console.log(`${done} browsers killed`)
  })
  console.log(
    `${browsers.kills} kills of the browser: all of ${browsers.acknowledged} acknowledged writes are there, and ${browsers.unanswered} without an acknowledgement`,
  )
}

async function reportHistories(
  where: string,
  seed: number,
  count: number,
  run: (seed: number) => Promise<Findings>,
): Promise<void> {
  for (let own = seed; own < seed + count; own++) {
    const { faults, counts, failures } = await run(own)
    console.log(`history ${where} of seed ${own}: ${faults.length} faults`, counts, failures)
    for (const fault of faults) console.log(`  ${fault}`)
    if (faults.length > 0) process.exitCode = 1
  }
}

void main()
