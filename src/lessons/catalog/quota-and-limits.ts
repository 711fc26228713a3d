import type { Lesson } from '../lesson'

const SHOP = '/api/v1/namespaces/shop'
const WEB = '/apis/apps/v1/namespaces/shop/deployments/web'
const MERGE = 'application/merge-patch+json'
const resources = (cpu: string) => ({
  spec: {
    template: {
      spec: {
        containers: [{ name: 'web', image: 'nginx:1.27', resources: { requests: { cpu } } }],
      },
    },
  },
})

export const quotaAndLimits: Lesson = {
  id: 'quota-and-limits',
  title: 'Why are there no Pods?',
  minutes: 10,
  about: 'Find out why a Deployment has fewer Pods than desired, although no request failed.',
  rules: 'Resource quotas: https://kubernetes.io/docs/concepts/policy/resource-quotas/',
  story: `The Deployment web of the shop wants three Pods. It was created without an error, but there are no Pods.

The namespace has a quota: its Pods must request CPU, and their total must not exceed one core. The Deployment itself is valid. Its Pods are forbidden, and the controller that creates them reports that in a condition and in events.`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: budget, namespace: shop }
spec:
  hard: { requests.cpu: "1", pods: "10" }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: web, image: "nginx:1.27" }
`,
    files: [
      {
        title: 'manners.yaml',
        language: 'yaml',
        text: `# Default requests of containers.
apiVersion: v1
kind: LimitRange
metadata:
  name: manners
  namespace: shop
spec:
  limits:
    - type: Container
      defaultRequest: { cpu: 200m }
