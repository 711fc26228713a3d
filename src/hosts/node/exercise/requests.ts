/** What clients send most, in the order of an object's life: the throwaway servers of the exercise answer these. */
import { madeOf } from './kinds'

export interface Sent {
  method: string
  path: string
  type?: string
  accept?: string
  body?: unknown
}

const NAMESPACE = '/api/v1/namespaces/exercise'
const APPS = '/apis/apps/v1/namespaces/exercise/deployments'
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1'
const MERGE = 'application/merge-patch+json'
const JSON_PATCH = 'application/json-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'

/** What a round builds upon. */
export const BEFORE: readonly Sent[] = [
  { method: 'POST', path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'exercise' } } },
  {
    // Applied, because a controller may have made it first.
    method: 'PATCH',
    path: `${NAMESPACE}/serviceaccounts/default?fieldManager=exercise`,
    type: APPLY,
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
  },
]

/** Kept open all the while, so that every write has somebody to be told. */
export const WATCHED = `${NAMESPACE}/configmaps?watch=1`

const configMap = (i: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `map-${i}`, labels: { app: `app-${i % 7}`, tier: 'web' } },
  data: { text: `line ${i}\n`.repeat(40), number: String(i) },
})

const template = (i: number, image: string) => ({
  metadata: { labels: { app: `app-${i}` } },
  spec: {
    containers: [
      {
        name: 'main',
        image,
        ports: [{ containerPort: 8080 }],
        env: [
          { name: 'MODE', value: 'fast' },
          { name: 'LEVEL', value: String(i) },
        ],
        resources: { requests: { cpu: '100m', memory: '64Mi' } },
      },
    ],
  },
})

const deployment = (i: number, replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: `deployment-${i}`, labels: { app: `app-${i}` } },
  spec: { replicas, selector: { matchLabels: { app: `app-${i}` } }, template: template(i, 'web:1') },
})

const pod = (i: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `pod-${i}`, labels: { app: `app-${i % 7}` } },
  spec: { containers: [{ name: 'main', image: 'web:1', resources: { requests: { cpu: '10m' } } }] },
})

/** What is asked about: members in several orders, with and without some of them. */
const QUESTIONS: readonly object[] = [
  { resourceAttributes: { namespace: 'exercise', verb: 'get', resource: 'pods' } },
  { resourceAttributes: { verb: 'list', group: 'apps', resource: 'deployments', namespace: 'exercise' } },
  { resourceAttributes: { resource: 'nodes', verb: 'delete', name: 'node-1' } },
  { nonResourceAttributes: { path: '/healthz', verb: 'get' } },
  { resourceAttributes: { group: 'batch', version: 'v1', resource: 'jobs', subresource: 'status', verb: 'update', namespace: 'exercise' } },
]

const review = (i: number) => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  spec: { user: `user-${i % 9}`, groups: ['team'], ...QUESTIONS[i % QUESTIONS.length] },
})

/** An object of another kind in each round: made, read, changed in every way and deleted. */
function lifeOf(i: number): Sent[] {
  const { path, object } = madeOf(i)
  const one = `${path}/${object.metadata.name}`
  const labels = { round: String(i) }
  return [
    { method: 'POST', path, body: object },
    { method: 'GET', path: one },
    { method: 'PATCH', path: one, type: MERGE, body: { metadata: { labels, annotations: { gone: null } } } },
    { method: 'PATCH', path: one, type: JSON_PATCH, body: [{ op: 'add', path: '/metadata/labels/by', value: 'json' }] },
    { method: 'PATCH', path: one, type: STRATEGIC, body: { metadata: { labels: { round: null } } } },
    {
      method: 'PATCH',
      path: `${one}?fieldManager=other&force=true`,
      type: APPLY,
      body: { apiVersion: object.apiVersion, kind: object.kind, metadata: { name: object.metadata.name, labels } },
    },
    { method: 'DELETE', path: one },
  ]
}

/** @param i counts rounds: each has objects of its own */
export function round(i: number): Sent[] {
  const map = `${NAMESPACE}/configmaps/map-${i}`
  const deployed = `${APPS}/deployment-${i}`
  const podPath = `${NAMESPACE}/pods/pod-${i}`
  const apply = (replicas: number): Sent => ({
    method: 'PATCH',
    path: `${deployed}?fieldManager=exercise`,
    type: APPLY,
    body: deployment(i, replicas),
  })
  const often: Sent[] = [
    { method: 'POST', path: `${NAMESPACE}/configmaps`, body: configMap(i) },
    { method: 'GET', path: map },
    { method: 'PATCH', path: map, type: MERGE, body: { data: { number: `m${i}` } } },
    { method: 'PATCH', path: map, type: JSON_PATCH, body: [{ op: 'replace', path: '/data/number', value: `j${i}` }] },
    { method: 'GET', path: map },
    { method: 'PUT', path: map, body: configMap(i) },
    apply(1),
    apply(2),
    apply(2),
    {
      method: 'PATCH',
      path: deployed,
      type: STRATEGIC,
      body: { spec: { template: { spec: { containers: [{ name: 'main', image: `web:${i}` }] } } } },
    },
    { method: 'POST', path: `${NAMESPACE}/pods`, body: pod(i) },
    { method: 'POST', path: '/apis/authorization.k8s.io/v1/subjectaccessreviews', body: review(i) },
    { method: 'GET', path: map },
    { method: 'DELETE', path: map },
    ...lifeOf(i),
  ]
  const seldom: Sent[] = [
    { method: 'GET', path: `${NAMESPACE}/configmaps` },
    { method: 'GET', path: `${NAMESPACE}/pods?limit=20` },
    { method: 'GET', path: `${NAMESPACE}/pods?labelSelector=app%3Dapp-3` },
    { method: 'GET', path: `${NAMESPACE}/pods`, accept: TABLE },
    { method: 'GET', path: podPath },
    { method: 'DELETE', path: `${podPath}?gracePeriodSeconds=0` },
    { method: 'DELETE', path: deployed },
  ]
  return i % 10 === 9 ? [...often, ...seldom] : often
}
