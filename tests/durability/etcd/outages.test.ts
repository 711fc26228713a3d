/**
 * Responses to clients while etcd stops, is full, has compacted its history or was restored from an
 * older state, and recovery afterwards. The expectations come from etcd.io and kube-apiserver.
 */
import { afterAll, expect, it } from 'vitest'
import { Etcd } from '../../etcd/etcd'
import { end, type Host, startHost } from '../../etcd/hosts'
import {
  type Event,
  exchange,
  faultOfRejection,
  follow,
  type TestRequest,
  type TestResponse,
} from '../exchange'
import { Wire } from './wire'

const MAPS = '/api/v1/namespaces/default/configmaps'
const map = (name: string, text = 'x', labels = { group: 'all' }) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
  data: { text },
})

const cleanUp: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const step of cleanUp.reverse()) await step()
})

async function etcdAndHost(settings: Record<string, string> = {}, ...flags: string[]) {
  const etcd = await Etcd.start(settings)
  cleanUp.push(() => etcd.remove())
  const wire = await Wire.start(etcd.url)
  cleanUp.push(() => wire.close())
  const host = await anotherHost(wire.url, ...flags)
  return { etcd, wire, host }
}

async function anotherHost(url: string, ...flags: string[]): Promise<Host> {
  const host = await startHost('host', url, '--controllers=off', ...flags)
  cleanUp.push(() => end(host))
  return host
}

const create = (host: Host, name: string, text?: string) =>
  exchange(host, { method: 'POST', path: MAPS, body: map(name, text) })
const names = async (host: Host, query = '') => {
  const { code, object, text } = await exchange(host, {
    path: `${MAPS}?labelSelector=group%3Dall${query}`,
  })
  expect(code, text).toBe(200)
  return object.items?.map(({ metadata }) => metadata.name)
}

