/** The service worker of a page in Chromium, as something that recordings are replayed against. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startBrowser } from '../../playwright/host-browser'
import { startHostSite } from '../../playwright/host-site'
import { engineTarget } from '../../src/hosts/shared/paths'
import { headerAsWritten } from '../../src/hosts/shared/text-of-header'
import { RECORDED_RELEASE } from './recording-files'
import type { Recording, Send } from './replay'

/** The recorder's, which Chromium lets no page set. */
const AGENT = 'recorder/v1.0'
/** What Chromium sets by itself, whatever a page requests. */
const OWN_HEADERS = /^(accept-encoding|connection|host|origin|upgrade)$/i
const TOKENS = '/tokens.csv'

const tokens = readFileSync(fileURLToPath(new URL('./tokens.csv', import.meta.url)), 'utf8')

/** The reason why a page cannot send the recorded requests; undefined if it can. */
export function cannotSend({ steps }: Recording): string | undefined {
  for (const { request, response } of steps) {
    const headers = Object.entries(request.headers ?? {})
    if (headers.some(([name]) => OWN_HEADERS.test(name)))
      return 'headers that a browser sets by itself'
    if (headers.some(([name, value]) => /^user-agent$/i.test(name) && value !== AGENT))
      return 'another User-Agent'
    if (engineTarget(new URL(request.path, 'http://page/'), '/') === undefined)
      return 'addresses of the page itself'
    if (response.headers['content-encoding']) return 'bodies that are packed on their way'
  }
  return undefined
}

/** @param flags of which `--controllers` and `--scheduler` are obeyed: a page has a setting for each */
export async function openPage(
  flags: string[],
): Promise<{ send: Send; cannotSend: typeof cannotSend; close(): Promise<void> }> {
  const profile = mkdtempSync(join(tmpdir(), 'kubetab-live-'))
  const site = await startHostSite()
  const browser = await startBrowser(profile, [`--user-agent=${AGENT}`])
  const page = await browser.context.newPage()
  await page.goto(site.url)
  const settings = {
    release: RECORDED_RELEASE,
    controllers: [settingOf(flags, 'controllers')],
    scheduler: settingOf(flags, 'scheduler') === 'on',
    nodes: 0,
  }
  await page.evaluate(
    async ({ settings, tokens, file }) => {
      const { channel } = await window.connection
      const { access } = await channel.request('settings', undefined)
      await channel.request('configure', {
        ...settings,
        access: { ...access, files: { [file]: tokens }, tokenFile: file },
      })
      // What controllers made of the cluster before they were set.
      await channel.request('reset', undefined)
      await (await window.api('readyz')).text()
    },
    { settings, tokens, file: TOKENS },
  )
  const base = new URL(site.url).pathname.replace(/\/$/, '')
  return {
    async send({ method, path, headers, body = null }) {
      const result = await page.evaluate(
        async ({ target, method, headers, body }) => {
          const response = await fetch(target, { method, headers, body, redirect: 'manual' })
          return {
            status: response.status,
            headers: Object.fromEntries(response.headers),
            text: await response.text(),
          }
        },
        { target: base + path, method, headers, body },
      )
      const seen = Object.entries(result.headers).map(([name, value]) => [
        name,
        headerAsWritten(value),
      ])
      // The page's own administrator has the recorder's token.
      return {
        ...result,
        headers: Object.fromEntries(seen),
        text: result.text.replaceAll('u-admin', 'admin-uid'),
      }
    },
    cannotSend,
    async close() {
      await browser.kill()
      await site.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

const settingOf = (flags: string[], name: string): string =>
  flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3) ?? 'off'