`,
      },
    ],
  },
  steps: [
    {
      title: 'Find the error',
      text: 'The ReplicaSet controller creates the Pods. Read the ReplicaSets of shop (or its Events): the condition ReplicaFailure has the error of the server.',
      hints: [
        'The Deployment only creates a ReplicaSet, which creates the Pods.',
        'Look at status.conditions of the ReplicaSet, or at the Events of the namespace.',
        'kubectl get replicasets -n shop -o yaml',
      ],
      checks: [
        {
          kind: 'request',
          is: {
            verb: ['get', 'list', 'watch'],
            path: '^/(apis/apps|apis/events[.]k8s[.]io|api)/v1/(namespaces/shop/)?(replicasets|events)',
            code: 200,
          },
          says: 'You looked at the ReplicaSets or the Events of shop.',
        },
        {
          kind: 'object',
          path: WEB,
          is: {
            status: {
              conditions: [
                { type: 'ReplicaFailure', status: 'True', message: '/must specify requests.cpu/' },
              ],
            },
          },
          says: 'The Deployment has heard of it too: Pods must specify requests.cpu.',
        },
      ],
      solution: [{ method: 'GET', path: '/apis/apps/v1/namespaces/shop/replicasets' }],
    },
    {
      title: 'Set default requests',
      text: 'A LimitRange sets defaults for containers without requests. Create one in shop whose defaultRequest for Containers is 200m of cpu. Three Pods then request 600m, which the quota allows.',
      hints: [
        'A LimitRange fills in what a Pod leaves out, before the quota counts it.',
        'Apply manners.yaml. The controller retries with exponential backoff.',
        'kubectl apply -f manners.yaml; to hurry it, kubectl rollout restart deployment/web -n shop.',
      ],
      checks: [
        {
          kind: 'object',
          path: `${SHOP}/limitranges`,
          is: {
            items: [{ spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '200m' } }] } }],
          },
          says: 'Containers get 200m by default.',
        },
        {
          kind: 'object',
          path: `${SHOP}/resourcequotas/budget`,
          is: { status: { used: { 'requests.cpu': '600m' } } },
          says: 'The budget counts 600m.',
        },
        {
          kind: 'object',
          path: WEB,
          is: { status: { replicas: 3 } },
          says: 'web has its three Pods.',
        },
      ],
      solution: [
        {
          method: 'POST',
          path: `${SHOP}/limitranges`,
          body: {
            metadata: { name: 'manners' },
            spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '200m' } }] },
          },
        },
        {
          method: 'PATCH',
          path: WEB,
          contentType: MERGE,
          body: { spec: { template: { metadata: { annotations: { hurried: 'once' } } } } },
        },
      ],
    },
    {
      title: 'Hit the quota',
      text: 'Scale web to eight. That would be 1600m, and the quota is one core: five Pods are created, and the others are forbidden (403), again without a visible error.',
      hints: [
        'Only spec.replicas has to change.',
        'Set the replicas of web to 8, by a patch, an edit, or the subresource scale.',
        'kubectl scale deployment/web -n shop --replicas=8',
      ],
      checks: [
        {
          kind: 'object',
          path: WEB,
          is: { spec: { replicas: 8 }, status: { replicas: 5 } },
          says: 'web wants eight and has five.',
        },
        {
          kind: 'object',
          path: `${SHOP}/resourcequotas/budget`,
          is: { status: { used: { 'requests.cpu': '1' } } },
          says: 'The budget is used up.',
        },
        {
          kind: 'object',
          path: WEB,
          is: { status: { conditions: [{ type: 'ReplicaFailure', message: '/exceeded quota/' }] } },
          says: 'And the Deployment states why.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: `${WEB}/scale`,
          contentType: MERGE,
          body: { spec: { replicas: 8 } },
        },
      ],
    },
    {
      title: 'Lower the request',
      text: 'All eight would fit with a lower request: 100m of cpu, set by the Deployment itself, which overrides the default. But a rollout needs quota for new Pods in addition to the old ones, and there is none left. Scale web to 4, and set the request of its container.',
      hints: [
        'Fewer replicas make room; then resources.requests.cpu of the container web, in the Deployment, not in the LimitRange.',
        'Scale web to 4, set the request to 100m, and wait until the new Pods have replaced the old ones.',
        'kubectl scale deployment/web -n shop --replicas=4; kubectl set resources deployment/web -n shop --requests=cpu=100m',
      ],
      checks: [
        {
          kind: 'object',
          path: WEB,
          is: { spec: { replicas: 4 }, status: { replicas: 4, updatedReplicas: 4 } },
          says: 'web has four Pods, all of the new kind.',
        },
        {
          kind: 'object',
          path: `${SHOP}/resourcequotas/budget`,
          is: { status: { used: { 'requests.cpu': '400m' } } },
          says: 'The budget counts 400m.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: `${WEB}/scale`,
          contentType: MERGE,
          body: { spec: { replicas: 4 } },
        },
        {
          method: 'PATCH',
          path: WEB,
          contentType: 'application/strategic-merge-patch+json',
          body: resources('100m'),
        },
      ],
    },
    {
      title: 'Scale to eight',
      text: 'Scale web to eight again. Now all of them come.',
      hints: [
        'As before.',
        'The replicas of web become 8; the budget has room for ten of these.',
        'kubectl scale deployment/web -n shop --replicas=8',
      ],
      checks: [
        {
          kind: 'object',
          path: WEB,
          is: { spec: { replicas: 8 }, status: { replicas: 8 } },
          says: 'web has its eight Pods.',
        },
        {
          kind: 'object',
          path: `${SHOP}/resourcequotas/budget`,
          is: { status: { used: { 'requests.cpu': '800m' } } },
          says: 'The budget counts 800m.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: `${WEB}/scale`,
          contentType: MERGE,
          body: { spec: { replicas: 8 } },
        },
      ],
    },
  ],
  wrong: [
    { method: 'GET', path: '/apis/apps/v1/namespaces/shop/replicasets' },
    // Fewer Pods without requests are forbidden as well.
    { method: 'PATCH', path: `${WEB}/scale`, contentType: MERGE, body: { spec: { replicas: 1 } } },
    {
      method: 'POST',
      path: `${SHOP}/pods`,
      body: {
        metadata: { name: 'web' },
        spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] },
      },
      status: 403,
    },
  ],
  after: 'Create a Pod with a limit of cpu and no request. What is its request, and who set it?',
}
