/**
 * Code that throws anywhere in a request is a 500 Status and a report; the clock, other requests and
 * the controllers go on.
 */
import { describe, expect, it, vi } from 'vitest'
import { table } from '../../src/engine/encoding/tables/resource-table'
import type { Kind } from '../../src/engine/registry/kind'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import type { Storage } from '../../src/engine/storage/storage'
import { parseAuditPolicy } from '../../src/engine/telemetry/audit/policy'
import { podTemplate, testCluster } from '../support/cluster'
import { configMap, sendRequest, testServer } from '../support/server'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const TRAPS = '/apis/traps.k8s.io/v1/namespaces/default/traps'
const PODS = '/api/v1/namespaces/default/pods'
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A kind whose code throws for objects named `bad`, in the part that is armed. */
class Traps {
  armed = ''

  readonly kind: Kind = {
    group: 'traps.k8s.io',
    kind: 'Trap',
    strategy: {
      generationFields: ['spec'],
      defaults: ({ metadata }) => this.spring('defaults', metadata.name),
      prepareForCreate: ({ metadata }) => this.spring('prepareForCreate', metadata.name),
      prepareForUpdate: ({ metadata }) => this.spring('prepareForUpdate', metadata.name),
      validate: ({ metadata }) => this.spring('validate', metadata.name) ?? [],
      validateUpdate: ({ metadata }) => this.spring('validateUpdate', metadata.name) ?? [],
      warningsOnCreate: ({ metadata }) => this.spring('warnings', metadata.name) ?? [],
    },
    table: table<{ metadata?: { name?: string } }>(({ metadata }) => {
      this.spring('table', metadata?.name)
      return { Size: 1 }
    }),
    description: {
      version: 'v1',
      resource: 'traps',
      namespaced: true,
      types: { Trap: ['spec?:.TrapSpec={}'], TrapSpec: ['size?:i'] },
      columns: [['Size', 'integer', '', 'Size.', 0]],
    },
  }

  private spring(part: string, name = ''): undefined {
    if (part === this.armed && name === 'bad') throw new TypeError(`${part} is out of order`)
    return undefined
  }
}

function trapped() {
  const traps = new Traps()
  const reports: string[] = []
  const working: boolean[] = []
  const server = testServer({
    kinds: [traps.kind],
    log: { error: (message, cause) => reports.push(`${message}: ${cause}`) },
    working: (now) => void working.push(now),
  })
  const trap = (name: string, size = 1) => ({
    apiVersion: 'traps.k8s.io/v1',
    kind: 'Trap',
    metadata: { name },
    spec: { size },
  })
  const post = (name: string) =>
    sendRequest(server, { method: 'POST', path: TRAPS, body: trap(name) })
  const put = (name: string, size: number) =>
    sendRequest(server, { method: 'PUT', path: `${TRAPS}/${name}`, body: trap(name, size) })
  return { traps, reports, working, server, post, put }
}

const STATUS = { kind: 'Status', status: 'Failure', reason: 'InternalError', code: 500 }

describe('code of a kind', () => {
  it.each(['defaults', 'prepareForCreate', 'validate', 'warnings'])(
    'that throws in %s of a create is a 500, and the next request is served',
    async (part) => {
      const { traps, reports, working, post } = trapped()
      traps.armed = part
      const [bad, good] = await Promise.all([post('bad'), post('good')])
      expect(bad.status).toBe(500)
      expect(bad.json).toMatchObject(STATUS)
      expect(good.status).toBe(201)
      expect(reports).toEqual([
        `POST ${TRAPS} failed inside the engine: TypeError: ${part} is out of order`,
      ])
      traps.armed = ''
      expect((await post('bad')).status).toBe(201)
      expect(working.at(-1)).toBe(false)
    },
  )

  it.each(['prepareForUpdate', 'validateUpdate'])(
    'that throws in %s of an update is a 500, and the object stays as it was',
    async (part) => {
      const { traps, reports, post, put, server } = trapped()
      for (const name of ['bad', 'good']) await post(name)
      traps.armed = part
      const [bad, good] = await Promise.all([put('bad', 2), put('good', 2)])
      expect([bad.status, good.status]).toEqual([500, 200])
      expect(reports).toEqual([
        `PUT ${TRAPS}/bad failed inside the engine: TypeError: ${part} is out of order`,
      ])
      expect((await sendRequest(server, { path: `${TRAPS}/bad` })).json.spec.size).toBe(1)
    },
  )

  it('that throws in a printer is a 500 for tables only', async () => {
    const { traps, reports, post, server } = trapped()
    for (const name of ['bad', 'good']) await post(name)
    traps.armed = 'table'
    const get = (path: string, accept: string) => sendRequest(server, { path, headers: { accept } })
    const list = await get(TRAPS, TABLE)
    expect(list.status).toBe(500)
    expect(list.json).toMatchObject(STATUS)
    expect((await get(`${TRAPS}/good`, TABLE)).json.rows).toHaveLength(1)
    expect((await get(TRAPS, 'application/json')).json.items).toHaveLength(2)
    expect(reports).toEqual([
      `GET ${TRAPS} failed inside the engine: TypeError: table is out of order`,
    ])
  })

  it('that throws while a watch encodes an event ends that watch, and no other', async () => {
    const { traps, reports, working, post, server } = trapped()
    await post('good')
    const open = async (accept: string) => {
      const { body, status } = await server.fetch(
        new Request(`http://localhost${TRAPS}?watch=true`, {
          headers: { authorization: 'Bearer admin', accept },
        }),
      )
      expect(status).toBe(200)
      const reader = (body as ReadableStream<Uint8Array>).getReader()
      const seen = { text: '', ended: false }
      const read = async () => {
        for (;;) {
          const { done, value } = await reader.read()
          if (done) break
          seen.text += new TextDecoder().decode(value)
        }
      }
      void read()
        .catch(() => undefined)
        .finally(() => (seen.ended = true))
      return seen
    }
    const [tables, objects] = [await open(TABLE), await open('application/json')]
    traps.armed = 'table'
    expect((await post('bad')).status).toBe(201)
    await settled()
    await vi.waitFor(() => expect(tables.ended).toBe(true))
    expect(objects.text).toContain('"name":"bad"')
    expect(objects.ended).toBe(false)
    expect(reports).toHaveLength(1)
    expect(reports[0]).toContain('TypeError: table is out of order')
    expect((await post('later')).status).toBe(201)
    await settled()
    expect(objects.text).toContain('"name":"later"')
    expect(working.at(-1)).toBe(false)
    await server.close()
  })
})

