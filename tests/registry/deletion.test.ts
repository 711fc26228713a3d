import { describe, expect, it } from 'vitest'
import { CONFIG_MAPS, configMap, type TestServer, testServer } from './server'

const PODS = '/api/v1/namespaces/default/pods'

async function podOn(server: TestServer, nodeName: string | undefined) {
  await server.send('POST', '/api/v1/namespaces/default/serviceaccounts', {
    metadata: { name: 'default' },
  })
  const spec = {
    containers: [{ name: 'c', image: 'i' }],
    automountServiceAccountToken: false,
    ...(nodeName ? { nodeName } : {}),
  }
  return server.send('POST', PODS, { metadata: { name: 'p' }, spec })
}

describe('deleting an object', () => {
  it('checks its preconditions, also for each object of a collection', async () => {
    const { send } = testServer()
    const { body } = await send('POST', CONFIG_MAPS, configMap('a'))
    const { uid, resourceVersion } = body.metadata
    for (const target of [`${CONFIG_MAPS}/a`, CONFIG_MAPS]) {
      expect((await send('DELETE', `${target}?dryRun=All&uid=other`)).status).toBe(409)
      expect((await send('DELETE', `${target}?dryRun=All&uid=${uid}`)).status).toBe(200)
    }
    expect((await send('DELETE', `${CONFIG_MAPS}/a?resourceVersion=1`)).status).toBe(409)
    expect(
      (await send('DELETE', `${CONFIG_MAPS}/a?resourceVersion=${resourceVersion}&uid=`)).status,
    ).toBe(200)
  })

  it('with finalizers only marks it until the last finalizer is removed', async () => {
    const server = testServer()
    await server.send('POST', CONFIG_MAPS, {
      metadata: { name: 'a', finalizers: ['example.com/one', 'example.com/two'] },
    })
    const marked = await server.send('DELETE', `${CONFIG_MAPS}/a`)
    expect(marked.body.metadata).toMatchObject({
      deletionGracePeriodSeconds: 0,
      deletionTimestamp: '2026-01-01T00:00:00Z',
    })
    const again = await server.send('DELETE', `${CONFIG_MAPS}/a`)
    expect(again.body.metadata.resourceVersion).toBe(marked.body.metadata.resourceVersion)
    const release = (finalizers: string[]) =>
      server.send(
        'PATCH',
        `${CONFIG_MAPS}/a`,
        { metadata: { finalizers } },
        'application/merge-patch+json',
      )
    expect((await release(['example.com/two'])).body.metadata.finalizers).toEqual([
      'example.com/two',
    ])
    await release([])
    expect((await server.send('GET', `${CONFIG_MAPS}/a`)).status).toBe(404)
  })

  it.each([
    ['Orphan', ['orphan']],
    ['Foreground', ['foregroundDeletion']],
  ])(
    'with the policy %s adds a finalizer, which another policy removes',
    async (policy, finalizers) => {
      const server = testServer()
      await server.send('POST', CONFIG_MAPS, configMap('a'))
      const marked = await server.send('DELETE', `${CONFIG_MAPS}/a?propagationPolicy=${policy}`)
      expect(marked.body.metadata.finalizers).toEqual(finalizers)
      await server.send('DELETE', `${CONFIG_MAPS}/a?propagationPolicy=Background`)
      expect((await server.send('GET', `${CONFIG_MAPS}/a`)).status).toBe(404)
    },
  )

  it.each([
    ['uid=other', 'the UID in the precondition (other) does not match'],
    ['resourceVersion=1', 'the ResourceVersion in the precondition (1) does not match'],
  ])('reads its options from the query: %s', async (query, message) => {
    const server = testServer()
    await server.send('POST', CONFIG_MAPS, configMap('a'))
    const rejected = await server.send<{ message: string }>('DELETE', `${CONFIG_MAPS}/a?${query}`)
    expect([rejected.status, rejected.body.message]).toEqual([
      409,
      expect.stringContaining(message),
    ])
    const together = await server.send('DELETE', `${CONFIG_MAPS}?uid=other`)
    expect(together.status).toBe(409)
    const { uid, resourceVersion } = (await server.send('GET', `${CONFIG_MAPS}/a`)).body.metadata
    expect(
      (
        await server.send(
          'DELETE',
          `${CONFIG_MAPS}/a?uid=${uid}&resourceVersion=${resourceVersion}`,
        )
      ).status,
    ).toBe(200)
  })

  it('of events.k8s.io sends watch events of the core group', async () => {
    const server = testServer()
    const events = '/apis/events.k8s.io/v1/namespaces/default/events'
    await server.send('POST', '/api/v1/namespaces/default/events', {
      metadata: { name: 'e' },
      involvedObject: { namespace: 'default' },
    })
    const { body } = await server.send<{ message: string }>('DELETE', `${events}/e?uid=other`)
    expect(body.message).toMatch(/^Operation cannot be fulfilled on Event "e": /)
  })

  it('of an Event ignores the propagation policy (k8s.io/apiserver registry tests)', async () => {
    const server = testServer()
    const events = '/api/v1/namespaces/default/events'
    for (const policy of ['Foreground', 'Orphan']) {
      await server.send('POST', events, {
        metadata: { name: 'e' },
        involvedObject: { namespace: 'default' },
      })
      expect(
        (await server.send<{ status: string }>('DELETE', `${events}/e?propagationPolicy=${policy}`))
          .body.status,
      ).toBe('Success')
      expect((await server.send('GET', `${events}/e`)).status).toBe(404)
    }
  })

  it('whose name is terminating rejects a new object and names the reason', async () => {
    const server = testServer()
    await server.send('POST', CONFIG_MAPS, {
      metadata: { name: 'a', finalizers: ['example.com/one'] },
    })
    await server.send('DELETE', `${CONFIG_MAPS}/a`)
    const { status, body } = await server.send<{ message: string }>(
      'POST',
      CONFIG_MAPS,
      configMap('a'),
    )
    expect([status, body.message]).toEqual([
      409,
      'object is being deleted: configmaps "a" already exists',
    ])
  })
})

