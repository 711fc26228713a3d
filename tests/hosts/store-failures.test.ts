/**
 * Failures of browser storage: clients get an error with a remedy, stored objects stay intact and
 * can be exported.
 */
import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BrowserEngine } from '../../src/hosts/shared/browser-engine'
import type { ChannelRequest, ChannelRequests } from '../../src/hosts/shared/channel'

const MAPS = '/api/v1/namespaces/default/configmaps'
const engines: BrowserEngine[] = []
let count = 0

interface TestResponse {
  status: number
  body: {
    kind: string
    message?: string
    reason?: string
    items?: { metadata: { name: string } }[]
  }
}

function engineOver(databaseName: string): BrowserEngine {
  const engine = new BrowserEngine({ databaseName })
  engines.push(engine)
  return engine
}

async function sendRequest<Kind extends keyof ChannelRequests>(
  engine: BrowserEngine,
  kind: Kind,
  what: ChannelRequests[Kind]['request'],
): Promise<ChannelRequests[Kind]['response']> {
  const result = await engine.respond({ kind, request: what } as ChannelRequest)
  if (!result.ok) throw new Error(result.message)
  return result.response as ChannelRequests[Kind]['response']
}

async function send(
  engine: BrowserEngine,
  method: string,
  path: string,
  body?: object,
): Promise<TestResponse> {
  const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response = await engine.fetch(new Request(`http://localhost${path}`, init), path)
  return { status: response.status, body: (await response.json()) as TestResponse['body'] }
}

const create = (engine: BrowserEngine, name: string) =>
  send(engine, 'POST', MAPS, { metadata: { name }, data: { n: '1' } })

async function names(engine: BrowserEngine): Promise<string[]> {
  return ((await send(engine, 'GET', MAPS)).body.items ?? [])
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith('own'))
}

async function exported(engine: BrowserEngine): Promise<(string | undefined)[]> {
  const { objects } = await sendRequest(engine, 'export', undefined)
  return objects.map(({ metadata }) => metadata.name).filter((name) => name?.startsWith('own'))
}

/** An engine with one object and no controllers, which would write on their own. */
async function running(): Promise<{ engine: BrowserEngine; database: string }> {
  const database = `failures-${++count}`
  const engine = engineOver(database)
  await sendRequest(engine, 'configure', { controllers: ['off'], scheduler: false, nodes: 0 })
  expect((await create(engine, 'own-first')).status).toBe(201)
  return { engine, database }
}

const opened = (name: string, version?: number): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

afterEach(async () => {
  vi.restoreAllMocks()
  for (const engine of engines.splice(0))
    await engine.respond({ kind: 'remove', request: undefined })
})

describe('storage without free space', () => {
  it('fails writes with the reason; reads and exports work, and writes recover', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { engine } = await running()
    const add = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError')
    })
    const { status, body } = await create(engine, 'own-second')
    expect([status, body.kind, body.reason]).toEqual([500, 'Status', 'InternalError'])
    expect(body.message).toContain('the browser has no room left for this site')
    expect(await names(engine)).toEqual(['own-first'])
    expect(await exported(engine)).toEqual(['own-first'])
    add.mockRestore()
    expect((await create(engine, 'own-second')).status).toBe(201)
  })
})

describe('storage that the browser blocks', () => {
  it('fails every request with the reason, and is used once allowed', async () => {
    const open = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('not here', 'SecurityError')
    })
    const engine = engineOver(`failures-${++count}`)
    const { status, body } = await send(engine, 'GET', '/version')
    expect([status, body.kind, body.reason]).toEqual([503, 'Status', 'ServiceUnavailable'])
    expect(body.message).toContain('the browser blocks storage for this site')
    open.mockRestore()
    expect((await send(engine, 'GET', '/version')).status).toBe(200)
  })
})

describe('another tab', () => {
  it('that upgrades the database is not blocked; this one only exports', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { engine, database } = await running()
    const newer = await opened(database, 1000)
    newer.close()
    const { status, body } = await create(engine, 'own-second')
    expect(status).toBe(500)
    expect(body.message).toMatch(/another tab uses a newer version of this page: reload this one/)
    expect(await exported(engine)).toEqual(['own-first'])
    const { body: later } = await send(engineOver(database), 'GET', '/version')
    expect(later.message).toContain('this page is older than the stored data: reload it')
  })

  it('with its own engine writes the same objects: each write applies once', async () => {
    const { engine, database } = await running()
    const other = engineOver(database)
    const patch = (which: BrowserEngine, member: string) => {
      const headers = {
        authorization: 'Bearer admin-token',
        'content-type': 'application/merge-patch+json',
      }
      const init = {
        method: 'PATCH',
        headers,
        body: JSON.stringify({ data: { [member]: 'here' } }),
      }
      return which.fetch(
        new Request(`http://localhost${MAPS}/own-first`, init),
        `${MAPS}/own-first`,
      )
    }
    const members = Array.from({ length: 12 }, (_, i) => `m${i}`)
    const responses = await Promise.all(
      members.map((member, i) => patch(i % 2 === 0 ? engine : other, member)),
    )
    expect(responses.map(({ status }) => status)).toEqual(members.map(() => 200))
    for (const which of [engine, other]) {
      const { body } = await send(which, 'GET', `${MAPS}/own-first`)
      expect(Object.keys((body as unknown as { data: object }).data).sort()).toEqual(
        [...members, 'n'].sort(),
      )
    }
  })
})

describe('a corrupt record', () => {
  it('is skipped and reported; all others are served and exported', async () => {
    const { engine, database } = await running()
    await create(engine, 'own-second')
    await engine.drain()
    const raw = await opened(database)
    await new Promise<void>((resolve) => {
      const transaction = raw.transaction('versions', 'readwrite')
      const cursor = transaction.objectStore('versions').openCursor()
      cursor.onsuccess = () => {
        const at = cursor.result
        if (at === null) return
        if (String((at.value as { key: string }).key).endsWith('/own-first'))
          at.update({ ...at.value, json: 'no object' })
        at.continue()
      }
      transaction.oncomplete = () => {
        raw.close()
        resolve()
      }
    })
    const next = engineOver(database)
    expect(await names(next)).toEqual(['own-second'])
    expect((await sendRequest(next, 'status', undefined)).damaged).toEqual([
      '/registry/configmaps/default/own-first',
    ])
    expect(await exported(next)).toEqual(['own-second'])
    expect((await create(next, 'own-first')).status).toBe(201)
  })
})

describe('a clock that is set back', () => {
  it('does not affect revisions, history, or a restart', async () => {
    const { engine, database } = await running()
    const { revision } = await sendRequest(engine, 'status', undefined)
    const now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => now - 86_400_000)
    expect((await create(engine, 'own-second')).status).toBe(201)
    expect((await sendRequest(engine, 'status', undefined)).revision).toBe(revision + 1)
    const { changes } = await sendRequest(engine, 'timeline', { after: revision })
    expect(changes.map(({ name }) => name)).toEqual(['own-second'])
    const next = engineOver(database)
    expect(await names(next)).toEqual(['own-first', 'own-second'])
    expect((await create(next, 'own-third')).status).toBe(201)
  })
})
