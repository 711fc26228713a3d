/**
 * Kills while something is being written: so many of a process on IndexedDB as it is simulated in Node, so many of a real browser.
 *
 *   npm run durability -- [--kills 1000] [--browser 50] [--seed 1]
 */
import 'fake-indexeddb/auto'
import { parseArgs } from 'node:util'
import { killBrowsers } from './browser-kills'
import { LIVES, live } from './lives'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '1000' },
      browser: { type: 'string', default: '50' },
      seed: { type: 'string', default: '1' },
    },
  })
  const seed = Number(values.seed)
  const totals = { kills: 0, acknowledged: 0, unanswered: 0, found: 0 }
  for (let next = seed; totals.kills < Number(values.kills); next++) {
    const counted = await live(next, Math.min(LIVES, Number(values.kills) - totals.kills))
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += counted[name]
  }
  const { kills, acknowledged, unanswered, found } = totals
  console.log(
    `${kills} deaths in the middle of transactions: all of ${acknowledged} acknowledged writes are there; of ${unanswered} unanswered ones ${found} are`,
  )
  if (values.browser === '0') return
  const browsers = await killBrowsers(Number(values.browser), seed, (done) => {
    if (done % 10 === 0) console.log(`${done} browsers killed`)
  })
  console.log(
    `${browsers.kills} kills of the browser: all of ${browsers.acknowledged} acknowledged writes are there, and ${browsers.unanswered} that nobody was told of`,
  )
}

void main()
