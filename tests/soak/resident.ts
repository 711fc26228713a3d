/**
 * How the browser's processes grow under watches and writes while no one records what its tabs fetch. Who drives tabs over the debugging
 * protocol as usual, as the soak test does, has the browser keep every response for its inspector: `--recorded` shows what that takes.
 *
 *   npm run soak:resident -- [--minutes 10] [--recorded]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import puppeteer, { type CDPSession } from 'puppeteer-core'
import { QUIET } from '../../playwright/browser-flags'
import { requireChromium } from '../../scripts/find-chromium'
import { serveSoak } from './site'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    recorded: { type: 'boolean', default: false },
  },
})
/** Memory that is a process's own, not shared with others or with files: MiB by kind of process, the largest first. */
async function ownMemory(session: CDPSession): Promise<string> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const sizes = processInfo.map(({ id, type }) => {
    const [, kibibytes = '0'] =
      /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? []
    return { type: type.replace(/^.*\./, ''), mebibytes: Math.round(Number(kibibytes) / 1024) }
  })
  sizes.sort((a, b) => b.mebibytes - a.mebibytes)
  return sizes.map(({ type, mebibytes }) => `${type} ${mebibytes}`).join(', ')
}

const site = await serveSoak()
const userDataDir = mkdtempSync(join(tmpdir(), 'kubetab-resident-'))
const browser = await puppeteer.launch({
  executablePath: requireChromium(),
  headless: true,
  networkEnabled: options.recorded,
  userDataDir,
  args: [...QUIET, '--no-sandbox', '--site-per-process'],
})
try {
  const session = await browser.target().createCDPSession()
  const page = await browser.newPage()
  await page.goto(site.url)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const tab = await browser.newPage()
  await tab.goto(`${site.url}load.html`)
  for (let minute = 0; minute <= Number(options.minutes); minute++) {
    console.log(`minute ${minute}: MiB of ${await ownMemory(session)}; ${await tab.title()}`)
    await new Promise((resolve) => setTimeout(resolve, 60_000))
  }
} finally {
  await browser.close()
  await site.close()
  rmSync(userDataDir, { recursive: true, force: true, maxRetries: 5 })
}
