/** Bundles the service worker as one classic script: on demand while developing, emitted beside the page in a build. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'vite'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const FILE = 'service-worker.js'

/** @param minify smaller, for the built page */
async function bundle(minify: boolean): Promise<string> {
  const result = await build({
    entryPoints: [path('../src/hosts/service-worker/worker.ts')],
    alias: { 'tough-cookie': path('../src/hosts/service-worker/tough-cookie-stub.ts') },
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify,
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
    logLevel: 'warning',
  })
  return result.outputFiles[0]?.text ?? ''
}

export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (new URL(request.url ?? '/', 'http://localhost').pathname !== `/${FILE}`) return next()
        bundle(false).then(
          (text) => {
            response.setHeader('content-type', 'text/javascript')
            response.setHeader('cache-control', 'no-store')
            response.end(text)
          },
          (error: unknown) => next(error),
        )
      })
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: FILE, source: await bundle(true) })
    },
  }
}
