/** The steps of CONTRIBUTING.md that add an admission plugin, with the test that they end with. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import type { createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { TEST_RELEASE } from '../support/release'
import { sendRequest, TOKENS } from '../support/server'
import { blocksOf, importOver, insertedAfter, sourceOf } from './steps'

const LIST = 'src/engine/admission/plugins.ts'
const [file = '', importLine = '', listLine = '', test = ''] = blocksOf('Add an admission plugin')

describe('the steps that add an admission plugin', () => {
  const directory = mkdtempSync(join(tmpdir(), 'add-a-plugin-'))
  let create: typeof createApiServer

  beforeAll(async () => {
    const sources = {
      'src/engine/admission/deny-latest-tag.ts': file,
      [LIST]: importLine + insertedAfter(sourceOf(LIST), /const PLUGINS[^\n]*\[\n/, listLine),
    }
    const bundle = await importOver(
      'src/engine/server/server.ts',
      sources,
      join(directory, 'server.mjs'),
    )
    create = bundle.createApiServer as typeof createApiServer
  }, 120_000)

  afterAll(() => rmSync(directory, { recursive: true }))

  const serverWith = (options: object) =>
    create({
      release: TEST_RELEASE,
      clock: new SimulatedClock(),
      random: seededRandom(1),
      log: { error: (message, cause) => expect.fail(`${message}: ${cause}`) },
      storage: createMemoryStorage(),
      tokens: TOKENS,
      ...options,
    })

  it('make a plugin that the test of the steps accepts', async () => {
    const [, body] = /async \(\) => \{\n([\s\S]*)\}\)\n$/.exec(test) ?? []
    expect(body).toContain('nginx:latest')
    const untyped = (body ?? '').replace('(image: string)', '(image)')
    const run = new Function(
      'expect',
      'sendRequest',
      'testServer',
      `return (async () => {${untyped}})()`,
    )
    expect.hasAssertions()
    await run(expect, sendRequest, serverWith)
  })

  it('make a plugin that is off by default', async () => {
    const { status } = await sendRequest(
      serverWith({ disableAdmissionPlugins: ['ServiceAccount'] }),
      {
        method: 'POST',
        path: '/api/v1/namespaces/default/pods',
        body: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'web' },
          spec: { containers: [{ name: 'web', image: 'nginx:latest' }] },
        },
      },
    )
    expect(status).toBe(201)
  })
})
