/** A bare site under a sub-path, with nothing but the page's way to the API: for tests of the host itself, without the application. */
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { serviceWorkerFiles } from '../scripts/vite-service-worker'

export interface HostSite {
  /** Ends with `/`. */
  url: string
  /** From now on the site serves a worker script that differs, as after a new release. */
  release(): void
  close(): Promise<void>
}

const BASE = '/some/where/'

/**
 * `connection` resolves when the page has reached an API server; `api(path, init)` sends a request
 * to it. `controlledAtFirst` is true if a worker controlled the page before.
 */
const PAGE = `
import { connect } from './src/hosts/page/connect'
const base = new URL('.', location.href).pathname
window.controlledAtFirst = navigator.serviceWorker ? navigator.serviceWorker.controller !== null : false
window.connection = connect(base)
window.api = async (path, init = {}) => {
  await window.connection
  return fetch(base + path, { ...init, headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json', ...init.headers } })
}
window.firstResponse = window.api('version').then((response) => ({ status: response.status, milliseconds: performance.now() }))
`

async function bundlePage(): Promise<string> {
  const resolveDir = fileURLToPath(new URL('..', import.meta.url))
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir },
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

/** @param additional additional files, by path */
export async function startHostSite(
  additional: Record<string, [type: string, text: string]> = {},
): Promise<HostSite> {
  const [page, { files: worker }] = await Promise.all([bundlePage(), serviceWorkerFiles()])
  let releases = 0
  const built = Object.entries(worker).map(([name, text]): [string, () => [string, string]] => [
    name,
    () => [name.endsWith('.js') ? 'text/javascript' : 'application/json', text],
  ])
  const files: Record<string, () => [type: string, text: string]> = {
    ...Object.fromEntries(built),
    ...Object.fromEntries(Object.entries(additional).map(([name, file]) => [name, () => file])),
    '': () => ['text/html', '<!doctype html><title>host</title><script src="page.js"></script>'],
    'page.js': () => ['text/javascript', page],
    'service-worker.js': () => [
      'text/javascript',
      `${worker['service-worker.js']}\n// ${releases}`,
    ],
  }
  const server = createServer((request, response) => {
    const file = files[(request.url ?? '').slice(BASE.length)]
    if (file === undefined || !request.url?.startsWith(BASE)) {
      response.writeHead(404).end()
      return
    }
    const [type, text] = file()
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  return {
    url: `http://127.0.0.1:${address.port}${BASE}`,
    release: () => {
      releases++
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
