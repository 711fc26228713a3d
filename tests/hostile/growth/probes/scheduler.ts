/** The scheduler with many nodes, terms and constraints. */
import {
  create,
  labels,
  NODES,
  named,
  node,
  PODS,
  pod,
  type Scene,
  scene,
} from './controller-scenes'
import { type Probe, times } from './probe'

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
