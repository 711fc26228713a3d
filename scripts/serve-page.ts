/**
 * Builds the page as it is published and serves it under a sub-path, as a project page on the web would be. With PAGE_BUILT=1 what
 * was built before is taken.
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
 * For many visits: without the list of its files a worker cannot keep the page for times without a network, nothing is
 * compressed, once per visit, for a browser on the same machine, and a browser requests a file once.
 */
const forMany: Plugin = {
  name: 'for-many',
  configurePreviewServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const { url = '' } = request
      // What comes for the API by the bridge passes as it is.
      if (/\.(?:js|css)$/.test(url)) delete request.headers['accept-encoding']
      // A file with a hash in its name never changes: a reload needs no request.
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
 * @param many whether it is visited again and again: then no browser keeps all of it, which is some 20 MB soon after it is opened
 */
export async function servePage({ built = false, many = false } = {}): Promise<ServedPage> {
  if (!built) await buildPage()
  const server = await preview({
    root,
    plugins: many ? [forMany] : [],
    base: SUB_PATH,
    logLevel: 'warn',
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
  // As it is published: under the tests' own environment it would be built with what helps development.
  const environment = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  await build({ root, logLevel: 'warn', build: { outDir: OUT, emptyOutDir: true } })
  if (environment !== undefined) process.env.NODE_ENV = environment
}
