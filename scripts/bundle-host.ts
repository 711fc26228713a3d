/** Bundles the headless server into one file, which starts several times faster than sources. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { inAscii } from './ascii'

/**
 * V8 flags of the headless server.
 * - Half of the default young generation: memory drops by a tenth.
 * - One worker thread: more would compete for processors and memory.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8', '--v8-pool-size=1']

/**
 * Replaces the bundle atomically: another process may be starting it.
 * @returns the path of the bundle
 */
export async function bundleNodeHost(): Promise<string> {
  const outfile = fileURLToPath(new URL('../.cache/kubetab-server.mjs', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/hosts/node/main.ts', import.meta.url))],
    outfile,
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
  mkdirSync(dirname(outfile), { recursive: true })
  for (const { path, text } of outputFiles) {
    const whole = `${path}.${randomUUID()}`
    writeFileSync(whole, path.endsWith('.mjs') ? inAscii(text) : text)
    renameSync(whole, path)
  }
  return outfile
}
