/** The most frequent requests, in the order of an object's life, for the warm-up. */
import { madeOf } from './kinds'

export interface WarmUpRequest {
  method: string
  path: string
  type?: string
  accept?: string
  body?: unknown
}

const NAMESPACE = '/api/v1/namespaces/warm-up'
const APPS = '/apis/apps/v1/namespaces/warm-up/deployments'
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1'
const MERGE = 'application/merge-patch+json'
const JSON_PATCH = 'application/json-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'

/** Sent once, before the first round of the warm-up. */
export const SETUP: readonly WarmUpRequest[] = [
  {
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'warm-up' } },
  },
  {
    // Applied, because a controller may have created it.
    method: 'PATCH',
    path: `${NAMESPACE}/serviceaccounts/default?fieldManager=warm-up`,
    type: APPLY,
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  },
]

/** Watched all the time, so that every write has watchers. */
export const WATCHED = `${NAMESPACE}/configmaps?watch=1`

/**
 * Names become map keys and ownership members. Code that has seen one name is compiled for it, and
 * again for the next.
 */
const NAMES = ['main', 'web', 'app', 'server', 'sidecar', 'c'] as const
const nameOf = (i: number): string => NAMES[i % NAMES.length] as string
const LABELS = ['app', 'tier', 'app.kubernetes.io/name', 'run', 'team'] as const
const labelsOf = (i: number): Record<string, string> => ({
  [LABELS[i % LABELS.length] as string]: `app-${i}`,
})

const configMap = (i: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `map-${i}`, labels: { app: `app-${i % 7}`, tier: 'web' } },
  data: { text: `line ${i}\n`.repeat(40), number: String(i) },
})

/** Containers of other shapes and counts. */
const others = (i: number): object[] =>
  [
    [],
    [
      {
        name: 'helper',
        image: 'helper:1',
        args: ['--watch'],
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      },
    ],
    [
      {
        image: 'proxy:1',
        name: 'proxy',
        ports: [{ name: 'http', containerPort: 80 }],
        readinessProbe: { httpGet: { path: '/', port: 'http' } },
      },
    ],
  ][i % 3] as object[]

const template = (i: number, image: string) => ({
  metadata: { labels: labelsOf(i) },
  spec: {
    ...(i % 3 === 1 ? { volumes: [{ name: 'data', emptyDir: {} }] } : {}),
    containers: [
      {
        name: nameOf(i),
        image,
        ports: [{ containerPort: 8080 }],
        env: [
          { name: 'MODE', value: 'fast' },
          { name: 'LEVEL', value: String(i) },
        ],
        resources: { requests: { cpu: '100m', memory: '64Mi' } },
      },
      ...others(i),
    ],
  },
})

const deployment = (i: number, name: string, replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: labelsOf(i) },
  spec: { replicas, selector: { matchLabels: labelsOf(i) }, template: template(i, 'web:1') },
})

/** Changes of a container, which the patch finds by name. */
const CHANGES: readonly ((i: number) => object)[] = [
  (i) => ({ image: `web:${i}` }),
  (i) => ({ env: [{ name: 'LEVEL', value: `v${i}` }] }),
  () => ({ env: [{ name: 'MODE', $patch: 'delete' }], resources: { limits: { cpu: '1' } } }),
  (i) => ({ ports: [{ containerPort: 8080, name: `port-${i % 100}` }], image: `web:${i}` }),
]

const containerPatch = (i: number, more: number) => ({
  spec: {
    template: {
      spec: { containers: [{ name: nameOf(i), ...CHANGES[(i + more) % CHANGES.length]?.(i) }] },
    },
  },
})

const pod = (i: number, name = `pod-${i}`) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { ...labelsOf(i), app: `app-${i % 7}` } },
  spec: {
    ...(i % 3 === 1 ? { volumes: [{ name: 'data', emptyDir: {} }] } : {}),
    containers: [
      { name: nameOf(i), image: 'web:1', resources: { requests: { cpu: '10m' } } },
      ...others(i),
    ],
  },
})

/** Access review attributes in various orders. */
const QUESTIONS: readonly object[] = [
  { resourceAttributes: { namespace: 'warm-up', verb: 'get', resource: 'pods' } },
  {
    resourceAttributes: {
      verb: 'list',
      group: 'apps',
      resource: 'deployments',
      namespace: 'warm-up',
    },
  },
  { resourceAttributes: { resource: 'nodes', verb: 'delete', name: 'node-1' } },
  { nonResourceAttributes: { path: '/healthz', verb: 'get' } },
  {
    resourceAttributes: {
      group: 'batch',
      version: 'v1',
      resource: 'jobs',
      subresource: 'status',
      verb: 'update',
      namespace: 'warm-up',
    },
  },
]

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews'

