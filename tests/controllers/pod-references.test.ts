/**
 * A pod waits for required ConfigMaps and Secrets (kubernetes.io, "Configure a Pod to Use a
 * ConfigMap").
 */
import { afterEach, describe, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

const CORE = '/api/v1/namespaces/default'
let cluster: Cluster
afterEach(() => cluster.close())

async function pod(container: object, spec: object = {}): Promise<void> {
  cluster = await testCluster({ nodes: 1 })
  await cluster.pass(1)
  const containers = [{ name: 'c', image: 'img:1', ...container }]
  await cluster.sendRequest({
    method: 'POST',
    path: `${CORE}/pods`,
    body: { metadata: { name: 'web' }, spec: { nodeName: 'node-1', containers, ...spec } },
  })
  await cluster.pass(30)
}

const create = async (plural: string, body: object) => {
  await cluster.sendRequest({ method: 'POST', path: `${CORE}/${plural}`, body })
  await cluster.pass(5)
}
const state = async () =>
  (await cluster.sendRequest({ path: `${CORE}/pods/web` })).json.status.containerStatuses[0].state
const reported = async () => {
  const { items } = (
    await cluster.sendRequest({
      path: `${CORE}/events?fieldSelector=type=Warning,involvedObject.name=web`,
    })
  ).json
  return items.map(({ reason, message }: { reason: string; message: string }) => [reason, message])
}
const volume = (source: object) => ({ volumes: [{ name: 'v', ...source }] })

describe('the environment of a container', () => {
  const key = (kind: 'configMapKeyRef' | 'secretKeyRef', more: object = {}) => ({
    env: [{ name: 'A', valueFrom: { [kind]: { name: 'own', key: 'k', ...more } } }],
  })

  it.each([
    ['a key of a config map', key('configMapKeyRef'), 'configmap', 'ConfigMap', 'configmaps'],
    ['a key of a secret', key('secretKeyRef'), 'secret', 'Secret', 'secrets'],
  ])('waits for %s', async (_, container, lower, kind, plural) => {
    await pod(container)
    const missing = `${lower} "own" not found`
    expect(await state()).toEqual({
      waiting: { reason: 'CreateContainerConfigError', message: missing },
    })
    expect(await reported()).toEqual([['Failed', `Error: ${missing}`]])
    await create(plural, { metadata: { name: 'own' } })
    expect((await state()).waiting.message).toBe(`couldn't find key k in ${kind} default/own`)
    const headers = { 'content-type': 'application/merge-patch+json' }
    await cluster.sendRequest({
      method: 'PATCH',
      path: `${CORE}/${plural}/own`,
      body: { data: { k: 'eA==' } },
      headers,
    })
    await cluster.pass(5)
    expect(await state()).toMatchObject({ running: {} })
  })

  it('waits for all references of envFrom, unless optional', async () => {
    await pod({ envFrom: [{ secretRef: { name: 'own' } }] })
    expect((await state()).waiting.message).toBe('secret "own" not found')
    await cluster.close()
    await pod({
      envFrom: [{ secretRef: { name: 'own', optional: true } }],
      ...key('configMapKeyRef', { optional: true }),
    })
    expect(await state()).toMatchObject({ running: {} })
  })
})

it('rejects root with runAsNonRoot', async () => {
  await pod({ securityContext: { runAsUser: 0 } }, { securityContext: { runAsNonRoot: true } })
  const { metadata } = (await cluster.sendRequest({ path: `${CORE}/pods/web` })).json
  const message = `container's runAsUser breaks non-root policy (pod: "web_default(${metadata.uid})", container: c)`
  expect(await state()).toEqual({ waiting: { reason: 'CreateContainerConfigError', message } })
  expect(await reported()).toEqual([['Failed', `Error: ${message}`]])
})

describe('a volume', () => {
  const projected = (source: object) => ({ projected: { sources: [source] } })
  const items = [{ key: 'k', path: 'p' }]

  it.each([
    [
      'a config map among others',
      projected({ configMap: { name: 'own', items } }),
      'configmap',
      'config',
      'configmaps',
    ],
    [
      'a secret among others',
      projected({ secret: { name: 'own', items } }),
      'secret',
      'secret',
      'secrets',
    ],
    [
      'a config map',
      { configMap: { name: 'own', items: [{ key: 'k', path: 'p' }] } },
      'configmap',
      'config',
      'configmaps',
    ],
    [
      'a secret',
      { secret: { secretName: 'own', items: [{ key: 'k', path: 'p' }] } },
      'secret',
      'secret',
      'secrets',
    ],
  ])('waits for %s and its keys', async (_, source, kind, of, plural) => {
    await pod({}, volume(source))
    expect((await state()).waiting.reason).toBe('ContainerCreating')
    const failed = 'MountVolume.SetUp failed for volume "v" :'
    expect(await reported()).toEqual([['FailedMount', `${failed} ${kind} "own" not found`]])
    await create(plural, { metadata: { name: 'own' } })
    expect((await reported()).at(-1)).toEqual([
      'FailedMount',
      `${failed} references non-existent ${of} key: k`,
    ])
    await cluster.sendRequest({ method: 'DELETE', path: `${CORE}/${plural}/own` })
    await create(plural, { metadata: { name: 'own' }, data: { k: 'eA==' } })
    expect(await state()).toMatchObject({ running: {} })
  })

  it('reports all missing references at once', async () => {
    const sources = ['a', 'b', 'c'].map((name) => ({ secret: { name, optional: name === 'b' } }))
    await pod({}, volume({ projected: { sources } }))
    const missing = '[secret "a" not found, secret "c" not found]'
    expect(await reported()).toEqual([
      ['FailedMount', `MountVolume.SetUp failed for volume "v" : ${missing}`],
    ])
  })

  it('may lose its references once the containers run', async () => {
    await pod({}, volume({ configMap: { name: 'own', optional: true } }))
    expect(await state()).toMatchObject({ running: {} })
    await cluster.close()
    await pod({}, volume({ configMap: { name: 'kube-root-ca.crt' } }))
    await cluster.sendRequest({ method: 'DELETE', path: `${CORE}/configmaps/kube-root-ca.crt` })
    await cluster.pass(60)
    expect(await state()).toMatchObject({ running: {} })
    expect(await reported()).toEqual([])
  })
})

describe('a subPath of a volume', () => {
  const below = (subPathExpr: string, value?: string) => ({
    env: value === undefined ? [] : [{ name: 'PLACE', value }],
    volumeMounts: [{ name: 'v', mountPath: '/data', subPathExpr }],
  })
  const volumes = volume({ emptyDir: {} })

  it.each([
    ['$(PLACE)', undefined, 'missing value for PLACE'],
    ['$(PLACE)', '', 'missing value for PLACE'],
    ['$(TWO)/$(ONE)', undefined, 'missing value for ONE, TWO'],
    ['$(PLACE)', '/tmp', 'error SubPath `/tmp` must not be an absolute path'],
    ['$(PLACE)', '..', "unable to provision SubPath `..`: must not contain '..'"],
    ['a/$(PLACE)/b', '../..', "unable to provision SubPath `a/../../b`: must not contain '..'"],
  ])('blocks a container: %s with %j', async (path, value, message) => {
    await pod(below(path, value), volumes)
    expect(await state()).toEqual({ waiting: { reason: 'CreateContainerConfigError', message } })
    expect(await reported()).toEqual([['Failed', `Error: ${message}`]])
  })

  it.each([
    ['$(PLACE)', 'a..b/c'],
    ['$$(PLACE)', undefined],
    ['$(HOSTNAME_)x', undefined],
  ])('is accepted: %s with %j', async (path, value) => {
    const env = [{ name: 'HOSTNAME_', value: 'y' }]
    await pod({ ...below(path, value), ...(value === undefined && { env }) }, volumes)
    expect(await state()).toMatchObject({ running: {} })
  })

  it('is checked again when the pod has changed', async () => {
    const env = [
      { name: 'PLACE', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['place']" } } },
    ]
    await pod({ ...below('$(PLACE)'), env }, volumes)
    expect((await state()).waiting.message).toBe('missing value for PLACE')
    const headers = { 'content-type': 'application/merge-patch+json' }
    await cluster.sendRequest({
      method: 'PATCH',
      path: `${CORE}/pods/web`,
      body: { metadata: { annotations: { place: 'here' } } },
      headers,
    })
    await cluster.pass(5)
    expect(await state()).toMatchObject({ running: {} })
  })
})

describe('a RuntimeClass', () => {
  const CLASSES = '/apis/node.k8s.io/v1/runtimeclasses'
  const classed = async (handler: string) => {
    cluster = await testCluster({ nodes: 1 })
    await cluster.pass(1)
    await cluster.sendRequest({
      method: 'POST',
      path: CLASSES,
      body: { metadata: { name: 'own' }, handler },
    })
    const spec = {
      nodeName: 'node-1',
      runtimeClassName: 'own',
      containers: [{ name: 'c', image: 'img:1' }],
    }
    await cluster.sendRequest({
      method: 'POST',
      path: `${CORE}/pods`,
      body: { metadata: { name: 'web' }, spec },
    })
    await cluster.pass(30)
  }
  const sandbox = async () => (await cluster.sendRequest({ path: `${CORE}/pods/web` })).json.status

  it('with a supported handler has no effect', async () => {
    await classed('runc')
    expect(await state()).toMatchObject({ running: {} })
  })

  it('with an unsupported handler keeps the pod in ContainerCreating', async () => {
    await classed('unknown')
    expect(await state()).toEqual({ waiting: { reason: 'ContainerCreating' } })
    expect((await sandbox()).phase).toBe('Pending')
    expect((await sandbox()).conditions).toContainEqual(
      expect.objectContaining({ type: 'PodReadyToStartContainers', status: 'False' }),
    )
    expect(await reported()).toEqual([
      [
        'FailedCreatePodSandBox',
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "unknown" is configured',
      ],
    ])
  })

  it('is looked up again when it is recreated', async () => {
    await classed('unknown')
    await cluster.sendRequest({ method: 'DELETE', path: `${CLASSES}/own` })
    await cluster.pass(1)
    expect((await reported()).at(-1)[1]).toBe(
      'Failed to create pod sandbox: runtimeclass.node.k8s.io "own" not found',
    )
    await cluster.sendRequest({
      method: 'POST',
      path: CLASSES,
      body: { metadata: { name: 'own' }, handler: 'runc' },
    })
    await cluster.pass(5)
    expect(await state()).toMatchObject({ running: {} })
  })

  it('follows the handlers in the status of the node', async () => {
    await classed('kata')
    const body = { status: { runtimeHandlers: [{ name: 'kata' }] } }
    const headers = { 'content-type': 'application/merge-patch+json' }
    await cluster.sendRequest({
      method: 'PATCH',
      path: '/api/v1/nodes/node-1/status',
      body,
      headers,
    })
    await cluster.sendRequest({
      method: 'PATCH',
      path: `${CORE}/pods/web`,
      body: { metadata: { labels: { look: 'again' } } },
      headers,
    })
    await cluster.pass(5)
    expect(await state()).toMatchObject({ running: {} })
  })
})
