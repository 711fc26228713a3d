/** Bundles the service worker as one classic script, and what it reads on demand: while developing, and beside a built page. */
import { fileURLToPath } from 'node:url'
import { build, type Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin } from 'vite'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** What only this bundle replaces: modules that a worker cannot load, or need not carry. */
const replacements: EsbuildPlugin = {
  name: 'replacements',
  setup({ onResolve }) {
    onResolve({ filter: /\/load-descriptions$/ }, ({ importer }) =>
      importer.includes('/service-worker/') ? undefined : { path: path('../src/hosts/service-worker/load-descriptions.ts') },
    )
    onResolve({ filter: /^tough-cookie$/ }, () => ({ path: path('../src/hosts/service-worker/tough-cookie-stub.ts') }))
  },
}

async function bundleWorker(minify: boolean): Promise<string> {
  const result = await build({
    entryPoints: [path('../src/hosts/service-worker/worker.ts')],
    plugins: [replacements],
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

async function descriptions(): Promise<string> {
  const { TEXTS, DESCRIPTIONS, PARAMETERS } = await import('../src/engine/facts/descriptions')
  return JSON.stringify({ TEXTS, DESCRIPTIONS, PARAMETERS })
}

interface MadeFile {
  type: string
  make(minify: boolean): Promise<string>
}

const FILES: Record<string, MadeFile> = {
  'service-worker.js': { type: 'text/javascript', make: bundleWorker },
  'descriptions.json': { type: 'application/json', make: descriptions },
}

export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const file = FILES[new URL(request.url ?? '/', 'http://localhost').pathname.slice(1)]
        if (file === undefined) return next()
        file.make(false).then(
          (text) => {
            response.setHeader('content-type', file.type)
            response.setHeader('cache-control', 'no-store')
            response.end(text)
          },
          (error: unknown) => next(error),
        )
      })
    },
    async generateBundle() {
      for (const [fileName, file] of Object.entries(FILES)) this.emitFile({ type: 'asset', fileName, source: await file.make(true) })
    },
  }
}
