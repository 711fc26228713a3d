/** What is measured, as data. The order matters: later rows work on what earlier rows created. */
import type { Client, TestResponse } from './client'

export interface Row {
  name: string
  count: number
  inFlight: number
  /** Requests before the measurement. */
  warm?: number
  /** Method of the bare server's requests that it is compared with; GET if absent. */
  floorMethod?: 'GET' | 'POST'
  one(i: number): Promise<TestResponse>
}

export interface Workload {
  namespace: string
  configMaps: string
  configMapCount: number
  /** How many events the hundred watchers of the fan-out each get. */
  fanOutEvents: number
  beforeFanOut: Row[]
  afterFanOut: Row[]
}

const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1'
const json = (value: unknown) => JSON.stringify(value)

const configMap = (i: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `c-${i}`, labels: { app: `a${i % 10}`, shard: `s${i % 100}` } },
  data: { key: 'v'.repeat(1000), n: String(i) },
})

const deployment = (i: number, replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: `d-${i}`, labels: { app: `d${i}` } },
  spec: {
    replicas,
    selector: { matchLabels: { app: `d${i}` } },
    template: {
      metadata: { labels: { app: `d${i}` } },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'nginx:1.27',
            ports: [{ containerPort: 80 }],
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
            resources: { requests: { cpu: '100m', memory: '64Mi' } },
          },
        ],
      },
    },
  },
})

const pod = (i: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `p-${i}`, labels: { app: `p${i % 10}` } },
  spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '10m' } } }] },
})

const accessReview = (i: number, namespace: string) => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  spec: {
    user: `u${i % 50}`,
    groups: ['g'],
    resourceAttributes: { namespace, verb: 'get', group: 'apps', resource: 'deployments' },
  },
})

/** @param scale 1 is the size of the reference figures */
export function workload({ send }: Client, namespace: string, scale: number): Workload {
  const configMaps = `/api/v1/namespaces/${namespace}/configmaps`
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`
  const pods = `/api/v1/namespaces/${namespace}/pods`
  const [many, some, thousand] = [2000, 300, 1000].map((count) => Math.round(count * scale)) as [
    number,
    number,
    number,
  ]
  const get = (path: string, accept?: string) =>
    send('GET', path, accept === undefined ? {} : { accept })
  const create = (path: string, object: unknown) => send('POST', path, { body: json(object) })
  const patch = (path: string, type: string, body: unknown) =>
    send('PATCH', path, { type, body: json(body) })
  const apply = (i: number, replicas: number) =>
    patch(
      `${deployments}/d-${i}?fieldManager=bench`,
      'application/apply-patch+yaml',
      deployment(i, replicas),
    )
  const image = (i: number) => ({
    spec: { template: { spec: { containers: [{ name: 'web', image: `nginx:${i}` }] } } },
  })

  return {
    namespace,
    configMaps,
    configMapCount: many,
    fanOutEvents: Math.round(200 * scale),
    beforeFanOut: [
      {
        name: 'create configmap 1 KB',
        count: many,
        inFlight: 16,
        floorMethod: 'POST',
        one: (i) => create(configMaps, configMap(i)),
      },
      {
        name: 'get configmap',
        count: many * 4,
        inFlight: 16,
        warm: 300,
        one: (i) => get(`${configMaps}/c-${i % many}`),
      },
      { name: 'list all configmaps', count: 40, inFlight: 4, warm: 3, one: () => get(configMaps) },
      {
        name: 'list rv=0 configmaps',
        count: 40,
        inFlight: 4,
        warm: 3,
        one: () => get(`${configMaps}?resourceVersion=0`),
      },
      {
        name: 'list limit=100',
        count: 200,
        inFlight: 8,
        warm: 5,
        one: () => get(`${configMaps}?limit=100`),
      },
      {
        name: 'list selector 1%',
        count: 200,
        inFlight: 8,
        warm: 5,
        one: () => get(`${configMaps}?labelSelector=shard%3Ds7`),
      },
      { name: 'list as table', count: 20, inFlight: 4, warm: 2, one: () => get(configMaps, TABLE) },
      {
        name: 'merge patch',
        count: many,
        inFlight: 16,
        floorMethod: 'POST',
        one: (i) =>
          patch(`${configMaps}/c-${i % many}`, 'application/merge-patch+json', {
            data: { n: `m${i}` },
          }),
      },
      {
        name: 'json patch',
        count: many,
        inFlight: 16,
        floorMethod: 'POST',
        one: (i) =>
          patch(`${configMaps}/c-${i % many}`, 'application/json-patch+json', [
            { op: 'replace', path: '/data/n', value: `j${i}` },
          ]),
      },
      {
        name: 'apply create deployment',
        count: some,
        inFlight: 8,
        floorMethod: 'POST',
        one: (i) => apply(i, 1),
      },
      {
        name: 'apply change deployment',
        count: some * 3,
        inFlight: 8,
        floorMethod: 'POST',
        one: (i) => apply(i % some, 2 + Math.floor(i / some)),
      },
      {
        name: 'apply no-op deployment',
        count: some * 3,
        inFlight: 8,
        floorMethod: 'POST',
        one: (i) => apply(i % some, 4),
      },
      {
        name: 'strategic patch deployment',
        count: some * 3,
        inFlight: 8,
        floorMethod: 'POST',
        one: (i) =>
          patch(`${deployments}/d-${i % some}`, 'application/strategic-merge-patch+json', image(i)),
      },
      {
        name: 'create pod',
        count: thousand,
        inFlight: 16,
        floorMethod: 'POST',
        one: (i) => create(pods, pod(i)),
      },
      {
        name: 'access review',
        count: many,
        inFlight: 16,
        floorMethod: 'POST',
        one: (i) =>
          create('/apis/authorization.k8s.io/v1/subjectaccessreviews', accessReview(i, namespace)),
      },
    ],
    afterFanOut: [
      {
        name: 'delete configmap',
        count: many,
        inFlight: 16,
        one: (i) => send('DELETE', `${configMaps}/c-${i}`),
      },
    ],
  }
}
