/** The steps of CONTRIBUTING.md that add a kind, applied to the sources as they are written there. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import type { loadTables } from '../../src/engine/release-tables/load-tables'
import { DEFAULT_RELEASE } from '../../src/engine/releases/release'
import type { createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { sendRequest, TOKENS } from '../support/server'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const KINDS = join(ROOT, 'src/engine/kinds')

/** The code blocks of the section, without their indentation. */
function blocksOf(section: string): string[] {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  const [, own = ''] = text.split(`\n## ${section}\n`)
  const [before = ''] = own.split('\n## ')
  return [...before.matchAll(/^ {3}```ts\n([\s\S]*?)^ {3}```$/gm)].map(([, code = '']) =>
    code.replace(/^ {3}/gm, ''),
  )
}

const [file = '', importLine = '', listLine = ''] = blocksOf('Add a kind')

/** The sources after the steps. */
const steps: Plugin = {
  name: 'steps',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\/kitchen$/ }, () => ({
      path: join(KINDS, 'kitchen/index.ts'),
    }))
    bundler.onLoad({ filter: /kinds\/kitchen\/index\.ts$/ }, () => ({
      contents: file,
      loader: 'ts',
      resolveDir: join(KINDS, 'scheduling'),
    }))
    bundler.onLoad({ filter: /kinds\/builtin-kinds\.ts$/ }, ({ path }) => ({
      contents:
        importLine +
        readFileSync(path, 'utf8').replace(/(BUILTIN_KINDS[^\n]*\[\n)/, `$1  ${listLine}`),
      loader: 'ts',
      resolveDir: KINDS,
    }))
  },
}

/** What a host needs of the engine. */
const ENTRY = `
export { loadTables } from './release-tables/load-tables'
export { createApiServer } from './server/server'
`

interface Bundle {
  createApiServer: typeof createApiServer
  loadTables: typeof loadTables
}

describe('the steps that add a kind', () => {
  const directory = mkdtempSync(join(tmpdir(), 'add-a-kind-'))
  let create: typeof createApiServer

  beforeAll(async () => {
    const outfile = join(directory, 'server.mjs')
    await build({
      stdin: { contents: ENTRY, resolveDir: join(ROOT, 'src/engine') },
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
      outfile,
      plugins: [steps],
    })
    const bundle: Bundle = await import(/* @vite-ignore */ pathToFileURL(outfile).href)
    await bundle.loadTables(DEFAULT_RELEASE)
    create = bundle.createApiServer
  }, 120_000)

  afterAll(() => rmSync(directory, { recursive: true }))

  it('have three code blocks', () => {
    expect(file).toContain('export const kitchenKinds')
    expect(importLine.trim()).toBe("import { kitchenKinds } from './kitchen'")
    expect(listLine.trim()).toBe('...kitchenKinds,')
  })

  it('make a kind that the server serves', async () => {
    const server = create({
      clock: new SimulatedClock(),
      random: seededRandom(1),
      log: { error: (message, cause) => expect.fail(`${message}: ${cause}`) },
      storage: createMemoryStorage(),
      tokens: TOKENS,
    })
    const path = '/apis/kitchen.k8s.io/v1/namespaces/default/kettles'
    const post = (name: string, spec: object) =>
      sendRequest(server, {
        method: 'POST',
        path,
        body: { apiVersion: 'kitchen.k8s.io/v1', kind: 'Kettle', metadata: { name }, spec },
      })
    const created = await post('tea', { liters: 2 })
    expect(created.status).toBe(201)
    expect(created.json.spec).toEqual({ liters: 2, lid: 'Closed' })
    expect((await post('empty', {})).json.message).toBe(
      'Kettle.kitchen.k8s.io "empty" is invalid: spec.liters: Required value',
    )
    const list = await sendRequest(server, {
      path,
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })
    expect(list.json.rows[0].cells.slice(0, 2)).toEqual(['tea', 2])
  })
})
