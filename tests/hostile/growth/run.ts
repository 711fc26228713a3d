/**
 * Bundles `main.ts` and runs it. Copies of objects become loops in the bundle, so that the coverage
 * counts them, and modules keep their own addresses.
 */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const [main, outfile] = ['./main.ts', '../../../.cache/hostile.mjs'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
) as [string, string]
await build({
  entryPoints: [main],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  supported: { 'object-rest-spread': false },
  logLevel: 'error',
  plugins: [
    {
      name: 'addresses',
      setup({ onLoad }) {
        onLoad({ filter: /\.ts$/ }, async ({ path }) => {
          const text = await readFile(path, 'utf8')
          const address = JSON.stringify(pathToFileURL(path).href)
          return { contents: text.replaceAll('import.meta.url', address), loader: 'ts' }
        })
      },
    },
  ],
})
const child = spawn(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' })
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