/** Looks until it is so: `expect.poll` cannot be used by tests that run side by side. */
async function until<T>(
  look: () => T | Promise<T>,
  isSo: (seen: T) => boolean,
  limit = 20_000,
): Promise<void> {
  const end = performance.now() + limit
  for (;;) {
    const seen = await look()
    if (isSo(seen)) return
    if (performance.now() > end)
      throw new Error(`after ${limit} ms it still was ${JSON.stringify(seen)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Every kind of request there is. */
const everything = (name: string, query = ''): TestRequest[] => [
  { path: `${MAPS}/there?${query}` },
  { path: `${MAPS}?${query}` },
  { path: `${MAPS}?limit=1&${query}` },
  { path: `${MAPS}?watch=1&${query}` },
  { method: 'POST', path: `${MAPS}?${query}`, body: map(name) },
  { method: 'PUT', path: `${MAPS}/there?${query}`, body: map('there', 'put') },
  {
    method: 'PATCH',
    path: `${MAPS}/there?${query}`,
    body: { data: { patched: name } },
    type: 'application/merge-patch+json',
  },
  {
    method: 'PATCH',
    path: `${MAPS}/${name}-applied?fieldManager=test&${query}`,
    body: map(`${name}-applied`),
    type: 'application/apply-patch+yaml',
  },
  { method: 'DELETE', path: `${MAPS}/other?${query}` },
  { method: 'DELETE', path: `${MAPS}?labelSelector=group%3Dnone&${query}` },
  {
    method: 'POST',
    path: `/apis/authorization.k8s.io/v1/selfsubjectaccessreviews?${query}`,
    body: review,
  },
]
const review = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  spec: { resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } },
}

/** Sends all requests at once. @returns the rejected ones, each with its Status */
async function rejections(host: Host, name: string, query = ''): Promise<TestResponse[]> {
  const responses = await Promise.all(
    everything(name, query).map(async (question): Promise<TestResponse[]> => {
      if (!question.path.includes('watch=1')) return [await exchange(host, question)]
      // A watch that has begun may wait as long as it likes.
      const over = new AbortController()
      const limit = setTimeout(() => over.abort(), 5_000)
      await follow(host, question.path, () => {}, over.signal).catch(() => {})
      clearTimeout(limit)
      return []
    }),
  )
  const rejected = responses.flat().filter(({ code }) => code >= 400)
  for (const response of rejected) {
    expect(faultOfRejection(response)).toBeUndefined()
    expect([429, 500, 503, 504], response.text).toContain(response.code)
  }
  return rejected
}

it.concurrent('etcd stops responding: requests end in time with a Status, nothing is half done, and it goes on', async () => {
  const { etcd, host } = await etcdAndHost()
  for (const name of ['there', 'other']) expect((await create(host, name)).code).toBe(201)
  const seen: Event[] = []
  const over = new AbortController()
  const watching = follow(
    host,
    `${MAPS}?watch=1&resourceVersion=0`,
    (event) => seen.push(event),
    over.signal,
  )
  etcd.suspend()
  const rejected = await rejections(host, 'while-still', 'timeout=2s')
  expect(rejected.length).toBeGreaterThan(5)
  expect((await exchange(host, { path: '/readyz' })).code).toBe(500)
  expect((await exchange(host, { path: '/livez' })).code).toBe(500)
  // Lists at resourceVersion 0 come from the watch cache.
  expect((await exchange(host, { path: `${MAPS}?resourceVersion=0` })).code).toBe(200)
  etcd.resume()
  await until(
    async () => (await exchange(host, { path: '/readyz' })).code,
    (code) => code === 200,
  )
  expect(await rejections(host, 'afterwards')).toEqual([])
  const there = await names(host)
  expect(there).toContain('afterwards')
  await until(
    () => seen.map(({ object }) => object.metadata.name),
    (seen) => seen.includes('afterwards'),
  )
  over.abort()
  await watching.catch(() => {})
  const versions = seen.map(
    ({ object }) => `${object.metadata.name}@${object.metadata.resourceVersion}`,
  )
  expect(new Set(versions).size).toBe(versions.length)
})

it.concurrent('etcd is gone: requests end in time with a Status, and it goes on when etcd is back', async () => {
  const { etcd, host } = await etcdAndHost()
  for (const name of ['there', 'other']) expect((await create(host, name)).code).toBe(201)
  await etcd.kill()
  const rejected = await rejections(host, 'while-gone', 'timeout=2s')
  expect(rejected.length).toBeGreaterThan(5)
  await etcd.run()
  expect(await rejections(host, 'afterwards')).toEqual([])
  expect(await names(host)).toContain('afterwards')
})

it.concurrent('etcd is slow: everything works, and slowly', async () => {
  const { wire, host } = await etcdAndHost()
  for (const name of ['there', 'other']) expect((await create(host, name)).code).toBe(201)
  wire.delay = 300
  expect(await rejections(host, 'slowly')).toEqual([])
  wire.delay = 0
  expect(await names(host)).toEqual(['slowly', 'slowly-applied', 'there'])
})

it.concurrent('etcd is full: reads go on, writes are rejected in its words, deletions help, and it goes on when there is room', async () => {
  const { etcd, host } = await etcdAndHost({ 'quota-backend-bytes': `${16 << 20}` })
  const filling: TestResponse[] = []
  for (let i = 0; i < 40 && filling.at(-1)?.code !== 500; i++)
    filling.push(await create(host, `large-${i}`, 'x'.repeat(1_000_000)))
  expect(filling.at(-1)?.status).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'etcdserver: mvcc: database space exceeded',
    code: 500,
  })
  // etcd may apply the write that crosses the quota and still report that there is no space:
  // it checks before it proposes a write and again while it applies it (`quotaApplierV3`).
  const made = (await names(host))?.length ?? 0
  expect([filling.length - 1, filling.length]).toContain(made)
  expect((await exchange(host, { path: `${MAPS}/large-0` })).object.data?.text).toHaveLength(
    1_000_000,
  )
  for (const question of [
    { method: 'PUT', path: `${MAPS}/large-0`, body: map('large-0', 'small') },
    {
      method: 'PATCH',
      path: `${MAPS}/large-0`,
      body: { data: { text: 'small' } },
      type: 'application/merge-patch+json',
    },
    {
      method: 'PATCH',
      path: `${MAPS}/new?fieldManager=test`,
      body: map('new'),
      type: 'application/apply-patch+yaml',
    },
  ]) {
    const { code, status } = await exchange(host, question)
    expect([code, status.message]).toEqual([500, 'etcdserver: mvcc: database space exceeded'])
  }
  const seen: Event[] = []
  const over = new AbortController()
  const watching = follow(
    host,
    `${MAPS}?watch=1&labelSelector=group%3Dall`,
    (event) => seen.push(event),
    over.signal,
  )
  await until(
    () => seen.length,
    (length) => length === made,
  )
  for (let i = 0; i < made - 1; i++) {
    const { code, text } = await exchange(host, { method: 'DELETE', path: `${MAPS}/large-${i}` })
    expect(code, text).toBe(200)
  }
  await until(
    () => seen.filter(({ type }) => type === 'DELETED').length,
    (length) => length === made - 1,
  )
  expect(await names(host)).toHaveLength(1)
  over.abort()
  await watching.catch(() => {})
  await etcd.compact()
  await etcd.call('/v3/maintenance/defragment', {})
  const { alarms } = await etcd.call('/v3/maintenance/alarm', { action: 'GET' })
  for (const { memberID } of alarms as { memberID: string }[])
    await etcd.call('/v3/maintenance/alarm', { action: 'DEACTIVATE', memberID, alarm: 'NOSPACE' })
  await until(
    async () => (await create(host, 'room')).code,
    (code) => code === 201,
  )
  expect(await names(host)).toEqual([expect.stringMatching('large'), 'room'])
})

it.concurrent('etcd has discarded: old tokens and versions are 410, what follows is undisturbed', async () => {
  const { etcd, wire, host } = await etcdAndHost()
  for (let i = 0; i < 6; i++) expect((await create(host, `m${i}`)).code).toBe(201)
  const page = await exchange(host, { path: `${MAPS}?limit=2` })
  const old = page.object.metadata.resourceVersion
  const seen: Event[] = []
  const over = new AbortController()
  const watching = follow(
    host,
    `${MAPS}?watch=1&resourceVersion=${old}`,
    (event) => seen.push(event),
    over.signal,
  )
  for (let i = 6; i < 9; i++) expect((await create(host, `m${i}`)).code).toBe(201)
  await until(
    () => seen.length,
    (length) => length === 3,
  )
  // Nothing of the host's runs while another one discards what it has not read.
  process.kill(host.started.pid, 'SIGSTOP')
  const other = await anotherHost(etcd.url)
  for (let i = 9; i < 12; i++) expect((await create(other, `m${i}`)).code).toBe(201)
  wire.cut()
  await etcd.compact()
  expect((await create(other, 'm-last')).code).toBe(201)
  process.kill(host.started.pid, 'SIGCONT')
  const expected = [
    'm0',
    'm1',
    'm2',
    'm3',
    'm4',
    'm5',
    'm6',
    'm7',
    'm8',
    'm9',
    'm10',
    'm11',
    'm-last',
  ].sort()
  for (const requested of [host, other]) {
    expect((await names(requested))?.sort()).toEqual(expected)
    const next = await exchange(requested, {
      path: `${MAPS}?limit=2&continue=${page.object.metadata.continue}`,
    })
    if (next.code === 200)
      expect(next.object.items?.map(({ metadata }) => metadata.name)).toEqual(['m2', 'm3'])
    else expect([next.code, next.status.reason]).toEqual([410, 'Expired'])
  }
  // A host that begins afterwards knows nothing older.
  const fresh = await anotherHost(etcd.url)
  const expired = await exchange(fresh, {
    path: `${MAPS}?limit=2&continue=${page.object.metadata.continue}`,
  })
  expect([expired.code, expired.status.reason]).toEqual([410, 'Expired'])
  const exact = await exchange(fresh, {
    path: `${MAPS}?resourceVersion=${old}&resourceVersionMatch=Exact`,
  })
  expect([exact.code, exact.status.reason]).toEqual([410, 'Expired'])
  const events: Event[] = []
  await follow(fresh, `${MAPS}?watch=1&resourceVersion=${old}&timeoutSeconds=2`, (event) =>
    events.push(event),
  )
  expect(
    events.map(({ type, object }) => [type, (object as unknown as { code: number }).code]),
  ).toEqual([['ERROR', 410]])
  // The first host's watch has everything, or states that it has not.
  await until(
    () => seen.map(({ type, object }) => (type === 'ERROR' ? type : object.metadata.name)).join(),
    (reported) => reported.endsWith('ERROR') || reported === 'm6,m7,m8,m9,m10,m11,m-last',
  )
  over.abort()
  await watching.catch(() => {})
})

it.concurrent('etcd was restored from an older copy: every host shows what etcd has', async () => {
  const { etcd, wire, host } = await etcdAndHost()
  const other = await anotherHost(etcd.url)
  expect((await create(host, 'old', 'old')).code).toBe(201)
  const copy = await etcd.backUp()
  for (let i = 0; i < 20; i++) expect((await create(host, `new-${i}`)).code).toBe(201)
  const put = await exchange(host, {
    method: 'PUT',
    path: `${MAPS}/old`,
    body: map('old', 'newer'),
  })
  expect(put.code).toBe(200)
  await etcd.goBackTo(copy)
  for (const requested of [host, other]) {
    await until(
      () => names(requested),
      (there) => there?.join() === 'old',
    )
    expect((await exchange(requested, { path: `${MAPS}/old` })).object.data?.text).toBe('old')
    expect((await exchange(requested, { path: `${MAPS}/new-3` })).code).toBe(404)
    const cached = await exchange(requested, {
      path: `${MAPS}?resourceVersion=0&labelSelector=group%3Dall`,
    })
    expect(cached.object.items?.map(({ metadata }) => metadata.name)).toEqual(['old'])
  }
  expect((await create(host, 'after', 'after')).code).toBe(201)
  expect(await names(other)).toEqual(['after', 'old'])
  // Once more, and by the time one host sees it, its revisions are other objects'.
  const second = await etcd.backUp()
  for (let i = 0; i < 3; i++) expect((await create(host, `lost-${i}`)).code).toBe(201)
  expect(await names(other)).toHaveLength(5)
  process.kill(host.started.pid, 'SIGSTOP')
  await etcd.goBackTo(second)
  for (let i = 0; i < 20; i++)
    await until(
      async () => (await create(other, `kept-${i}`)).code,
      (code) => code === 201 || code === 409,
    )
  wire.cut()
  process.kill(host.started.pid, 'SIGCONT')
  const kept = ['after', ...Array.from({ length: 20 }, (_, i) => `kept-${i}`), 'old'].sort()
  for (const requested of [other, host])
    await until(
      () => names(requested),
      (there) => there?.join() === kept.join(),
    )
})

it.concurrent('etcd has lost everything: hosts report it or start again, but never return what is lost', async () => {
  const { etcd, host } = await etcdAndHost()
  expect((await create(host, 'old')).code).toBe(201)
  await etcd.kill()
  etcd.discard()
  await etcd.run()
  await until(
    () => names(host),
    (there) => there?.length === 0,
  )
  await until(
    async () => (await create(host, 'after')).code,
    (code) => code === 201,
  )
})
