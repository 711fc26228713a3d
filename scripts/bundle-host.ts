/** Bundles the headless server into one file that plain Node runs: it starts in a fraction of the time that loading sources takes. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { inAscii } from './ascii'

/**
 * How Node is started for it, wherever it is started in earnest. Half of V8's usual room for new objects: what requests make is gone
 * before it is full either way, and the process takes a tenth less memory. One thread beside the main one for V8's own work: more would
 * wait for a processor, and each has memory of its own.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8', '--v8-pool-size=1']

/** Others may be starting the former one meanwhile: it gives way to the whole new one at once. @returns the path of the bundled file */
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
