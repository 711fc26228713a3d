/**
 * Builds the page and serves it under a sub-path, like a project page. PAGE_BUILT=1 reuses a build.
 */
import { fileURLToPath } from 'node:url'
import { build, type Plugin, preview } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const SUB_PATH = '/projects/kubetab/'
const OUT = '.cache/stories-dist'

export interface ServedPage {
  /** Ends with `/`. */
  url: string
  close(): Promise<void>
}

/**
 * Speeds up many visits:
 * - Without the list of its files, the worker does not cache the page.
 * - Scripts and styles are not compressed per visit.
 * - The browser caches assets.
 */
const forMany: Plugin = {
  name: 'for-many',
  configurePreviewServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const { url = '' } = request
      // API requests over the bridge are unchanged.
      if (/\.(?:js|css)$/.test(url)) delete request.headers['accept-encoding']
      // Hashed files never change.
      if (url.includes('/assets/'))
        response.setHeader('Cache-Control', 'public, max-age=3600, immutable')
      if (!/\/files-[\w-]+\.json$/.test(url)) return next()
      response.statusCode = 404
      response.end()
    })
  },
}

/**
 * @param built whether the page has just been built
 * @param many for many visits: browsers do not cache the whole page, about 20 MB
 */
export async function servePage({ built = false, many = false } = {}): Promise<ServedPage> {
  if (!built) await buildPage()
  const server = await preview({
    root,
    plugins: many ? [forMany] : [],
    base: SUB_PATH,
    logLevel: 'warn',
    configLoader: 'runner',
    build: { outDir: OUT },
    preview: { host: '127.0.0.1', port: 0, open: false },
  })
  const address = server.httpServer.address()
  if (address === null || typeof address === 'string')
    throw new Error('the preview server has no port')
  return { url: `http://127.0.0.1:${address.port}${SUB_PATH}`, close: () => server.close() }
}

export async function buildPage(): Promise<void> {
  if (process.env.PAGE_BUILT === '1') return
  // NODE_ENV of the tests would include development code.
  const environment = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  await build({
    root,
    logLevel: 'warn',
    configLoader: 'runner',
    build: { outDir: OUT, emptyOutDir: true },
  })
  if (environment !== undefined) process.env.NODE_ENV = environment
}