// As in the tests of kube-apiserver, DELETE of a collection skips the checks of single objects.
describe('deleting a collection', () => {
  const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses'

  it('includes system priority classes, which cannot be deleted one by one', async () => {
    const server = testServer()
    expect((await server.send('DELETE', `${CLASSES}/system-node-critical`)).status).toBe(403)
    expect((await server.send('DELETE', `${CLASSES}?dryRun=All`)).status).toBe(200)
    expect((await server.send('GET', `${CLASSES}/system-node-critical`)).status).toBe(200)
    expect((await server.send('DELETE', CLASSES)).status).toBe(200)
    expect((await server.send('GET', `${CLASSES}/system-node-critical`)).status).toBe(404)
  })
})

describe('deleting a pod', () => {
  it('sets the grace period, which can only become shorter', async () => {
    const server = testServer()
    await podOn(server, 'node')
    const grace = async (query: string) =>
      (await server.send('DELETE', `${PODS}/p${query}`)).body.metadata
    expect(await grace('')).toMatchObject({
      deletionGracePeriodSeconds: 30,
      deletionTimestamp: '2026-01-01T00:00:30Z',
    })
    expect(await grace('?gracePeriodSeconds=60')).toMatchObject({ deletionGracePeriodSeconds: 30 })
    expect(await grace('?gracePeriodSeconds=5')).toMatchObject({
      deletionGracePeriodSeconds: 5,
      deletionTimestamp: '2026-01-01T00:00:05Z',
    })
    expect(await grace('?gracePeriodSeconds=0')).toMatchObject({ deletionGracePeriodSeconds: 0 })
    expect((await server.send('GET', `${PODS}/p`)).status).toBe(404)
  })

  it('without a node is immediate, but watchers see the deletion mark first', async () => {
    const server = testServer()
    await podOn(server, undefined)
    const watch = await server.watch(`${PODS}?watch=1`)
    await server.send('DELETE', `${PODS}/p`)
    expect(
      watch.events.map(({ type, object }) => [type, object.metadata.deletionGracePeriodSeconds]),
    ).toEqual([
      ['ADDED', undefined],
      ['MODIFIED', 0],
      ['DELETED', 0],
    ])
  })

  it('completes even if a watcher of the mark completed it first', async () => {
    const server = testServer()
    await podOn(server, undefined)
    let second: Promise<{ status: number }> | undefined
    const leave = await server.open(`${PODS}?watch=1`, {
      write(chunk) {
        if (Buffer.from(chunk).includes('MODIFIED'))
          second = server.send('DELETE', `${PODS}/p?gracePeriodSeconds=0`)
        return true
      },
      end: () => {},
      abort: () => {},
    })
    const first = await server.send('DELETE', `${PODS}/p`)
    expect([
      first.status,
      first.body.metadata.deletionGracePeriodSeconds,
      (await second)?.status,
    ]).toEqual([200, 0, 200])
    expect((await server.send('DELETE', `${PODS}/p`)).status).toBe(404)
    leave()
  })
})

