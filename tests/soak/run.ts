/**
 * The soak test: the built page in Chromium with all controllers, twenty watchers in other tabs next to the page's own, ten writes a
 * second, the service worker stopped again and again, the page hidden and shown. Each minute memory, handles and the stored size are
 * measured; at the end everything that every watcher saw is compared with the store's own history.
 *
 *   npm run soak                                two hours
 *   npm run soak -- --minutes=1                 a short form
 *   npm run soak -- --rate=10                   the cluster's time runs so much faster: what takes an hour, as events do to go, is seen in minutes
 *   npm run soak -- --json=soak.json --markdown=soak.md
 *
 * Ends with 1 if a watcher missed something, or a write was lost.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type RunningBrowser, startBrowser } from '../../playwright/host-browser'
import { asMarkdown, type Result } from './report'
import { SCRIPT_FILE, serveSoak } from './site'
import { Soak } from './soak'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    rate: { type: 'string', default: '1' },
    json: { type: 'string', default: '.cache/soak.json' },
    markdown: { type: 'string', default: '.cache/soak.md' },
  },
})

function keep(found: Result): void {
  writeFileSync(options.json, JSON.stringify(found, undefined, 1))
  writeFileSync(options.markdown, asMarkdown(found))
}

const minutes = Number(options.minutes)
if (!(minutes > 0)) throw new Error('--minutes has to be a number above 0')
const site = await serveSoak()
const profile = mkdtempSync(join(tmpdir(), 'kubetab-soak-'))
let browser: RunningBrowser | undefined
let result: Result
try {
  browser = await startBrowser(profile, [], true)
  const script = readFileSync(SCRIPT_FILE, 'utf8')
  const soak = await Soak.begin({
    browser,
    profile,
    url: site.url,
    script,
    seed: Number(options.seed),
    rate: Number(options.rate),
    log: (line) => console.log(line),
    keep,
  })
  result = await soak.run(minutes)
} finally {
  await browser?.kill()
  await site.close()
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
}
keep(result)
console.log(asMarkdown(result))
process.exitCode = result.problems.length === 0 ? 0 : 1
