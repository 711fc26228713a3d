import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../src/engine/core/environment'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { CONFIG_MAPS, configMap, testServer } from './server'

interface ErrorBody {
  message: string
  details: { causes: { field: string }[] }
}

describe('creating', () => {
  it('as a dry run does not reach the store, which rejects a resourceVersion', async () => {
    const { send } = testServer()
    const body = { metadata: { name: 'a', resourceVersion: '7' } }
    expect((await send<ErrorBody>('POST', CONFIG_MAPS, body)).body.message).toBe(
      'resourceVersion should not be set on objects to be created',
    )
    const { status, body: reported } = await send('POST', `${CONFIG_MAPS}?dryRun=All`, body)
    expect([status, reported.metadata.resourceVersion]).toEqual([201, '7'])
    const other = await send<ErrorBody>('PUT', `${CONFIG_MAPS}/a?dryRun=All`, {
      metadata: { name: 'a', uid: 'u' },
    })
    expect(other.body.message).toContain('Key: /configmaps/default/a, ')
  })

  it('by generateName generates a free name', async () => {
    const server = testServer()
    const names = new Set<string>()
    for (let i = 0; i < 50; i++) {
      const { body } = await server.send('POST', CONFIG_MAPS, { metadata: { generateName: 'a-' } })
      expect(body.metadata.name).toMatch(/^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
      names.add(body.metadata.name ?? '')
    }
    expect(names.size).toBe(50)
  })

  it('by generateName retries on a conflict, and fails in the end', async () => {
    const suffixes = [0, 0, 0, 1]
    const seeded = seededRandom(1)
    const server = testServer({
      // Suffixes are five bytes; all other calls return random bytes.
      random: {
        bytes: (into) =>
          into.length === 5 ? into.fill(suffixes.shift() ?? 1) : seeded.bytes(into),
      },
    })
    const create = () =>
      server.send<KubeObject & ErrorBody>('POST', CONFIG_MAPS, { metadata: { generateName: 'a-' } })
    expect((await create()).body.metadata.name).toBe('a-bbbbb')
    expect((await create()).body.metadata.name).toBe('a-ccccc')
    const { status, headers, body } = await create()
    expect([status, headers['retry-after']]).toEqual([409, '1'])
    expect(body.message).toContain(
      'the server was not able to generate a unique name for the object',
    )
  })

  it('drops server-side metadata, without an owner for it', async () => {
    const { body } = await testServer().send('POST', CONFIG_MAPS, {
      metadata: {
        name: 'a',
        uid: 'u',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 5,
        selfLink: '/x',
      },
      data: { k: 'v' },
    })
    expect(body.metadata).toMatchObject({ creationTimestamp: '2026-01-01T00:00:00Z' })
    expect(Object.keys(body.metadata)).not.toContain('deletionTimestamp')
    expect(body.metadata.managedFields?.[0]?.fieldsV1).toEqual({ 'f:data': { '.': {}, 'f:k': {} } })
  })
})

it('a dry run of a patch keeps selfLink, which the store would drop', async () => {
  const server = testServer()
  await server.send('POST', CONFIG_MAPS, configMap('a'))
  const change = async (query: string) =>
    (
      await server.send(
        'PATCH',
        `${CONFIG_MAPS}/a${query}`,
        { metadata: { selfLink: '/x' } },
        'application/merge-patch+json',
      )
    ).body.metadata
  expect(await change('?dryRun=All')).toMatchObject({ selfLink: '/x' })
  expect(await change('')).not.toHaveProperty('selfLink')
})

it('a dry run of a creating apply keeps selfLink, which the store would drop', async () => {
  const applied = async (query: string) => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', selfLink: '/x' } }
    const target = `${CONFIG_MAPS}/a?fieldManager=me${query}`
    return (await testServer().send('PATCH', target, body, 'application/apply-patch+yaml')).body
      .metadata
  }
  expect(await applied('&dryRun=All')).toMatchObject({ selfLink: '/x' })
  expect(await applied('')).not.toHaveProperty('selfLink')
})

