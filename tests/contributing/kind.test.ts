/** The steps of CONTRIBUTING.md that add a kind, applied to the sources as they are written there. */
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

const LIST = 'src/engine/kinds/builtin-kinds.ts'
const [file = '', importLine = '', listLine = ''] = blocksOf('Add a kind')

describe('the steps that add a kind', () => {
  const directory = mkdtempSync(join(tmpdir(), 'add-a-kind-'))
  let create: typeof createApiServer

  beforeAll(async () => {
    const sources = {
      'src/engine/kinds/kitchen/index.ts': file,
      [LIST]: importLine + insertedAfter(sourceOf(LIST), /BUILTIN_KINDS[^\n]*\[\n/, listLine),
    }
    const bundle = await importOver(
      'src/engine/server/server.ts',
      sources,
      join(directory, 'server.mjs'),
    )
    create = bundle.createApiServer as typeof createApiServer
  }, 120_000)

  afterAll(() => rmSync(directory, { recursive: true }))

  it('have three code blocks', () => {
    expect(file).toContain('export const kitchenKinds')
    expect(importLine.trim()).toBe("import { kitchenKinds } from './kitchen'")
    expect(listLine.trim()).toBe('...kitchenKinds,')
  })

  it('make a kind that the server serves', async () => {
    const server = create({
      release: TEST_RELEASE,
      clock: new SimulatedClock(),
      random: seededRandom(1),
      log: { error: (message, cause) => expect.fail(`${message}: ${cause}`) },
      storage: createMemoryStorage(),
      tokens: TOKENS,
    })
    const path = '/apis/kitchen.example.com/v1/namespaces/default/kettles'
    const post = (name: string, spec: object) =>
      sendRequest(server, {
        method: 'POST',
        path,
        body: { apiVersion: 'kitchen.example.com/v1', kind: 'Kettle', metadata: { name }, spec },
      })
    const created = await post('tea', { liters: 2 })
    expect(created.status).toBe(201)
    expect(created.json.spec).toEqual({ liters: 2, lid: 'Closed' })
    expect((await post('empty', {})).json.message).toBe(
      'Kettle.kitchen.example.com "empty" is invalid: spec.liters: Required value',
    )
    const list = await sendRequest(server, {
      path,
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    })
    expect(list.json.rows[0].cells.slice(0, 2)).toEqual(['tea', 2])
  })
})
