/**
 * A static host for the built page, which can end or get a newer version, and pages of other sites.
 */
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../.cache/stories-dist/', import.meta.url))
const BASE = '/docs/kubetab/'
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.webmanifest': 'application/manifest+json',
}
const WORKER = 'service-worker.js'
/** A worker has the policy of its script's headers; a strict host allows only the site itself. */
const WORKER_POLICY = { 'content-security-policy': "default-src 'self'" }

export interface StaticSite {
  url: string
  /** Name of the build that is served. */
  build(): string
  /** Replaces this version by a newer one, without files of the old version. */
  release(): void
  /** Ends the network. */
  stop(): Promise<void>
}

export async function startStaticSite(): Promise<StaticSite> {
  const first =
    /name="build" content="([\w-]+)"/.exec(readFileSync(`${DIST}index.html`, 'utf8'))?.[1] ?? ''
  let build = first
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = pathname.startsWith(BASE) ? pathname.slice(BASE.length) || 'index.html' : ''
    try {
      if (name === '' || name.includes('..')) throw new Error('outside')
      const file = readFileSync(DIST + name.replace(build, first))
      // As a new build differs: the document, the worker and the list of files bear its name.
      const named = /^(?:index\.html|service-worker\.js|files-.*)$/.test(name)
        ? file.toString().replaceAll(first, build)
        : file
      const caching = name.startsWith('assets/') ? 'max-age=31536000, immutable' : 'no-cache'
      const type = TYPES[extname(name)] ?? 'application/octet-stream'
      response
        .writeHead(200, {
          'content-type': type,
          'cache-control': caching,
          ...(name === WORKER && WORKER_POLICY),
        })
        .end(named)
    } catch {
      response.writeHead(404).end()
    }
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}${BASE}`,
    build: () => build,
    release() {
      build = 'newerbuild'
    },
    stop: () => close(server),
  }
}

/** A page of another site: `localhost` and `127.0.0.1` are different ones to a browser. */
export async function startOtherSite(
  html: (origin: string) => string,
): Promise<{ url: string; origin: string; stop(): Promise<void> }> {
  let origin = ''
  const handle: RequestListener = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(html(origin))
  const server = createServer(handle)
  origin = `http://localhost:${await listen(server)}`
  return { origin, url: `${origin}/`, stop: () => close(server) }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  )
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => void server.close(() => resolve()))
}
