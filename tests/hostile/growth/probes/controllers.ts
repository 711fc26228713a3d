/**
 * Grows the input of controllers and the scheduler: creates the objects, then advances one minute.
 */
import {
  create,
  JOBS,
  job,
  labels,
  meta,
  NAMESPACE,
  NODES,
  node,
  PODS,
  pod,
  running,
  SERVICES,
  scene,
  service,
  template,
  workload,
} from './controller-scenes'
import { type Probe, times } from './probe'

export const CONTROLLER_PROBES: readonly Probe[] = [
  scene('garbage collector: owner references', {
    calls: (size) => [
      create(
        PODS,
        pod(
          'p',
          {},
          {
            ownerReferences: times(size, (i) => ({
              apiVersion: 'v1',
              kind: 'Pod',
              name: `o${i}`,
              uid: `u${i}`,
            })),
          },
        ),
      ),
    ],
  }),
  scene('garbage collector: objects of one owner', {
    before: (size) => [
      create(PODS, pod('o')),
      ...times(size / 4, (i) =>
        create(
          PODS,
          pod(
            `p${i}`,
            {},
            { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'o', uid: 'gone' }] },
          ),
        ),
      ),
    ],
    calls: () => [{ method: 'DELETE', path: `${PODS}/o` }],
  }),
  scene('namespaces: objects of one that goes', {
    before: (size) => [
      create('/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'x' },
      }),
      ...times(size / 4, (i) =>
        create('/api/v1/namespaces/x/configmaps', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: `c${i}` },
        }),
      ),
    ],
    calls: () => [{ method: 'DELETE', path: '/api/v1/namespaces/x' }],
  }),
  scene('ReplicaSets: replicas', {
    calls: (size) => [
      create(
        `/apis/apps/v1${NAMESPACE}/replicasets`,
        workload('ReplicaSet', { replicas: size / 4 }),
      ),
    ],
  }),
  scene('ReplicaSets: requirements of a selector', {
    calls: (size) => [
      create(
        `/apis/apps/v1${NAMESPACE}/replicasets`,
        workload('ReplicaSet', {
          replicas: 2,
          selector: {
            matchLabels: labels,
            matchExpressions: times(size, (i) => ({ key: `k${i}`, operator: 'DoesNotExist' })),
          },
        }),
      ),
    ],
  }),
  scene('Deployments: replicas', {
    calls: (size) => [
      create(
        `/apis/apps/v1${NAMESPACE}/deployments`,
        workload('Deployment', { replicas: size / 4 }),
      ),
    ],
  }),
  scene('StatefulSets: replicas in parallel', {
    calls: (size) => [
      create(
        `/apis/apps/v1${NAMESPACE}/statefulsets`,
        workload('StatefulSet', {
          replicas: size / 4,
          serviceName: 's',
          podManagementPolicy: 'Parallel',
        }),
      ),
    ],
  }),
  scene('DaemonSets: nodes', {
    before: (size) => times(size / 4, (i) => create(NODES, node(`n${i}`))),
    calls: () => [create(`/apis/apps/v1${NAMESPACE}/daemonsets`, workload('DaemonSet', {}))],
  }),
  scene('Jobs: completions', {
    calls: (size) => [create(JOBS, job({ completions: size / 4, parallelism: size / 4 }))],
  }),
  scene('Jobs: indexes', {
    calls: (size) => [
      create(
        JOBS,
        job({ completions: size / 4, parallelism: size / 4, completionMode: 'Indexed' }),
      ),
    ],
  }),
  scene('Jobs: completed indexes', {
    before: (size) => [
      create(JOBS, job({ completions: size * 2, parallelism: 1, completionMode: 'Indexed' })),
    ],
    calls: (size) => [
      {
        method: 'PATCH',
        path: `${JOBS}/j/status`,
        type: 'application/merge-patch+json',
        body: { status: { completedIndexes: times(size, (i) => 2 * i).join(',') } },
      },
    ],
  }),
  scene('Jobs: rules of the failure policy', {
    calls: (size) => [
      create(
        JOBS,
        job({
          podFailurePolicy: {
            rules: times(Math.min(20, size), () => ({
              action: 'Ignore',
              onExitCodes: { operator: 'In', values: times(size / 4, (i) => i + 1) },
            })),
          },
        }),
      ),
    ],
  }),
  scene('CronJobs: schedule', {
    calls: (size) => [
      create(`/apis/batch/v1${NAMESPACE}/cronjobs`, {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'c' },
        spec: {
          schedule: `${times(size, (i) => i % 60).join(',')} * * * *`,
          jobTemplate: { spec: { template: template({ restartPolicy: 'Never' }) } },
        },
      }),
    ],
    seconds: 120,
  }),
  scene('disruption: budgets', {
    before: running,
    calls: (size) =>
      times(size / 4, (i) =>
        create(`/apis/policy/v1${NAMESPACE}/poddisruptionbudgets`, {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: `b${i}` },
          spec: { minAvailable: 1, selector: { matchLabels: { app: `a${i}` } } },
        }),
      ),
  }),
  scene('disruption: pods of a budget', {
    before: running,
    calls: () => [
      create(`/apis/policy/v1${NAMESPACE}/poddisruptionbudgets`, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'b' },
        spec: { minAvailable: 1, selector: { matchLabels: labels } },
      }),
    ],
  }),
  scene('autoscaling: metrics', {
    calls: (size) => [
      create(`/apis/apps/v1${NAMESPACE}/deployments`, workload('Deployment', { replicas: 1 })),
      create(`/apis/autoscaling/v2${NAMESPACE}/horizontalpodautoscalers`, {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'h' },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'w' },
          maxReplicas: 3,
          metrics: times(size, () => ({
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          })),
          behavior: {
            scaleUp: {
              policies: times(size, () => ({ type: 'Pods', value: 1, periodSeconds: 15 })),
            },
          },
        },
      }),
    ],
    seconds: 60,
  }),
  scene('quotas: amounts', {
    before: running,
    calls: (size) => [
      create(`/api/v1${NAMESPACE}/resourcequotas`, {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'q' },
        spec: { hard: Object.fromEntries(times(size, (i) => [`count/k${i}.example.com`, '1'])) },
      }),
    ],
  }),
  scene('quotas: pods', {
    before: running,
    calls: () => [
      create(`/api/v1${NAMESPACE}/resourcequotas`, {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'q' },
        spec: { hard: { pods: '1000' } },
      }),
    ],
  }),
  scene('endpoints: pods of a service', {
    before: running,
    calls: () => [create(SERVICES, service({}))],
  }),
  scene('endpoints: ports of a service', {
    before: () => [create(PODS, pod('p', { nodeName: 'n' }))],
    calls: (size) => [
      create(
        SERVICES,
        service({ ports: times(size / 2, (i) => ({ name: `p${i}`, port: i + 1 })) }),
      ),
    ],
  }),
  scene('endpoints: services', {
    before: () => [create(PODS, pod('p', { nodeName: 'n' }))],
    calls: (size) =>
      times(size / 8, (i) => create(SERVICES, { ...service({}), metadata: { name: `s${i}` } })),
  }),
  scene('mirroring: addresses of endpoints', {
    before: () => [create(SERVICES, service({ selector: null }))],
    calls: (size) => [
      create(`/api/v1${NAMESPACE}/endpoints`, {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 's' },
        subsets: [
          {
            addresses: times(size, (i) => ({ ip: `10.1.${i >> 8}.${i & 255}` })),
            ports: [{ port: 80 }],
          },
        ],
      }),
    ],
  }),
  scene('mirroring: subsets of endpoints', {
    before: () => [create(SERVICES, service({ selector: null }))],
    calls: (size) => [
      create(`/api/v1${NAMESPACE}/endpoints`, {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 's' },
        subsets: times(size / 4, (i) => ({
          addresses: [{ ip: `10.1.${i >> 8}.${i & 255}` }],
          ports: [{ port: i + 1 }],
        })),
      }),
    ],
  }),
  scene('cluster roles: gathered roles', {
    before: (size) =>
      times(size / 4, (i) =>
        create('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          ...meta(`r${i}`),
          rules: [{ verbs: ['get'], apiGroups: [''], resources: [`r${i}`] }],
        }),
      ),
    calls: () => [
      create('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'all' },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
        rules: [],
      }),
    ],
  }),
  scene('taint eviction: taints and tolerations', {
    before: (size) => [
      create(NODES, node('n')),
      create(
        PODS,
        pod('p', {
          nodeName: 'n',
          tolerations: times(size, (i) => ({
            key: `k${i}`,
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 100,
          })),
        }),
      ),
    ],
    calls: (size) => [
      {
        method: 'PATCH',
        path: `${NODES}/n`,
        type: 'application/merge-patch+json',
        body: { spec: { taints: times(size, (i) => ({ key: `k${i}`, effect: 'NoExecute' })) } },
      },
    ],
  }),
]
