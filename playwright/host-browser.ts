/** Chromium as a program that can be killed: started from its profile, driven over its debugging port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { requireChromium } from '../scripts/find-chromium'
import { QUIET } from './browser-flags'

export interface RunningBrowser {
  context: BrowserContext
  /** Ends every process of the browser without a word to it. */
  kill(): Promise<void>
}

const FLAGS = [...QUIET, '--headless', '--no-sandbox', '--remote-debugging-port=0']

/**
 * @param profile folder that outlives the browser
 * @param asIs without the flag that makes automated tabs count as visible all the time
 */
export async function startBrowser(
  profile: string,
  flags: string[] = [],
  asIs = false,
): Promise<RunningBrowser> {
  const program = spawn(
    requireChromium(),
    [...FLAGS, ...flags, `--user-data-dir=${profile}`, 'about:blank'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    },
  )
  const browser: Browser = await chromium.connectOverCDP(await debuggingAddress(program), {
    noDefaults: asIs,
  })
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('the browser has no context')
  return {
    context,
    async kill() {
      if (program.exitCode !== null || program.pid === undefined) return
      const gone = new Promise((resolve) => program.once('exit', resolve))
      process.kill(-program.pid, 'SIGKILL')
      await gone
      await browser.close().catch(() => undefined)
    },
  }
}

function debuggingAddress({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    stderr?.on('data', (chunk) => {
      text += chunk
      const found = /DevTools listening on (\S+)/.exec(text)
      if (found?.[1]) resolve(found[1])
    })
    stderr?.once('end', () => reject(new Error(`the browser did not start:\n${text}`)))
  })
}
