/** Bundles the headless server into one file that plain Node runs: it starts in a fraction of the time that loading sources takes. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** @returns the path of the bundled file */
export async function bundleNodeHost(): Promise<string> {
  const outfile = fileURLToPath(new URL('../.cache/kubetab-server.mjs', import.meta.url))
  await build({
    entryPoints: [fileURLToPath(new URL('../src/hosts/node/main.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
  return outfile
}
