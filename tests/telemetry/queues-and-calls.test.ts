/** Metrics of work queues, webhook calls, lists and the size of the store. */
import { expect, it } from 'vitest'
import { type Outbound, OutboundError } from '../../src/engine/core/outbound'
import { MetricRegistry } from '../../src/engine/telemetry/registry'
import { WorkQueueMetrics } from '../../src/engine/telemetry/work-queue-metrics'
import { testCluster } from '../support/cluster'
import { readExposition, type Sample } from '../support/exposition'
import { configMap, sendRequest, testServer } from '../support/server'

const samplesIn = (text: string): Sample[] => readExposition(text).flatMap(({ samples }) => samples)
const sampleOf = (
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string>,
): number | undefined =>
  samples.find(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )?.value

it('counts adds, depth, latency and retries of a queue', () => {
  let now = 0
  const registry = new MetricRegistry()
  const queues = new WorkQueueMetrics(registry, () => now)
  const queue = queues.of('deployment-controller')
  const first = queue.added()
  queue.added()
  now = 2000
  const end = queue.begin(first)
  now = 3000
  queues.read()
  const read = () => samplesIn(registry.text({ release: '1.31', showsHidden: false }))
  const at = (name: string) => sampleOf(read(), `workqueue_${name}`, { name: 'deployment' })
  expect([
    at('adds_total'),
    at('depth'),
    at('unfinished_work_seconds'),
    at('longest_running_processor_seconds'),
  ]).toEqual([2, 1, 1, 1])
  expect(at('queue_duration_seconds_sum')).toBe(2)
  now = 5000
  end()
  queue.retried()
  queue.dropped(1)
  queues.read()
  expect([
    at('depth'),
    at('unfinished_work_seconds'),
    at('work_duration_seconds_sum'),
    at('retries_total'),
  ]).toEqual([0, 0, 3, 1])
})

it('exposes the queues of the running controllers', async () => {
  const cluster = await testCluster({
    controllers: ['namespace-controller', 'serviceaccount-controller'],
  })
  const samples = samplesIn((await cluster.sendRequest({ path: '/metrics' })).text)
  const names = new Set(
    samples.flatMap(({ name, labels }) => (name === 'workqueue_depth' ? [labels.name] : [])),
  )
  expect(names).toEqual(new Set(['namespace', 'serviceaccount']))
  expect(sampleOf(samples, 'workqueue_adds_total', { name: 'serviceaccount' })).toBeGreaterThan(0)
  expect(sampleOf(samples, 'workqueue_depth', { name: 'serviceaccount' })).toBe(0)
  await cluster.close()
})

const webhook = (name: string) => ({
  name: `${name}.example.com`,
  clientConfig: { url: `https://${name}.example.com:8443/evaluate` },
  rules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
  ],
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  failurePolicy: 'Ignore',
})

it('counts webhook requests by host and code, including failed ones', async () => {
  const outbound: Outbound = {
    async post({ url, body }) {
      if (url.includes('absent')) throw new OutboundError('unknown')
      const { apiVersion, kind, request } = JSON.parse(body)
      const response = { apiVersion, kind, response: { uid: request.uid, allowed: true } }
      return { status: 200, contentType: 'application/json', body: JSON.stringify(response) }
    },
  }
  const server = testServer({ outbound })
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
  await sendRequest(server, {
    method: 'POST',
    path,
    body: { metadata: { name: 'w' }, webhooks: [webhook('there'), webhook('absent')] },
  })
  await sendRequest(server, {
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    body: configMap('a'),
  })
  const samples = samplesIn((await sendRequest(server, { path: '/metrics' })).text)
  const requests = samples.filter(({ name }) => name === 'rest_client_requests_total')
  expect(requests.map(({ labels, value }) => ({ ...labels, value }))).toEqual([
    { code: '200', host: 'there.example.com:8443', method: 'POST', value: 1 },
    { code: '<error>', host: 'absent.example.com:8443', method: 'POST', value: 1 },
  ])
  expect(
    sampleOf(samples, 'rest_client_request_size_bytes_sum', { host: 'there.example.com:8443' }),
  ).toBeGreaterThan(100)
  expect(
    sampleOf(samples, 'rest_client_response_size_bytes_count', { host: 'absent.example.com:8443' }),
  ).toBeUndefined()
})

it('exposes the size of the store', async () => {
  const server = testServer()
  const size = async () =>
    sampleOf(
      samplesIn((await sendRequest(server, { path: '/metrics' })).text),
      'apiserver_storage_size_bytes',
      { storage_cluster_id: 'etcd-0' },
    ) ?? 0
  const before = await size()
  const path = '/api/v1/namespaces/default/configmaps'
  await sendRequest(server, {
    method: 'POST',
    path,
    body: configMap('a', { key: 'ä'.repeat(1000) }),
  })
  expect((await size()) - before).toBeGreaterThan(2000)
  await sendRequest(server, { method: 'DELETE', path: `${path}/a` })
  expect(await size()).toBe(before)
})

it('counts objects that lists read, evaluate and return', async () => {
  const server = testServer()
  const path = '/api/v1/namespaces/shop/configmaps'
  await sendRequest(server, {
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { metadata: { name: 'shop' } },
  })
  for (const name of ['a', 'b', 'c']) {
    const labels = name === 'b' ? { app: 'web' } : {}
    await sendRequest(server, {
      method: 'POST',
      path,
      body: { ...configMap(name), metadata: { name, labels } },
    })
  }
  const counted = async (...queries: string[]) => {
    const read = async () => {
      const samples = samplesIn((await sendRequest(server, { path: '/metrics' })).text)
      return [
        'total',
        'fetched_objects_total',
        'evaluated_objects_total',
        'returned_objects_total',
      ].map(
        (name) =>
          sampleOf(samples, `apiserver_storage_list_${name}`, { resource: 'configmaps' }) ?? 0,
      )
    }
    const before = await read()
    for (const query of queries) await sendRequest(server, { path: `${path}${query}` })
    return (await read()).map((value, i) => value - (before[i] ?? 0))
  }
  expect(await counted('')).toEqual([1, 3, 3, 3])
  expect(await counted('?limit=2')).toEqual([1, 2, 2, 2])
  expect(await counted('?labelSelector=app%3Dweb')).toEqual([1, 3, 3, 1])
  expect(await counted('?labelSelector=app%3Dweb&limit=1')).toEqual([1, 3, 2, 1])
  expect(
    await counted('?fieldSelector=metadata.name%3Da', '?fieldSelector=metadata.name%3Dz'),
  ).toEqual([2, 1, 1, 1])
})
