/** Code that a user runs in the page is untrusted: it reaches only the API of its own cluster. */
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { running, storyBrowser } from './harness'
import { runScript } from './own-code'

vi.setConfig({ testTimeout: 120_000 })

const { open } = storyBrowser()

const output = (page: Page) => page.getByRole('log', { name: 'Script output' })

describe('a script', () => {
  it('reaches the API of its own workspace, and neither the page, nor what it keeps, nor others', async () => {
    const { page, url, errors } = await open({ width: 1440, height: 900 })
    await running(page)
    await page.evaluate(() => {
      localStorage.setItem('secret-of-the-page', 'x')
      // biome-ignore lint/suspicious/noDocumentCookie: what a script must not see has to be there
      document.cookie = 'secret=x'
    })
    await runScript(
      page,
      `async function tried(run: () => unknown) { try { return 'did ' + JSON.stringify(await run()) } catch (error) { return 'blocked' } }
const global = self as any
const results = {
  api: await tried(async () => (await fetch('/api/v1/namespaces')).status),
  watch: await tried(async () => { const { body } = await fetch('/api/v1/namespaces?watch=1&timeoutSeconds=1'); return (await new Response(body).text()).split('\\n').length > 3 }),
  abort: await tried(async () => { await fetch('/api/v1/namespaces?watch=1', { signal: AbortSignal.timeout(300) }).then((r) => r.text()) }),
  credential: await tried(async () => JSON.stringify(Object.keys(global)).includes('token')),
  page: await tried(async () => (await fetch('/index.html')).status),
  otherWorkspace: await tried(async () => (await fetch('/~other/api/v1/namespaces')).status),
  dots: await tried(async () => (await fetch('/api/../~other/api')).status),
  sameOrigin: await tried(async () => (await fetch('${url}api')).status),
  network: await tried(async () => (await fetch('http://127.0.0.1:1/')).status),
  socket: await tried(() => new Promise((yes, no) => { const s = new WebSocket('${url.replace('http', 'ws')}bridge'); s.onerror = no; s.onopen = yes })),
  request: await tried(() => { const r = new XMLHttpRequest(); r.open('GET', '${url}api', false); r.send(); return r.status }),
  database: await tried(() => new Promise((yes, no) => { const r = indexedDB.open('kubetab'); r.onsuccess = yes; r.onerror = no })),
  databases: await tried(() => indexedDB.databases()),
  caches: await tried(() => caches.keys()),
  storage: await tried(() => global.localStorage.length),
  cookies: await tried(() => global.document.cookie + global.cookieStore.getAll()),
  parent: await tried(() => global.parent.document.title + global.window.top),
  module: await tried(() => import('${url}service-worker.js')),
  imported: await tried(() => global.importScripts('${url}service-worker.js')),
  worker: await tried(() => new Promise((yes, no) => { const w = new Worker('${url}service-worker.js'); w.onerror = no; w.onmessage = yes })),
  message: await tried(() => global.postMessage('x')),
  origin: global.origin,
}
console.log(JSON.stringify(results))
`,
    )
    await output(page).getByText('"origin"').waitFor({ timeout: 30_000 })
    const text = (await output(page).textContent()) ?? ''
    const { api, watch, credential, origin, abort, ...others } = JSON.parse(
      text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1),
    )
    expect({ api, watch, credential, origin, abort }).toEqual({
      api: 'did 200',
      watch: 'did true',
      credential: 'did false',
      origin: 'null',
      abort: 'blocked',
    })
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((name) => [name, 'blocked'])))
    expect(Object.keys(others)).toHaveLength(17)
    // Ignore the browser's own messages about blocked requests.
    errors.length = 0
  })

  it('with an endless loop is stopped with a message, and the page goes on', async () => {
    const { page } = await open({ width: 1440, height: 900 })
    await running(page)
    await runScript(
      page,
      `console.log('begun')\nawait new Promise((done) => setTimeout(done, 50))\nfor (;;);\n`,
    )
    await output(page).getByText('begun').waitFor()
    expect(await page.evaluate(async () => (await fetch('/version')).status)).toBe(200)
    await output(page)
      .getByText('Stopped: the script did not respond for 10 seconds.')
      .waitFor({ timeout: 40_000 })
    expect(await page.evaluate(() => document.querySelectorAll('iframe').length)).toBe(0)
  })

  it('that prints or sends requests without a pause is stopped with a message', async () => {
    const { page } = await open({ width: 1440, height: 900 })
    await running(page)
    await runScript(page, `for (let i = 0; ; i++) { try { console.log('line', i) } catch {} }\n`)
    await output(page).getByText('Stopped: too much output.').waitFor({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
    await page.locator('.monaco-editor .view-lines').first().click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(
      `const all = Array.from({ length: 600 }, () => fetch('/api/v1/namespaces?watch=1&timeoutSeconds=1').then(() => 'sent', (error: Error) => error.message))\nconsole.log([...new Set(await Promise.all(all))].join(' | '))\n`,
    )
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await output(page).getByText('500 requests are waiting already').waitFor({ timeout: 30_000 })
  })
})
