/** What clients send most, in the order of an object's life: the throwaway server of the exercise answers these. */

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

const review = (i: number) => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  spec: { user: `user-${i % 9}`, groups: ['team'], resourceAttributes: { namespace: 'exercise', verb: 'get', resource: 'pods' } },
})

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
    { method: 'PATCH', path: map, type: 'application/json-patch+json', body: [{ op: 'replace', path: '/data/number', value: `j${i}` }] },
    { method: 'GET', path: map },
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