describe('a new object with a resourceVersion', () => {
  const REJECTED = 'resourceVersion should not be set on objects to be created'
  const create = (query: string, name: string, resourceVersion: string) =>
    testServer().send<{ message?: string } & KubeObject>('POST', `${CONFIG_MAPS}${query}`, {
      metadata: { name, resourceVersion },
    })

  it('is rejected only by the store', async () => {
    expect((await create('', 'a', '7')).body.message).toBe(REJECTED)
    expect((await create('', '-', '7')).status).toBe(422)
    expect((await create('?dryRun=All', 'a', '7')).body.metadata).toMatchObject({
      resourceVersion: '7',
    })
  })
  it('is accepted if the resourceVersion is empty, 0 or invalid', async () => {
    for (const none of ['', '0', 'x']) expect((await create('', 'a', none)).status).toBe(201)
  })
})

describe('an object that only its managedFields make too large', () => {
  const many = Object.fromEntries(
    Array.from({ length: 9000 }, (_, i) => [`${'k'.repeat(80)}.${i}`, '1']),
  )
  const small = { metadata: { name: 'a' }, data: { [`${'k'.repeat(80)}.0`]: '1' } }
  const big = { metadata: { name: 'a' }, data: many }
  const apply = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
  const applied = 'application/apply-patch+yaml'

  it.each<[string, 'POST' | 'PUT' | 'PATCH', string?]>([
    ['a create', 'POST'],
    ['an update', 'PUT'],
    ['a patch', 'PATCH', 'application/merge-patch+json'],
  ])(
    'is stored without it by %s; an apply, which needs it, is rejected',
    async (_, method, type) => {
      const server = testServer()
      if (method !== 'POST') await server.send('POST', CONFIG_MAPS, small)
      const { status, body } = await server.send(
        method,
        method === 'POST' ? CONFIG_MAPS : `${CONFIG_MAPS}/a`,
        big,
        type,
      )
      expect([status, body.metadata.managedFields]).toEqual([
        method === 'POST' ? 201 : 200,
        undefined,
      ])
      const rejected = await server.send<ErrorBody>(
        'PATCH',
        `${CONFIG_MAPS}/a?fieldManager=m`,
        apply,
        applied,
      )
      expect([rejected.status, rejected.body.message]).toEqual([
        500,
        'etcdserver: request is too large',
      ])
    },
  )
})

describe('a rejected update', () => {
  it('validates a label as often as the kind does', async () => {
    const server = testServer()
    const bad = { metadata: { labels: { a: '!' } } }
    await server.send('POST', CONFIG_MAPS, configMap('a'))
    const ofMap = await server.send<ErrorBody>(
      'PATCH',
      `${CONFIG_MAPS}/a`,
      bad,
      'application/merge-patch+json',
    )
    expect(ofMap.body.details.causes).toHaveLength(4)

    const deployments = '/apis/apps/v1/namespaces/default/deployments'
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    }
    await server.send('POST', deployments, {
      metadata: { name: 'a' },
      spec: { selector: { matchLabels: { app: 'a' } }, template },
    })
    const ofDeployment = await server.send<ErrorBody>(
      'PATCH',
      `${deployments}/a`,
      bad,
      'application/merge-patch+json',
    )
    expect(ofDeployment.body.details.causes).toHaveLength(3)
  })

  it('with another uid reports the storage key, without its prefix in a dry run', async () => {
    const key = async (query: string) => {
      const body = { metadata: { name: 'a', uid: 'other' } }
      return (await testServer().send<{ message: string }>('PUT', `${CONFIG_MAPS}/a${query}`, body))
        .body.message
    }
    expect(await key('')).toContain('Key: /registry/configmaps/default/a,')
    expect(await key('?dryRun=All')).toContain('Key: /configmaps/default/a,')
  })

  it('that creates the object parses the resourceVersion too', async () => {
    const lease = { metadata: { name: 'new', resourceVersion: 'first' } }
    const { status, body } = await testServer().send<ErrorBody>(
      'PUT',
      '/apis/coordination.k8s.io/v1/namespaces/default/leases/new',
      lease,
    )
    expect([status, body.message]).toEqual([
      500,
      'strconv.ParseUint: parsing "first": invalid syntax',
    ])
  })

  it('of a kind that requires a resourceVersion names the resource in the error', async () => {
    const server = testServer()
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
    await server.send('POST', leases, { metadata: { name: 'l' } })
    const { status, body } = await server.send<ErrorBody>('PUT', `${leases}/l`, {
      metadata: { name: 'l' },
    })
    expect([status, body.message]).toEqual([
      422,
      'leases.coordination.k8s.io "l" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
    ])
  })
})

