/** Workloads of `apps`: their defaults and their generation. */
import { describe, expect, it } from 'vitest'
import type { JsonObject, KubeObject } from '../../src/engine/core/object'
import { type Causes, testServer } from './server'

const APPS = '/apis/apps/v1/namespaces/default'
const MERGE = 'application/merge-patch+json'
const GENERATION = 'deprecated.daemonset.template.generation'
const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
}
const workload = (metadata: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata,
  spec: { selector: { matchLabels: { a: 'b' } }, template, ...more },
})

describe('the updateStrategy of a stateful set', () => {
  it.each<[output: JsonObject | undefined, stored: JsonObject]>([
    [undefined, { type: 'RollingUpdate', rollingUpdate: { partition: 0 } }],
    [{ rollingUpdate: {} }, { type: 'RollingUpdate', rollingUpdate: { partition: 0 } }],
    [
      { type: 'RollingUpdate', rollingUpdate: {} },
      { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    ],
    [{ type: 'RollingUpdate' }, { type: 'RollingUpdate' }],
    [{ type: 'OnDelete' }, { type: 'OnDelete' }],
  ])('%j is kept as %j', async (output, stored) => {
    const set = workload({ name: 'db' }, output ? { updateStrategy: output } : {})
    const { body } = await testServer().send<KubeObject>('POST', `${APPS}/statefulsets`, set)
    expect((body.spec as JsonObject).updateStrategy).toEqual(stored)
  })
})

it('rejects an empty list as a set field where a template forbids the field', async () => {
  const looking = {
    ...template,
    spec: { ...template.spec, ephemeralContainers: [{ name: 'e', image: 'i', ports: [] }] },
  }
  const { body } = await testServer().send<{ details: { causes: { field: string }[] } }>(
    'POST',
    `${APPS}/deployments`,
    workload({ name: 'web' }, { template: looking }),
  )
  expect(body.details.causes.map(({ field }) => field)).toContain(
    'spec.template.spec.ephemeralContainers[0].ports',
  )
})

it('selects stateful sets by name and namespace only', async () => {
  const { status, body } = await testServer().send<{ message: string }>(
    'GET',
    `${APPS}/statefulsets?fieldSelector=status.successful%3D1`,
  )
  expect([status, body.message]).toEqual([
    400,
    '"status.successful" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ])
})

it('reports status errors of a stateful set before metadata errors', async () => {
  const server = testServer()
  await server.send('POST', `${APPS}/statefulsets`, workload({ name: 'db' }))
  const written = {
    ...workload({ name: 'db', finalizers: ['unqualified'] }),
    status: { replicas: -1, readyReplicas: -1 },
  }
  const { body } = await server.send<Causes>('PUT', `${APPS}/statefulsets/db/status`, written)
  expect(body.details?.causes?.map(({ field }) => field)).toEqual([
    ...['status.replicas', 'status.readyReplicas'],
    ...[
      'status.currentReplicas',
      'status.updatedReplicas',
      'status.availableReplicas',
      'status.availableReplicas',
    ],
    'metadata.finalizers[0]',
  ])
})

describe('the template generation of a daemon set', () => {
  it('starts at the annotation value if it is positive', async () => {
    const server = testServer()
    for (const [output, kept] of [
      ['5', '5'],
      ['+07', '7'],
      ['0', '1'],
      ['-3', '1'],
    ] as const) {
      const set = workload({
        name: `set${kept}${output.length}`,
        annotations: { [GENERATION]: output },
      })
      const { body } = await server.send<KubeObject>('POST', `${APPS}/daemonsets?dryRun=All`, set)
      expect(body.metadata.annotations).toEqual({ [GENERATION]: kept })
    }
  })

  it('must be a number; each kind of write reports it differently', async () => {
    const server = testServer()
    await server.send('POST', `${APPS}/daemonsets`, workload({ name: 'set' }))
    const why = 'strconv.ParseInt: parsing "x": invalid syntax'
    const set = {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      ...workload({ name: 'set', annotations: { [GENERATION]: 'x' } }),
    }
    const rejection = async (method: string, path: string, contentType?: string) => {
      const { status, body } = await server.send<{ message: string }>(
        method,
        `${APPS}/daemonsets${path}`,
        set,
        contentType,
      )
      return [status, body.message]
    }
    const unread = [400, `DaemonSet in version "v1" cannot be handled as a DaemonSet: ${why}`]
    expect(await rejection('POST', '')).toEqual(unread)
    expect(await rejection('PUT', '/set')).toEqual(unread)
    expect(await rejection('PUT', '/set/status')).toEqual(unread)
    expect(await rejection('PATCH', '/set', 'application/strategic-merge-patch+json')).toEqual([
      500,
      why,
    ])
    const [status, message] = await rejection('PATCH', '/set', 'application/merge-patch+json')
    expect([status, String(message).endsWith(why)]).toEqual([422, true])
    expect(await rejection('PATCH', '/new?fieldManager=a', 'application/apply-patch+yaml')).toEqual(
      [500, `failed to convert to unversioned (/set; apps/v1, Kind=DaemonSet): ${why}`],
    )
  })

  it('is kept by a status update without it', async () => {
    const server = testServer()
    await server.send(
      'POST',
      `${APPS}/daemonsets`,
      workload({ name: 'set', annotations: { [GENERATION]: '4' } }),
    )
    const { body } = await server.send<KubeObject>(
      'PUT',
      `${APPS}/daemonsets/set/status`,
      workload({ name: 'set' }),
    )
    expect(body.metadata.annotations).toEqual({ [GENERATION]: '4' })
  })
})

it('warns of dotted names that become pod hostnames, not for daemon sets', async () => {
  const server = testServer()
  const warnings = async (kind: string) =>
    (await server.send('POST', `${APPS}/${kind}?dryRun=All`, workload({ name: 'a.b' }))).headers
      .warning !== undefined
  expect(await warnings('deployments')).toBe(true)
  expect(await warnings('daemonsets')).toBe(false)
})

it('names the Spec of a volume claim template in warnings of updates only', async () => {
  const server = testServer()
  const claim = {
    metadata: { name: 'd' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '0.5' } } },
  }
  const made = await server.send(
    'POST',
    `${APPS}/statefulsets`,
    workload({ name: 'a' }, { volumeClaimTemplates: [claim] }),
  )
  const changed = await server.send(
    'PATCH',
    `${APPS}/statefulsets/a`,
    { metadata: { labels: { a: 'b' } } },
    MERGE,
  )
  const why = 'resources.requests[storage]: fractional byte value'
  expect(String(made.headers.warning)).toContain(`spec.volumeClaimTemplates[0].${why}`)
  expect(String(changed.headers.warning)).toContain(`spec.volumeClaimTemplates[0].Spec.${why}`)
})

describe('a controller revision', () => {
  interface ErrorBody {
    details: { causes: { field: string; message: string }[] }
  }
  const REVISIONS = `${APPS}/controllerrevisions`
  const causes = async (
    server: ReturnType<typeof testServer>,
    method: string,
    path: string,
    body: JsonObject,
  ) =>
    (
      await server.send<ErrorBody>(method, path, body, method === 'PATCH' ? MERGE : undefined)
    ).body.details.causes.map(({ field, message }) => `${field}: ${message}`)

  it('requires data on create', async () => {
    expect(
      await causes(testServer(), 'POST', REVISIONS, { metadata: { name: 'a' }, revision: -1 }),
    ).toEqual([
      'revision: Invalid value: -1: must be greater than or equal to 0',
      'data: Required value: data is mandatory',
    ])
  })

  it('has immutable data, which cannot be removed', async () => {
    const server = testServer()
    await server.send('POST', REVISIONS, { metadata: { name: 'a' }, revision: 1, data: { a: 1 } })
    expect(await causes(server, 'PATCH', `${REVISIONS}/a`, { data: null })).toEqual([
      'data: Invalid value: runtime.RawExtension{Raw:[]uint8(nil), Object:runtime.Object(nil)}: field is immutable',
    ])
  })
})