describe('deleting a namespace', () => {
  it('sets the phase Terminating; the namespace goes when its finalizers are removed', async () => {
    const server = testServer()
    await server.send('POST', '/api/v1/namespaces', { metadata: { name: 'n' } })
    const { body } = await server.send('DELETE', '/api/v1/namespaces/n')
    expect(body).toMatchObject({
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Terminating' },
    })
    expect(body.metadata.deletionGracePeriodSeconds).toBeUndefined()
    expect(
      await server.send('POST', '/api/v1/namespaces/n/configmaps', configMap('a')),
    ).toMatchObject({ status: 403 })
    await server.send('PUT', '/api/v1/namespaces/n/finalize', {
      metadata: { name: 'n' },
      spec: { finalizers: [] },
    })
    expect((await server.send('GET', '/api/v1/namespaces/n')).status).toBe(404)
  })

  it('waits for dependents unless the policy is Orphan', async () => {
    const server = testServer()
    for (const [name, orphanDependents, finalizers] of [
      ['kept', false, ['foregroundDeletion']],
      ['left', true, ['orphan']],
    ] as const) {
      await server.send('POST', '/api/v1/namespaces', { metadata: { name } })
      const { body } = await server.send(
        'DELETE',
        `/api/v1/namespaces/${name}?orphanDependents=${orphanDependents}`,
      )
      expect(body.metadata).toMatchObject({ finalizers })
    }
  })

  it('keeps generation and finalizers, however often it is requested', async () => {
    const server = testServer()
    const metadata = { name: 'n', generation: 4, finalizers: ['example.com/wait'] }
    await server.send('POST', '/api/v1/namespaces', { metadata })
    await server.send('PUT', '/api/v1/namespaces/n/finalize', { metadata, spec: {} })
    await server.send('DELETE', '/api/v1/namespaces/n')
    const { body } = await server.send('DELETE', '/api/v1/namespaces/n?orphanDependents=false')
    expect(body.metadata).toMatchObject({
      generation: 4,
      deletionGracePeriodSeconds: 0,
      finalizers: metadata.finalizers,
    })
  })

  it('rejects writes in the namespace once it is gone', async () => {
    const server = testServer()
    await server.send('POST', '/api/v1/namespaces', { metadata: { name: 'n' } })
    await server.send('POST', '/api/v1/namespaces/n/configmaps', configMap('a'))
    await server.send('DELETE', '/api/v1/namespaces/n')
    await server.send('PUT', '/api/v1/namespaces/n/finalize', { metadata: { name: 'n' }, spec: {} })
    const put = await server.send(
      'PUT',
      '/api/v1/namespaces/n/configmaps/a',
      configMap('a', { k: 'v' }),
    )
    expect(put).toMatchObject({ status: 404, body: { message: 'namespaces "n" not found' } })
    expect((await server.send('DELETE', '/api/v1/namespaces/n/configmaps/a')).status).toBe(200)
  })
})