describe('admission', () => {
  it('of a plugin that throws is a 500, and other kinds are admitted', async () => {
    const reports: string[] = []
    const storage = createMemoryStorage()
    let isBroken = false
    const failing = new Proxy(storage, {
      get(target, name) {
        if (name === 'snapshot') return () => undefined
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          if (isBroken && String(given[0]).startsWith('/registry/limitranges/'))
            throw new TypeError('LimitRanger is out of order')
          return value.apply(target, given)
        }
      },
    }) as Storage
    const server = testServer({
      storage: failing,
      disableAdmissionPlugins: ['ServiceAccount'],
      log: { error: (message, cause) => reports.push(`${message}: ${cause}`) },
    })
    await sendRequest(server, { path: '/readyz' })
    isBroken = true
    const body = { ...podTemplate('a'), metadata: { name: 'a' } }
    const response = await sendRequest(server, {
      method: 'POST',
      path: PODS,
      body,
    })
    expect(response.status).toBe(500)
    expect(response.json).toMatchObject(STATUS)
    expect(reports).toEqual([
      `POST ${PODS} failed inside the engine: TypeError: LimitRanger is out of order`,
    ])
    expect(
      (await sendRequest(server, { method: 'POST', path: CONFIG_MAPS, body: configMap('a') }))
        .status,
    ).toBe(201)
  })
})

it('an audit backend that throws changes no response', async () => {
  const reports: string[] = []
  const server = testServer({
    audit: {
      policy: parseAuditPolicy(
        '{"apiVersion":"audit.k8s.io/v1","kind":"Policy","rules":[{"level":"Metadata"}]}',
      ),
      sink: () => {
        throw new Error('the disk is full')
      },
    },
    log: { error: (message, cause) => reports.push(`${message}: ${cause}`) },
  })
  const response = await sendRequest(server, {
    method: 'POST',
    path: CONFIG_MAPS,
    body: configMap('a'),
  })
  expect(response.status).toBe(201)
  expect(reports.some((report) => report.includes('the disk is full'))).toBe(true)
})

it('a simulated node that fails on one pod runs the others', async () => {
  const reports: string[] = []
  const storage = createMemoryStorage()
  let isBroken = true
  const failing = new Proxy(storage, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
      return (...given: Parameters<Storage['transaction']>) => {
        const [, changes] = given
        const runs = (change: unknown) => JSON.stringify(change).includes('"phase":"Running"')
        if (isBroken && changes.some((one) => one.key.endsWith('/pods/default/bad') && runs(one)))
          return Promise.reject(new Error('never for this one'))
        return target.transaction(...given)
      }
    },
  }) as Storage
  const cluster = await testCluster({
    storage: failing,
    nodes: 1,
    log: { error: (message, cause) => reports.push(`${message}: ${cause}`) },
  })
  await cluster.pass(1)
  for (const name of ['bad', 'good'])
    await cluster.sendRequest({
      method: 'POST',
      path: PODS,
      body: { metadata: { name }, spec: { ...podTemplate(name).spec, nodeName: 'node-1' } },
    })
  await cluster.pass(10)
  const phases = async () =>
    Object.fromEntries(
      (await cluster.sendRequest({ path: PODS })).json.items.map(
        ({ metadata, status }: { metadata: { name: string }; status: { phase: string } }) => [
          metadata.name,
          status.phase,
        ],
      ),
    )
  expect(await phases()).toEqual({ bad: 'Pending', good: 'Running' })
  expect(reports.some((report) => report.includes('never for this one'))).toBe(true)
  isBroken = false
  await cluster.pass(60)
  expect(await phases()).toEqual({ bad: 'Running', good: 'Running' })
  await cluster.close()
})
