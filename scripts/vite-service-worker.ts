/** Bundles the service worker as one classic script, and what it reads on demand: while developing, and beside a built page. */
import { fileURLToPath } from 'node:url'
import { type BuildContext, type BuildOptions, build, context, type Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin } from 'vite'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** What only this bundle replaces: modules that a worker cannot load, or need not carry. */
const replacements: EsbuildPlugin = {
  name: 'replacements',
  setup({ onResolve }) {
    onResolve({ filter: /\/load-descriptions$/ }, () => ({ path: path('../src/hosts/service-worker/load-descriptions.ts') }))
    onResolve({ filter: /^tough-cookie$/ }, () => ({ path: path('../src/hosts/service-worker/tough-cookie-stub.ts') }))
  },
}

const OPTIONS = {
  entryPoints: [path('../src/hosts/service-worker/worker.ts')],
  plugins: [replacements],
  bundle: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  define: { 'process.env.NODE_ENV': '"production"' },
  write: false,
  logLevel: 'warning',
} satisfies BuildOptions

async function descriptions(): Promise<string> {
  const { TEXTS, DESCRIPTIONS, PARAMETERS } = await import('../src/engine/facts/descriptions.ts')
  return JSON.stringify({ TEXTS, DESCRIPTIONS, PARAMETERS })
}

/** The worker's files by name, as a build emits them beside the page. */
export async function serviceWorkerFiles(): Promise<Record<string, string>> {
  const { outputFiles } = await build({ ...OPTIONS, minify: true })
  return { 'service-worker.js': outputFiles.map((file) => file.text).join(''), 'descriptions.json': await descriptions() }
}

/** Browsers ask for the worker's script at every navigation: only what changed is bundled again. */
class Bundler {
  private running: Promise<BuildContext<typeof OPTIONS>> | undefined

  async bundle(): Promise<string> {
    this.running ??= context(OPTIONS)
    const { outputFiles } = await (await this.running).rebuild()
    return outputFiles.map((file) => file.text).join('')
  }

  async close(): Promise<void> {
    await (await this.running)?.dispose()
  }
}

/** The page registers `service-worker.js` below its base path, whatever that is. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    configureServer(server) {
      const bundler = new Bundler()
      server.httpServer?.once('close', () => void bundler.close())
      const files: Record<string, { type: string; make(): Promise<string> }> = {
        'service-worker.js': { type: 'text/javascript', make: () => bundler.bundle() },
        'descriptions.json': { type: 'application/json', make: descriptions },
      }
      server.middlewares.use((request, response, next) => {
        const { base } = server.config
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        const file = pathname.startsWith(base) ? files[pathname.slice(base.length)] : undefined
        if (file === undefined) return next()
        file.make().then((text) => {
          response.setHeader('content-type', file.type)
          response.setHeader('cache-control', 'no-store')
          response.end(text)
        }, next)
      })
    },
    async generateBundle() {
      for (const [fileName, source] of Object.entries(await serviceWorkerFiles())) this.emitFile({ type: 'asset', fileName, source })
    },
  }
}
