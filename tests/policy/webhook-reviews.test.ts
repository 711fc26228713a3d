/** The AdmissionReview that webhooks receive: objects, managedFields, options. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { sendRequest, testServer } from '../support/server'

interface Shown extends JsonObject {
  operation: string
  object: (JsonObject & { metadata: JsonObject }) | null
  oldObject: (JsonObject & { metadata: JsonObject }) | null
  options: JsonObject
}

const SPACE = '/api/v1/namespaces/default'
const HOOKS = '/apis/admissionregistration.k8s.io/v1'
const RULES = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }]
const pod = (name: string) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }] },
})
const deployment = {
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: pod('').spec },
  },
}

/** A server whose webhook matches every request and allows it. */
async function watchedServer(kind: 'mutating' | 'validating' = 'validating') {
  const reviews: Shown[] = []
  const server = testServer({
    disableAdmissionPlugins: ['ServiceAccount'],
    outbound: {
      async post({ body }) {
        const { request, ...review } = JSON.parse(body) as { request: Shown & { uid: string } }
        reviews.push(request)
        return {
          status: 200,
          contentType: 'application/json',
          body: JSON.stringify({ ...review, response: { uid: request.uid, allowed: true } }),
        }
      },
    },
  })
  await sendRequest(server, { method: 'POST', path: `${SPACE}/pods`, body: pod('old') })
  await sendRequest(server, {
    method: 'POST',
    path: '/apis/apps/v1/namespaces/default/deployments',
    body: deployment,
  })
  await sendRequest(server, {
    method: 'POST',
    path: `${SPACE}/configmaps`,
    body: { metadata: { name: 'old' } },
  })
  const webhooks = [
    {
      name: 'a.example.com',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      rules: RULES,
      clientConfig: { url: 'https://hooks.example.com' },
    },
  ]
  await sendRequest(server, {
    method: 'POST',
    path: `${HOOKS}/${kind}webhookconfigurations`,
    body: { metadata: { name: 'all' }, webhooks },
  })
  return async (
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<Shown[]> => {
    reviews.length = 0
    await sendRequest(server, { method, path, body, headers: { 'content-type': type } })
    return [...reviews]
  }
}

const managers = (object: Shown['object']) =>
  (object?.metadata.managedFields as JsonObject[] | undefined)?.map((entry) => entry.fieldsV1)

describe('an AdmissionReview contains', () => {
  it.each(['v1', 'apps/v1', 'meta.k8s.io/v1'])(
    'DeleteOptions in their one version, whatever the body: %s',
    async (apiVersion) => {
      const send = await watchedServer()
      const [review] = await send('DELETE', `${SPACE}/configmaps/old`, {
        kind: 'DeleteOptions',
        apiVersion,
        propagationPolicy: 'Orphan',
      })
      expect(review?.options).toEqual({
        kind: 'DeleteOptions',
        apiVersion: 'meta.k8s.io/v1',
        propagationPolicy: 'Orphan',
      })
    },
  )

  it("the grace period of a pod, and the request's own options for a collection", async () => {
    const send = await watchedServer()
    const graces = async (path: string) =>
      (await send('DELETE', `${SPACE}${path}`)).map(({ options }) => options.gracePeriodSeconds)
    expect(await graces('/pods/old?dryRun=All')).toEqual([0])
    expect(await graces('/pods?dryRun=All&gracePeriodSeconds=3')).toEqual([3])
  })

  it('both writes of a pod deletion without grace period', async () => {
    const send = await watchedServer()
    const seen = await send('DELETE', `${SPACE}/pods/old`)
    expect(
      seen.map(({ oldObject, options }) => [
        Boolean(oldObject?.metadata.deletionTimestamp),
        options.gracePeriodSeconds,
      ]),
    ).toEqual([
      [false, 0],
      [true, 0],
    ])
  })

  it('an eviction, without the resulting deletion', async () => {
    const send = await watchedServer()
    const eviction = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'old' },
      deleteOptions: { gracePeriodSeconds: 5 },
    }
    const [review, ...more] = await send('POST', `${SPACE}/pods/old/eviction?dryRun=All`, eviction)
    expect(more).toEqual([])
    expect(review?.object?.deleteOptions).toEqual({ gracePeriodSeconds: 5, dryRun: ['All'] })
    expect(managers(review?.object ?? null)).toEqual([
      { 'f:deleteOptions': { '.': {}, 'f:gracePeriodSeconds': {} } },
    ])
  })

  it.each([
    ['/pods/old/binding', 'binding'],
    ['/bindings', undefined],
  ])('the managedFields of a binding: %s', async (path, subresource) => {
    const send = await watchedServer()
    const [review] = await send('POST', `${SPACE}${path}?dryRun=All`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'old' },
      target: { kind: 'Node', name: 'n' },
    })
    const [entry] = (review?.object?.metadata.managedFields ?? []) as JsonObject[]
    expect([entry?.fieldsV1, entry?.subresource]).toEqual([{ 'f:target': {} }, subresource])
  })

  it('the stored resourceVersion of an unconditional update', async () => {
    const send = await watchedServer()
    const [review] = await send('PUT', `${SPACE}/configmaps/old`, {
      metadata: { name: 'old' },
      data: { a: 'b' },
    })
    expect(review?.object?.metadata.resourceVersion).toBe(
      review?.oldObject?.metadata.resourceVersion,
    )
  })

  it('the managedFields of spec.replicas before a scale', async () => {
    const send = await watchedServer('mutating')
    const path = '/apis/apps/v1/namespaces/default/deployments/web/scale'
    const [review] = await send(
      'PATCH',
      path,
      { spec: { replicas: 2 } },
      'application/merge-patch+json',
    )
    expect(managers(review?.oldObject ?? null)).toEqual([{ 'f:spec': { 'f:replicas': {} } }])
  })

  it.each([
    ['/pods/old/proxy', undefined],
    ['/pods/old/proxy/a/b?x=y', '/a/b'],
    ['/services/any/proxy/', '/'],
    ['/services/any/proxy/z/', '/z/'],
  ])('the proxy path with its slashes: %s', async (path, shown) => {
    const send = await watchedServer()
    const [review] = await send('GET', `${SPACE}${path}`)
    expect(review?.object?.path).toBe(shown)
  })

  it('each port of a port-forward', async () => {
    const send = await watchedServer()
    const [review] = await send('GET', `${SPACE}/pods/old/portforward?ports=80,81&ports=90`)
    expect(review?.object?.ports).toEqual([80, 81, 90])
  })

  it('no namespace for a Namespace with generateName', async () => {
    const send = await watchedServer()
    const [named] = await send('POST', '/api/v1/namespaces?dryRun=All', {
      metadata: { name: 'given' },
    })
    const [generated] = await send('POST', '/api/v1/namespaces?dryRun=All', {
      metadata: { generateName: 'made-' },
    })
    expect([named?.namespace, generated?.namespace]).toEqual(['given', undefined])
  })
})
