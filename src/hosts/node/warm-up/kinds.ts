/**
 * Objects of many shapes (member orders, `null`s, with and without namespace), so that V8 does not
 * specialize code for one.
 */

export interface Made {
  /** The path of the collection. */
  path: string
  object: { apiVersion: string; kind: string; metadata: { name: string } }
}

const CORE = '/api/v1/namespaces/warm-up'
const inGroup = (group: string, resource: string) => `/apis/${group}/namespaces/warm-up/${resource}`

const containers = (i: number) => [{ image: 'job:1', name: 'main', args: ['--count', String(i)] }]

/** Each makes a unique object for a number. */
const KINDS: readonly ((i: number) => Made)[] = [
  (i) => ({
    path: '/api/v1/namespaces',
    object: {
      kind: 'Namespace',
      apiVersion: 'v1',
      metadata: { labels: { team: `team-${i}` }, name: `space-${i}` },
    },
  }),
  (i) => ({
    path: `${CORE}/secrets`,
    object: {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      stringData: { key: `k${i}` },
      metadata: { name: `secret-${i}` },
    },
  }),
  (i) => ({
    path: `${CORE}/services`,
    object: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { annotations: { note: `n${i}` }, name: `service-${i}`, namespace: 'warm-up' },
      spec: {
        selector: { app: `app-${i}` },
        ports: [{ name: 'http', port: 80, targetPort: 'http' }],
      },
    },
  }),
  (i) => ({
    path: `${CORE}/serviceaccounts`,
    object: {
      metadata: { name: `account-${i}`, creationTimestamp: null },
      kind: 'ServiceAccount',
      apiVersion: 'v1',
    },
  }),
  (i) => ({
    path: inGroup('batch/v1', 'jobs'),
    object: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: `job-${i}`, creationTimestamp: null },
      spec: {
        template: {
          metadata: { creationTimestamp: null },
          spec: { restartPolicy: 'Never', containers: containers(i) },
        },
      },
      status: {},
    },
  }),
  (i) => ({
    path: inGroup('rbac.authorization.k8s.io/v1', 'roles'),
    object: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { namespace: 'warm-up', name: `role-${i}` },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
    },
  }),
  (i) => ({
    path: inGroup('coordination.k8s.io/v1', 'leases'),
    object: {
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: { name: `lease-${i}` },
      spec: { holderIdentity: `holder-${i}`, leaseDurationSeconds: 15, leaseTransitions: 0 },
    },
  }),
  (i) => ({
    path: `${CORE}/configmaps`,
    object: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      data: { a: String(i), b: 'two' },
      metadata: { name: `other-${i}`, creationTimestamp: null },
    },
  }),
  (i) => ({
    path: inGroup('networking.k8s.io/v1', 'networkpolicies'),
    object: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: `policy-${i}` },
      spec: {
        podSelector: {},
        policyTypes: ['Ingress'],
        ingress: [{ from: [{ podSelector: { matchLabels: { app: `app-${i}` } } }] }],
      },
    },
  }),
  (i) => ({
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    object: {
      metadata: { name: `cluster-role-${i}` },
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      rules: [
        {
          verbs: ['*'],
          apiGroups: ['apps'],
          resources: ['deployments'],
          resourceNames: [`d-${i}`],
        },
      ],
    },
  }),
]

/** @param i counts from 0 and selects kinds in turn */
export const madeOf = (i: number): Made => (KINDS[i % KINDS.length] as (typeof KINDS)[number])(i)
