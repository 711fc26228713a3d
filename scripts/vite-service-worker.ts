/** Bundles the service worker as one classic script, and what it reads on demand: while developing, and beside a built page. */
import { fileURLToPath } from 'node:url'
import { type BuildContext, type BuildOptions, build, context, type Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin } from 'vite'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const FILE = 'service-worker.js'

/** A worker cannot import modules at run time: what the engine loads lazily is a file beside the script. */
const lazyFiles: EsbuildPlugin = {
  name: 'lazy-files',
  setup({ onResolve }) {
    onResolve({ filter: /\/load-descriptions$/ }, () => ({ path: path('../src/hosts/service-worker/load-descriptions.ts') }))
  },
}

const OPTIONS = {
  entryPoints: [path('../src/hosts/service-worker/worker.ts')],
  alias: { 'tough-cookie': path('../src/hosts/service-worker/tough-cookie-stub.ts') },
  plugins: [lazyFiles],
  bundle: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  define: { 'process.env.NODE_ENV': '"production"' },
  write: false,
  logLevel: 'warning',
} satisfies BuildOptions

/** The worker's script as a build emits it. */
export async function bundleServiceWorker(): Promise<string> {
  const { outputFiles } = await build({ ...OPTIONS, minify: true })
  return outputFiles.map((file) => file.text).join('')
}

/** OpenAPI's descriptions, half a megabyte that few visitors ask for. */
async function descriptions(): Promise<string> {
  const { TEXTS, DESCRIPTIONS, PARAMETERS } = await import('../src/engine/facts/descriptions.ts')
  return JSON.stringify({ TEXTS, DESCRIPTIONS, PARAMETERS })
}

/** The page registers `service-worker.js` below its base path, whatever that is. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    configureServer(server) {
      // Browsers ask for the script at every navigation: only what changed is bundled again.
      let bundler: Promise<BuildContext<typeof OPTIONS>> | undefined
      server.httpServer?.once('close', () => void bundler?.then((running) => running.dispose()))
      server.middlewares.use((request, response, next) => {
        if (new URL(request.url ?? '/', 'http://localhost').pathname !== `${server.config.base}descriptions.json`) return next()
        descriptions().then((text) => {
          response.setHeader('content-type', 'application/json')
          response.end(text)
        }, next)
      })
      server.middlewares.use((request, response, next) => {
        if (new URL(request.url ?? '/', 'http://localhost').pathname !== server.config.base + FILE) return next()
        bundler ??= context(OPTIONS)
        bundler
          .then((running) => running.rebuild())
          .then(({ outputFiles: [file] }) => {
            response.setHeader('content-type', 'text/javascript')
            response.setHeader('cache-control', 'no-store')
            response.end(file?.contents)
          }, next)
      })
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: FILE, source: await bundleServiceWorker() })
      this.emitFile({ type: 'asset', fileName: 'descriptions.json', source: await descriptions() })
    },
  }
}