const review = (i: number) => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  spec: { user: `user-${i % 9}`, groups: ['team'], ...QUESTIONS[i % QUESTIONS.length] },
})

/** Creates, reads, patches in every way and deletes an object, of another kind each round. */
function lifeOf(i: number): WarmUpRequest[] {
  const { path, object } = madeOf(i)
  const one = `${path}/${object.metadata.name}`
  const labels = { round: String(i) }
  return [
    { method: 'POST', path, body: object },
    { method: 'GET', path: one },
    {
      method: 'PATCH',
      path: one,
      type: MERGE,
      body: { metadata: { labels, annotations: { gone: null } } },
    },
    {
      method: 'PATCH',
      path: one,
      type: JSON_PATCH,
      body: [{ op: 'add', path: '/metadata/labels/by', value: 'json' }],
    },
    {
      method: 'PATCH',
      path: one,
      type: STRATEGIC,
      body: { metadata: { labels: { round: null } } },
    },
    {
      method: 'PATCH',
      path: `${one}?fieldManager=other&force=true`,
      type: APPLY,
      body: {
        apiVersion: object.apiVersion,
        kind: object.kind,
        metadata: { name: object.metadata.name, labels },
      },
    },
    { method: 'DELETE', path: one },
  ]
}

/** Rounds whose objects remain, so that lists are not empty. */
const KEPT = 12

/** Deletes the objects that a round has kept. */
const leftBy = (i: number): WarmUpRequest[] => [
  { method: 'DELETE', path: `${NAMESPACE}/pods/pod-${i}?gracePeriodSeconds=0` },
  { method: 'DELETE', path: `${APPS}/deployment-${i}` },
]

/** @param i number of the round; each has its own objects */
export function round(i: number): WarmUpRequest[] {
  const map = `${NAMESPACE}/configmaps/map-${i}`
  const deployed = `${APPS}/deployment-${i}`
  const apply = (replicas: number, number = i, name = `deployment-${i}`): WarmUpRequest => ({
    method: 'PATCH',
    path: `${APPS}/${name}?fieldManager=warm-up`,
    type: APPLY,
    body: deployment(number, name, replicas),
  })
  const often: WarmUpRequest[] = [
    { method: 'POST', path: `${NAMESPACE}/configmaps`, body: configMap(i) },
    { method: 'GET', path: map },
    { method: 'PATCH', path: map, type: MERGE, body: { data: { number: `m${i}` } } },
    {
      method: 'PATCH',
      path: map,
      type: JSON_PATCH,
      body: [{ op: 'replace', path: '/data/number', value: `j${i}` }],
    },
    { method: 'GET', path: map },
    { method: 'PUT', path: map, body: configMap(i) },
    apply(1),
    apply(2),
    apply(2),
    apply(1, i + 1, `other-${i}`),
    { method: 'DELETE', path: `${APPS}/other-${i}` },
    // Repeated: a patched object has another shape than an applied one.
    ...[0, 1, 2].map((more) => ({
      method: 'PATCH',
      path: deployed,
      type: STRATEGIC,
      body: containerPatch(i, more),
    })),
    { method: 'POST', path: `${NAMESPACE}/pods`, body: pod(i) },
    ...[1, 2, 3].flatMap((more) => [
      { method: 'POST', path: `${NAMESPACE}/pods`, body: pod(i + more, `other-${i}-${more}`) },
      { method: 'DELETE', path: `${NAMESPACE}/pods/other-${i}-${more}?gracePeriodSeconds=0` },
    ]),
    ...[i, i + 1, i + 2, i + 3, i + 4].map((number) => ({
      method: 'POST',
      path: REVIEWS,
      body: review(number),
    })),
    { method: 'GET', path: map },
    { method: 'DELETE', path: map },
    ...lifeOf(i),
    ...(i < KEPT ? [] : leftBy(i - KEPT)),
  ]
  const seldom: WarmUpRequest[] = [
    { method: 'GET', path: `${NAMESPACE}/configmaps` },
    { method: 'GET', path: `${NAMESPACE}/pods?limit=20` },
    { method: 'GET', path: `${NAMESPACE}/pods?labelSelector=app%3Dapp-3` },
    { method: 'GET', path: `${NAMESPACE}/pods`, accept: TABLE },
    { method: 'GET', path: `${NAMESPACE}/pods/pod-${i}` },
  ]
  return i % 10 === 9 ? [...often, ...seldom] : often
}
