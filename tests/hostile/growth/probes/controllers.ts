/** What controllers and the scheduler work with, grown: their objects are created, and a minute passes. */
import type { ApiServerOptions } from '../../../../src/engine/server/server-options'
import { type Call, type Probe, target, times } from './probe'

const NAMESPACE = '/namespaces/default'
const PODS = `/api/v1${NAMESPACE}/pods`
const NODES = '/api/v1/nodes'
const labels = { app: 'a' }

const meta = (name: string, more: object = {}) => ({ metadata: { name, labels, ...more } })
const template = (spec: object = {}) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})
const pod = (name: string, spec: object = {}, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  ...meta(name, more),
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})
const node = (name: string, more: object = {}, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, zone: name, ...more } },
  spec,
  status: {
    capacity: { cpu: '4', memory: '8Gi', pods: '1000' },
    allocatable: { cpu: '4', memory: '8Gi', pods: '1000' },
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        lastHeartbeatTime: '2026-01-01T00:00:00Z',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
  },
})
const create = (path: string, body: object): Call => ({ method: 'POST', path, body })
const named = (size: number, key = 'k') =>
  Object.fromEntries(times(size, (i) => [`${key}${i}`, 'v']))

interface Scene {
  /** Created before, with everything that follows from it; not counted. */
  before?(size: number): Call[]
  /** Counted, with everything that follows from it. */
  calls(size: number): Call[]
  seconds?: number
  options?: Partial<ApiServerOptions>
}

/** A fraction of a size is a number of objects, each of which many parts of the server work on. */
const SIZES = [32, 128, 512, 2048]

function scene(name: string, { before, calls, seconds = 10, options }: Scene): Probe {
  return {
    name,
    sizes: SIZES,
    async prepare(size, fail) {
      const { send, pass } = target(fail, { controllers: ['*'], ...options })
      await send({ path: '/readyz' })
      await pass(1)
      for (const call of before?.(size) ?? []) await send(call)
      await pass(10)
      const counted = calls(size)
      return async () => {
        let text = ''
        for (const call of counted) text = await send(call)
        await pass(seconds)
        return text
      }
    },
  }
}

const workload = (kind: string, spec: object) => ({
  apiVersion: 'apps/v1',
  kind,
  ...meta('w'),
  spec: { selector: { matchLabels: labels }, template: template(), ...spec },
})
const job = (spec: object) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j' },
  spec: { template: template({ restartPolicy: 'Never' }), ...spec },
})
const JOBS = `/apis/batch/v1${NAMESPACE}/jobs`
const service = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'Service',
  ...meta('s'),
  spec: { selector: labels, ports: [{ port: 80 }], ...spec },
})
const SERVICES = `/api/v1${NAMESPACE}/services`
const running = (size: number): Call[] =>
  times(size / 4, (i) => create(PODS, pod(`p${i}`, { nodeName: 'n' })))

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

const scheduled = (name: string, given: Scene) =>
  scene(`scheduler: ${name}`, { options: { scheduler: true }, ...given })
const oneNode = () => [create(NODES, node('n'))]
const nodes = (size: number) => times(size / 4, (i) => create(NODES, node(`n${i}`)))
const onOneNode = (name: string, spec: (size: number) => object) =>
  scheduled(name, { before: oneNode, calls: (size) => [create(PODS, pod('p', spec(size)))] })
const onManyNodes = (name: string, spec: (size: number) => object) =>
  scheduled(`nodes with ${name}`, {
    before: nodes,
    calls: (size) => [create(PODS, pod('p', spec(size)))],
  })
const term = (i: number) => ({
  labelSelector: { matchLabels: { app: `a${i}` } },
  topologyKey: 'zone',
})
const spread = (i: number) => ({
  maxSkew: i + 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: labels },
})
const ANTI = 'requiredDuringSchedulingIgnoredDuringExecution'

export const SCHEDULER_PROBES: readonly Probe[] = [
  onOneNode('terms of node affinity', (size) => ({
    affinity: {
      nodeAffinity: {
        [ANTI]: {
          nodeSelectorTerms: times(size, (i) => ({
            matchExpressions: [{ key: `k${i}`, operator: 'Exists' }],
          })),
        },
      },
    },
  })),
  onOneNode('terms of pod affinity', (size) => ({
    affinity: { podAntiAffinity: { [ANTI]: times(size, term) } },
  })),
  onOneNode('topology spreads', (size) => ({
    topologySpreadConstraints: times(size, (i) => ({
      ...spread(i),
      topologyKey: `k${i}`,
      whenUnsatisfiable: 'ScheduleAnyway',
    })),
  })),
  onOneNode('tolerations', (size) => ({
    tolerations: times(size, (i) => ({ key: `k${i}`, operator: 'Exists' })),
  })),
  onOneNode('volumes', (size) => ({
    volumes: times(size, (i) => ({ name: `v${i}`, emptyDir: {} })),
  })),
  onOneNode('volumes with claims', (size) => ({
    volumes: times(size, (i) => ({ name: `v${i}`, persistentVolumeClaim: { claimName: `c${i}` } })),
  })),
  onOneNode('host ports', (size) => ({
    containers: [
      {
        name: 'c',
        image: 'i',
        ports: times(size, (i) => ({ containerPort: i + 1, hostPort: i + 1 })),
      },
    ],
  })),
  onOneNode('resources', (size) => ({
    containers: [
      {
        name: 'c',
        image: 'i',
        resources: { limits: Object.fromEntries(times(size, (i) => [`example.com/r${i}`, '1'])) },
      },
    ],
  })),
  onManyNodes('a plain pod', () => ({})),
  onManyNodes('a pod that fits nowhere', () => ({ nodeSelector: named(1) })),
  onManyNodes('a pod that is too large', () => ({
    containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '100' } } }],
  })),
  onManyNodes('a topology spread', () => ({ topologySpreadConstraints: [spread(0)] })),
  onManyNodes('a wished topology spread', () => ({
    topologySpreadConstraints: [{ ...spread(0), whenUnsatisfiable: 'ScheduleAnyway' }],
  })),
  onManyNodes('pod anti-affinity', () => ({
    affinity: {
      podAntiAffinity: { [ANTI]: [{ ...term(0), labelSelector: { matchLabels: labels } }] },
    },
  })),
  onManyNodes('wished pod affinity', () => ({
    affinity: {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { ...term(0), labelSelector: { matchLabels: labels } } },
        ],
      },
    },
  })),
  scheduled('pods', {
    before: oneNode,
    calls: (size) => times(size / 4, (i) => create(PODS, pod(`p${i}`))),
  }),
  scheduled('pods that fit nowhere', {
    before: oneNode,
    calls: (size) => times(size / 4, (i) => create(PODS, pod(`p${i}`, { nodeSelector: named(1) }))),
  }),
  scheduled('pods with anti-affinity', {
    before: oneNode,
    calls: (size) =>
      times(size / 4, (i) =>
        create(
          PODS,
          pod(`p${i}`, {
            affinity: {
              podAntiAffinity: { [ANTI]: [{ ...term(0), labelSelector: { matchLabels: labels } }] },
            },
          }),
        ),
      ),
  }),
]
