/** Bundles the service worker as a classic script, and the files that it loads on demand. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type BuildOptions,
  type BuildResult,
  build,
  context,
  type Plugin as EsbuildPlugin,
} from 'esbuild'
import { type Plugin, runnerImport } from 'vite'
import { STEPS } from '../src/engine/release-tables/tables'
import { inAscii } from './ascii'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Modules that a worker cannot load or does not need. */
const replacements: EsbuildPlugin = {
  name: 'replacements',
  setup({ onResolve }) {
    onResolve({ filter: /\/load-descriptions$/ }, () => ({
      path: path('../src/hosts/service-worker/load-descriptions.ts'),
    }))
    onResolve({ filter: /\/load-step$/ }, () => ({
      path: path('../src/hosts/service-worker/load-step.ts'),
    }))
    // The default entry is for old browsers, and starts more slowly.
    onResolve({ filter: /^dexie$/ }, () => ({
      path: path('../node_modules/dexie/dist/modern/dexie.min.mjs'),
    }))
  },
}

const COMMON = {
  bundle: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  define: { 'process.env.NODE_ENV': '"production"' },
  write: false,
  logLevel: 'warning',
} satisfies BuildOptions

const ENGINE = {
  ...COMMON,
  entryPoints: [path('../src/hosts/shared/browser-engine.ts')],
  plugins: [replacements],
  globalName: 'kubetabEngine',
} satisfies BuildOptions

interface EngineFile {
  name: string
  text: string
}

/** A hash in `assets/` lets static hosts cache it in browsers. */
function engineFile(text: string): EngineFile {
  return {
    name: `assets/engine-${createHash('sha256').update(text).digest('base64url').slice(0, 10)}.js`,
    text,
  }
}

/** By name; the build's hash is computed from them. */
type Files = Readonly<Record<string, string | Uint8Array>>

const DOCUMENT = 'index.html'

interface PageList {
  name: string
  build: string
  text: string
}

/** Lists the page's files, which the worker caches. */
function pageList(files: Files): PageList {
  const hash = createHash('sha256')
  for (const name of Object.keys(files).sort()) hash.update(`${name}\0`).update(files[name] ?? '')
  const build = hash.digest('base64url').slice(0, 10)
  return {
    name: `files-${build}.json`,
    build,
    text: JSON.stringify({ build, files: Object.keys(files).sort() }),
  }
}

/** Replaces `page-file.ts` with the name of the list. */
const pageName = (name: string): EsbuildPlugin => ({
  name: 'page-name',
  setup({ onLoad }) {
    onLoad({ filter: /\/page-file\.ts$/ }, () => ({
      contents: `export const PAGE_FILE = ${JSON.stringify(name)}`,
    }))
  },
})

/** Replaces `engine-file.ts` with the name of the engine's file. */
function engineName(engine: () => Promise<EngineFile>): EsbuildPlugin {
  return {
    name: 'engine-name',
    setup({ onLoad }) {
      onLoad({ filter: /\/engine-file\.ts$/ }, async () => ({
        contents: `export const ENGINE_FILE = ${JSON.stringify((await engine()).name)}`,
      }))
    },
  }
}

const workerOptions = (engine: () => Promise<EngineFile>, page = '') =>
  ({
    ...COMMON,
    entryPoints: [path('../src/hosts/service-worker/worker.ts')],
    plugins: [replacements, engineName(engine), pageName(page)],
  }) satisfies BuildOptions

/** Vite copies `public/` after this plugin has run. */
function publicFiles(directory: string): Files {
  return Object.fromEntries(
    readdirSync(directory).map((name) => [name, readFileSync(`${directory}/${name}`)]),
  )
}

const textOf = ({ outputFiles }: BuildResult<{ write: false }>): string =>
  inAscii(outputFiles.map((file) => file.text).join(''))

async function filesOnDemand(): Promise<Readonly<Record<string, string>>> {
  type Loaded = typeof import('./files-on-demand')
  const { module } = await runnerImport<Loaded>(path('./files-on-demand.ts'), {
    configFile: false,
    root: path('..'),
  })
  return module.filesOnDemand
}

/** @param page its files, which the worker caches; absent to disable caching */
export async function serviceWorkerFiles(
  page?: Files,
): Promise<{ files: Record<string, string>; build: string }> {
  const engine = engineFile(textOf(await build({ ...ENGINE, minify: true })))
  const extraFiles = await filesOnDemand()
  // Without the engine, which browsers store with the worker.
  const list = page && pageList({ ...page, ...extraFiles })
  const worker = await build({ ...workerOptions(async () => engine, list?.name), minify: true })
  const files = {
    'service-worker.js': textOf(worker),
    [engine.name]: engine.text,
    ...extraFiles,
    ...(list && { [list.name]: list.text }),
  }
  return { files, build: list?.build ?? '' }
}

/**
 * Browsers request the worker's script at every navigation; only changed scripts are bundled again.
 */
class Bundler {
  private readonly engines = context(ENGINE)
  private readonly worker = context(workerOptions(() => this.engine()))

  async engine(): Promise<EngineFile> {
    return engineFile(textOf(await (await this.engines).rebuild()))
  }

  async bundle(): Promise<string> {
    return textOf(await (await this.worker).rebuild())
  }

  async close(): Promise<void> {
    await Promise.all([this.engines, this.worker].map(async (made) => (await made).dispose()))
  }
}

/** Serves and emits `service-worker.js` below the page's base path. */
export function serviceWorker(): Plugin {
  let publicDirectory = ''
  return {
    name: 'service-worker',
    enforce: 'post',
    configResolved({ publicDir }) {
      publicDirectory = publicDir
    },
    configureServer(server) {
      const bundler = new Bundler()
      server.httpServer?.once('close', () => void bundler.close())
      const files: { name: RegExp; type: string; make(): Promise<string> }[] = [
        { name: /^service-worker\.js$/, type: 'text/javascript', make: () => bundler.bundle() },
        // Without the hash: during development the latest engine is right.
        {
          name: /^assets\/engine-[\w-]+\.js$/,
          type: 'text/javascript',
          make: async () => (await bundler.engine()).text,
        },
        ...['descriptions.json', ...STEPS.map((release) => `release-${release}.json`)].map(
          (name) => ({
            name: new RegExp(`^${name.replaceAll('.', '\\.')}$`),
            type: 'application/json',
            make: async () => (await filesOnDemand())[name] ?? '',
          }),
        ),
      ]
      server.middlewares.use((request, response, next) => {
        const { base } = server.config
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        const file = pathname.startsWith(base)
          ? files.find(({ name }) => name.test(pathname.slice(base.length)))
          : undefined
        if (file === undefined) return next()
        file.make().then((text) => {
          response.setHeader('content-type', file.type)
          response.setHeader('cache-control', 'no-store')
          response.end(text)
        }, next)
      })
    },
    generateBundle: {
      // After all other files are generated.
      order: 'post',
      async handler(_options, bundle) {
        const made = Object.values(bundle).map(
          (file) => [file.fileName, file.type === 'chunk' ? file.code : file.source] as const,
        )
        const { files, build } = await serviceWorkerFiles({
          ...publicFiles(publicDirectory),
          ...Object.fromEntries(made),
        })
        for (const [fileName, source] of Object.entries(files))
          this.emitFile({ type: 'asset', fileName, source })
        const page = bundle[DOCUMENT]
        if (page?.type === 'asset')
          page.source = String(page.source).replace(
            '</title>',
            `</title>\n    <meta name="build" content="${build}" />`,
          )
      },
    },
  }
}
