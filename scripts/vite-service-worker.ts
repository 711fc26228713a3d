/** Bundles the service worker as one classic script, and the files that it loads on demand, for development and for the built page. */
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
import type { Plugin } from 'vite'
import { loadStep } from '../src/engine/release-tables/load-step'
import { STEPS } from '../src/engine/release-tables/tables'
import { inAscii } from './ascii'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** What only this bundle replaces: modules that a worker cannot load, or need not carry. */
const replacements: EsbuildPlugin = {
  name: 'replacements',
  setup({ onResolve }) {
    onResolve({ filter: /\/load-descriptions$/ }, () => ({
      path: path('../src/hosts/service-worker/load-descriptions.ts'),
    }))
    onResolve({ filter: /\/load-step$/ }, () => ({
      path: path('../src/hosts/service-worker/load-step.ts'),
    }))
    // The package's own entry is the build for browsers of ten years ago, which takes longer to begin.
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

/** Among what has a hash in its name and never changes, so that hosts let browsers keep it. */
function engineFile(text: string): EngineFile {
  return {
    name: `assets/engine-${createHash('sha256').update(text).digest('base64url').slice(0, 10)}.js`,
    text,
  }
}

/** What a page is made of, by name: another one of these is another build. */
type Files = Readonly<Record<string, string | Uint8Array>>

const DOCUMENT = 'index.html'

interface PageList {
  name: string
  build: string
  text: string
}

/** The list of a page's files, from which the worker keeps it. */
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

/** Puts the name of the list in the place of `page-file.ts`. */
const pageName = (name: string): EsbuildPlugin => ({
  name: 'page-name',
  setup({ onLoad }) {
    onLoad({ filter: /\/page-file\.ts$/ }, () => ({
      contents: `export const PAGE_FILE = ${JSON.stringify(name)}`,
    }))
  },
})

/** Puts the name of the engine's file in the place of `engine-file.ts`. */
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

/** The files of `public/`, which Vite copies after this plugin has run. */
function publicFiles(directory: string): Files {
  return Object.fromEntries(
    readdirSync(directory).map((name) => [name, readFileSync(`${directory}/${name}`)]),
  )
}

const textOf = ({ outputFiles }: BuildResult<{ write: false }>): string =>
  inAscii(outputFiles.map((file) => file.text).join(''))

async function descriptions(): Promise<string> {
  const { TEXTS, DESCRIPTIONS, PARAMETERS } = await import(
    '../src/engine/generated/descriptions.ts'
  )
  return JSON.stringify({ TEXTS, DESCRIPTIONS, PARAMETERS })
}

/** The differences of each release, as the worker's `load-step.ts` reads them: `release-1.33.json`. */
async function releaseFiles(): Promise<Record<string, string>> {
  const files = STEPS.map(async (release) => [
    `release-${release}.json`,
    JSON.stringify(await loadStep(release)),
  ])
  return Object.fromEntries(await Promise.all(files))
}

/** The worker's files by name, as a build emits them extraFiles the page. @param page its files, for the worker to keep; none: it keeps none */
export async function serviceWorkerFiles(
  page?: Files,
): Promise<{ files: Record<string, string>; build: string }> {
  const engine = engineFile(textOf(await build({ ...ENGINE, minify: true })))
  const extraFiles = { 'descriptions.json': await descriptions(), ...(await releaseFiles()) }
  // The engine is kept by the browser, as part of the worker.
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

/** Browsers request the worker's script at every navigation: only changed scripts are bundled again. */
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

/** The page registers `service-worker.js` below its base path, whatever that is. */
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
        // Whatever the name's hash: while developing, the newest engine is the right one.
        {
          name: /^assets\/engine-[\w-]+\.js$/,
          type: 'text/javascript',
          make: async () => (await bundler.engine()).text,
        },
        { name: /^descriptions\.json$/, type: 'application/json', make: descriptions },
        ...STEPS.map((release) => ({
          name: new RegExp(`^release-${release.replace('.', '\\.')}\\.json$`),
          type: 'application/json',
          make: async () => JSON.stringify(await loadStep(release)),
        })),
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
      // When everything else is there.
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
