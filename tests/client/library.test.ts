/** The official client library against the headless server. */
import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  type Informer,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  Watch,
} from '@kubernetes/client-node'
import { beforeAll, describe, expect, inject, it } from 'vitest'

const config = new KubeConfig()
config.loadFromFile(inject('kubeconfig'))
const core = config.makeApiClient(CoreV1Api)
const apps = config.makeApiClient(AppsV1Api)
const namespace = 'library'

beforeAll(async () => {
  await core.createNamespace({ body: { metadata: { name: namespace } } })
})

const settings = (name: string, data: Record<string, string>): V1ConfigMap => ({
  metadata: { name, namespace },
  data,
})

describe('a client library', () => {
  it('creates, reads, replaces and deletes', async () => {
    const created = await core.createNamespacedConfigMap({
      namespace,
      body: settings('life', { color: 'blue' }),
    })
    expect(created.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/)
    expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date)
    const read = await core.readNamespacedConfigMap({ namespace, name: 'life' })
    expect(read).toEqual(created)
    const replaced = await core.replaceNamespacedConfigMap({
      namespace,
      name: 'life',
      body: { ...read, data: { color: 'red' } },
    })
    expect(replaced.data).toEqual({ color: 'red' })
    expect(replaced.metadata?.resourceVersion).not.toBe(read.metadata?.resourceVersion)
    expect(await core.deleteNamespacedConfigMap({ namespace, name: 'life' })).toMatchObject({
      status: 'Success',
      details: { name: 'life' },
    })
  })

  it('lists in pages', async () => {
    for (const name of ['page-a', 'page-b', 'page-c'])
      await core.createNamespacedConfigMap({
        namespace,
        body: { metadata: { name, labels: { paged: 'yes' } } },
      })
    const first = await core.listNamespacedConfigMap({
      namespace,
      labelSelector: 'paged=yes',
      limit: 2,
    })
    expect(first.items.map((item) => item.metadata?.name)).toEqual(['page-a', 'page-b'])
    const second = await core.listNamespacedConfigMap({
      namespace,
      labelSelector: 'paged=yes',
      limit: 2,
      _continue: first.metadata?._continue ?? '',
    })
    expect(second.items.map((item) => item.metadata?.name)).toEqual(['page-c'])
    expect(second.metadata?._continue).toBeUndefined()
  })

  it('patches in every way', async () => {
    const container = { name: 'web', image: 'nginx:1' }
    const labels = { app: 'web' }
    await apps.createNamespacedDeployment({
      namespace,
      body: {
        metadata: { name: 'web' },
        spec: {
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container] } },
        },
      },
    })
    const patch = (body: unknown, strategy: string, more: object = {}) =>
      apps.patchNamespacedDeployment(
        { namespace, name: 'web', body, ...more },
        setHeaderOptions('Content-Type', strategy),
      )
    const merged = await patch({ spec: { replicas: 2 } }, PatchStrategy.MergePatch)
    expect(merged.spec?.replicas).toBe(2)
    const jsonPatched = await patch(
      [{ op: 'replace', path: '/spec/replicas', value: 3 }],
      PatchStrategy.JsonPatch,
    )
    expect(jsonPatched.spec?.replicas).toBe(3)
    const strategic = await patch(
      {
        spec: { template: { spec: { containers: [{ name: 'web', imagePullPolicy: 'Always' }] } } },
      },
      PatchStrategy.StrategicMergePatch,
    )
    expect(strategic.spec?.template.spec?.containers).toMatchObject([
      { ...container, imagePullPolicy: 'Always' },
    ])
    const applied = await patch(
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', annotations: { by: 'apply' } },
      },
      PatchStrategy.ServerSideApply,
      {
        fieldManager: 'tests',
      },
    )
    expect(
      applied.metadata?.managedFields?.find(({ manager }) => manager === 'tests')?.operation,
    ).toBe('Apply')
  })

  it('gets errors as Status objects', async () => {
    const missing = await core
      .readNamespacedConfigMap({ namespace, name: 'missing' })
      .catch((error: unknown) => error)
    expect(missing).toBeInstanceOf(ApiException)
    const { code, body } = missing as ApiException<string>
    expect(code).toBe(404)
    expect(JSON.parse(body)).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'configmaps "missing" not found',
      reason: 'NotFound',
      details: { name: 'missing', kind: 'configmaps' },
      code: 404,
    })
  })

  it('watches from a resource version', async () => {
    const { metadata } = await core.listNamespacedConfigMap({ namespace })
    const seen: string[] = []
    let abort = () => {}
    const done = new Promise<void>((resolve, reject) => {
      const onEvent = (phase: string, object: V1ConfigMap) => {
        seen.push(`${phase} ${object.metadata?.name}`)
        if (phase === 'DELETED') resolve()
      }
      const path = `/api/v1/namespaces/${namespace}/configmaps`
      new Watch(config)
        .watch(
          path,
          { resourceVersion: metadata?.resourceVersion, fieldSelector: 'metadata.name=watched' },
          onEvent,
          (error) => error && reject(error),
        )
        .then((controller) => {
          abort = () => controller.abort()
        }, reject)
    })
    await core.createNamespacedConfigMap({ namespace, body: settings('unwatched', {}) })
    const created = await core.createNamespacedConfigMap({
      namespace,
      body: settings('watched', { a: '1' }),
    })
    await core.replaceNamespacedConfigMap({
      namespace,
      name: 'watched',
      body: { ...created, data: { a: '2' } },
    })
    await core.deleteNamespacedConfigMap({ namespace, name: 'watched' })
    await done
    abort()
    expect(seen).toEqual(['ADDED watched', 'MODIFIED watched', 'DELETED watched'])
  })

  it('keeps an informer current', async () => {
    await core.createNamespacedConfigMap({
      namespace,
      body: {
        ...settings('before', {}),
        metadata: { name: 'before', labels: { informed: 'yes' } },
      },
    })
    const labelSelector = 'informed=yes'
    const informer = makeInformer<V1ConfigMap>(
      config,
      `/api/v1/namespaces/${namespace}/configmaps`,
      () => core.listNamespacedConfigMap({ namespace, labelSelector }),
      labelSelector,
    )
    const added = nameOf(informer, 'add')
    await informer.start()
    expect(await added).toBe('before')
    const next = nameOf(informer, 'add', 'after')
    await core.createNamespacedConfigMap({
      namespace,
      body: { ...settings('after', {}), metadata: { name: 'after', labels: { informed: 'yes' } } },
    })
    expect(await next).toBe('after')
    const gone = nameOf(informer, 'delete')
    await core.deleteNamespacedConfigMap({ namespace, name: 'before' })
    expect(await gone).toBe('before')
    await informer.stop()
  })
})

/** The name in the informer's next notification (or in the next one about `wanted`). */
function nameOf(
  informer: Informer<V1ConfigMap>,
  verb: 'add' | 'delete',
  wanted?: string,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    informer.on(verb, (object) => {
      const name = object.metadata?.name
      if (wanted === undefined || name === wanted) resolve(name)
    })
  })
}