it('concurrent applies of a new name all succeed: one creates, the others update', async () => {
  const server = testServer()
  const apply = (manager: string) =>
    server.send(
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=${manager}`,
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a' },
        data: { [manager]: 'was here' },
      },
      'application/apply-patch+yaml',
    )
  const responses = await Promise.all(['one', 'two', 'three'].map(apply))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  const { body } = await server.send('GET', `${CONFIG_MAPS}/a`)
  expect(body.data).toEqual({ one: 'was here', two: 'was here', three: 'was here' })
})

describe('the generation', () => {
  it('of a deployment rises with spec and annotations, not with labels or status', async () => {
    const server = testServer()
    const target = '/apis/apps/v1/namespaces/default/deployments'
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    }
    await server.send('POST', target, {
      metadata: { name: 'a' },
      spec: { selector: { matchLabels: { app: 'a' } }, template },
    })
    const generationAfter = async (path: string, patch: object) =>
      (
        await server.send(
          'PATCH',
          `${target}/${path}`,
          patch as never,
          'application/merge-patch+json',
        )
      ).body.metadata.generation
    expect(await generationAfter('a', { metadata: { labels: { x: 'y' } } })).toBe(1)
    expect(await generationAfter('a', { metadata: { annotations: { x: 'y' } } })).toBe(2)
    expect(await generationAfter('a', { spec: { replicas: 3 } })).toBe(3)
    expect(await generationAfter('a/status', { status: { observedGeneration: 3 } })).toBe(3)
  })

  it('of an EndpointSlice treats null like an empty list', async () => {
    const server = testServer()
    const target = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'
    await server.send('POST', target, {
      metadata: { name: 'a' },
      addressType: 'IPv4',
      endpoints: [],
      ports: null,
    })
    const changed = async (patch: JsonObject) => {
      const { generation, resourceVersion } = (
        await server.send('PATCH', `${target}/a`, patch, 'application/merge-patch+json')
      ).body.metadata
      return [generation, resourceVersion]
    }
    const before = await changed({})
    expect(await changed({ endpoints: null })).toEqual(before)
    expect(await changed({ endpoints: [] })).toEqual(before)
    expect((await changed({ endpoints: [{ addresses: ['10.0.0.1'] }] }))[0]).toBe(2)
    expect(
      (
        await changed({
          endpoints: [{ addresses: ['10.0.0.1'], deprecatedTopology: { zone: 'a' } }],
        })
      )[0],
    ).toBe(3)
  })

  it('of a network policy does not rise if a default replaces an empty list', async () => {
    const server = testServer()
    const target = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies'
    await server.send('POST', target, { metadata: { name: 'a' }, spec: { podSelector: {} } })
    const changed = async (spec: JsonObject) =>
      (await server.send('PATCH', `${target}/a`, { spec }, 'application/merge-patch+json')).body
        .metadata.generation
    expect(await changed({ policyTypes: [] })).toBe(1)
    expect(await changed({ ingress: [] })).toBe(2)
  })
})

it.each([
  ['PUT', 'application/json'],
  ['PATCH', 'application/apply-patch+yaml'],
])('an object that a %s creates keeps its deletionTimestamp', async (method, type) => {
  const server = testServer()
  const target = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
  const end = { deletionTimestamp: '2024-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 }
  const lease = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'a', ...end },
  }
  const { status, body } = await server.send(method, `${target}/a?fieldManager=me`, lease, type)
  expect([status, body.metadata]).toEqual([201, expect.objectContaining(end)])
  await server.send('POST', target, { metadata: { name: 'b', ...end } })
  expect((await server.send('GET', `${target}/b`)).body.metadata).not.toHaveProperty(
    'deletionTimestamp',
  )
})
