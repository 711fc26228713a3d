/** What the soak tests' browsers open: the page as it is published, and next to it documents with nothing but a script of the tests. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as bundle } from 'esbuild'
import { build, preview } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const outDir = '.cache/soak-dist'

/** The script that the soak test runs in tabs, made into one file. */
export const SCRIPT_FILE = join(root, outDir, 'soak.js')

/** Documents by name, and their scripts. */
const DOCUMENTS = { soak: 'tab.ts', load: 'load.ts' }

export interface Site {
  /** Ends with `/`; the bare documents are `soak.html` and `load.html`. */
  url: string
  close(): Promise<void>
}

export async function serveSoak(): Promise<Site> {
  process.env.NODE_ENV = 'production'
  await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true } })
  for (const [name, script] of Object.entries(DOCUMENTS)) {
    const entry = fileURLToPath(new URL(script, import.meta.url))
    await bundle({
      entryPoints: [entry],
      bundle: true,
      format: 'iife',
      outfile: join(root, outDir, `${name}.js`),
    })
    writeFileSync(
      join(root, outDir, `${name}.html`),
      `<!doctype html><title>${name}</title><script src="${name}.js"></script>`,
    )
  }
  const server = await preview({
    root,
    logLevel: 'warn',
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0, open: false },
  })
  const address = server.httpServer.address()
  if (address === null || typeof address === 'string')
    throw new Error('the preview server has no port')
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() }
}
