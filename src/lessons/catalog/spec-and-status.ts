import type { Lesson } from '../lesson'

const WEB = '/apis/apps/v1/namespaces/shop/deployments/web'
const MERGE = 'application/merge-patch+json'

export const specAndStatus: Lesson = {
  id: 'spec-and-status',
  title: 'Spec and status',
  minutes: 8,
  about:
    'Learn what increments the generation, who writes the status, and when a change was observed.',
  rules:
    'Object spec and status: https://kubernetes.io/docs/concepts/overview/working-with-objects/#object-spec-and-status',
  story: `A script waits until the rollout of the Deployment web is complete. It compares readyReplicas with replicas, and sometimes continues too early, because the numbers are from before the change.

An object has two halves. The spec is the desired state, and every change of it increments metadata.generation. The status is the observed state; its writer sets status.observedGeneration to the generation that it has observed. Controllers rely on this, and on watches.`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: web, image: "nginx:1.27" }
`,
    files: [
      {
        title: 'wait.ts',
        language: 'typescript',
        text: `// What a controller does: a change is observed when observedGeneration equals generation.
const web = await (await fetch('/apis/apps/v1/namespaces/shop/deployments/web')).json()
const { generation } = web.metadata
const { observedGeneration, readyReplicas } = web.status
console.log({ generation, observedGeneration, readyReplicas, wanted: web.spec.replicas })
`,
      },
    ],
  },
  steps: [
    {
      title: 'Watch like one',
      text: 'Open a watch of the Deployments of shop, and then scale web to 3. One change causes several events: first the spec with a new generation, then status updates, until observedGeneration catches up.',
      hints: [
        'The watch has to be open before the change.',
        'Start a watch of deployments in shop (panel Watches), then set replicas to 3.',
        'GET /apis/apps/v1/namespaces/shop/deployments?watch=1, then kubectl scale deployment/web -n shop --replicas=3',
      ],
      checks: [
        {
          kind: 'event',
          is: {
            type: 'MODIFIED',
            object: { metadata: { name: 'web', generation: 2 }, status: { observedGeneration: 1 } },
          },
          says: 'The watch reported generation 2, while observedGeneration was 1.',
        },
        {
          kind: 'event',
          is: {
            type: 'MODIFIED',
            object: {
              metadata: { name: 'web' },
              spec: { replicas: 3 },
              status: { replicas: 3, readyReplicas: 3 },
            },
          },
          says: 'And the status after it: three are ready.',
        },
      ],
      solution: [
        { method: 'GET', path: '/apis/apps/v1/namespaces/shop/deployments?watch=1', watch: true },
        {
          method: 'PATCH',
          path: `${WEB}/scale`,
          contentType: MERGE,
          body: { spec: { replicas: 3 } },
        },
      ],
    },
    {
      title: "Status can't be set through the object",
      text: 'Try to set 9 ready replicas, by a patch of the object itself. The server accepts the patch and ignores that part: the status is a subresource.',
      hints: [
        'Send it like any change, to the path of the object.',
        'A merge patch of web with status.readyReplicas. The response is 200.',
        `PATCH ${WEB} with {"status":{"readyReplicas":9}}, Content-Type ${MERGE}.`,
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'patch', resource: 'deployments', name: 'web', code: 200 },
          says: 'The server took your patch of the object.',
        },
        {
          kind: 'object',
          path: WEB,
          is: { status: { readyReplicas: 3 } },
          says: 'Still three are ready, not nine.',
        },
      ],
      solution: [
        { method: 'PATCH', path: WEB, contentType: MERGE, body: { status: { readyReplicas: 9 } } },
      ],
    },
    {
      title: 'Use the status subresource',
      text: 'Now write through the status subresource: a condition of the type ShopOpen, True, with a reason. A status change does not change the generation. (The controller keeps unknown conditions.)',
      hints: [
        'The path of the object, followed by /status.',
        'A strategic merge patch adds a condition to the others: status.conditions with type, status, reason and message.',
        'kubectl patch deployment web -n shop --subresource=status -p \'{"status":{"conditions":[{"type":"ShopOpen","status":"True","reason":"NineOClock","message":"Come in"}]}}\'',
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: ['update', 'patch'], resource: 'deployments/status', name: 'web', code: 200 },
          says: 'You wrote through the subresource status.',
        },
        {
          kind: 'object',
          path: WEB,
          is: { status: { conditions: [{ type: 'ShopOpen', status: 'True', reason: '/./' }] } },
          says: 'The shop is open.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: `${WEB}/status`,
          contentType: 'application/strategic-merge-patch+json',
          body: {
            status: {
              conditions: [
                { type: 'ShopOpen', status: 'True', reason: 'NineOClock', message: 'Come in' },
              ],
            },
          },
        },
      ],
    },
    {
      title: "Labels don't change the generation",
      text: 'Give web the label season=autumn. The object and its resourceVersion change, and watches report it; but the spec is unchanged, so the generation stays.',
      hints: [
        'A label in metadata.labels of the Deployment itself, not of its template.',
        'Patch metadata.labels; leave the spec alone.',
        'kubectl label deployment web -n shop season=autumn',
      ],
      checks: [
        {
          kind: 'object',
          path: WEB,
          is: { metadata: { labels: { season: 'autumn' } } },
          says: 'web has the label.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: WEB,
          contentType: MERGE,
          body: { metadata: { labels: { season: 'autumn' } } },
        },
      ],
    },
  ],
  wrong: [
    // Only a watch shows the state between the spec change and the status update.
    { method: 'PATCH', path: `${WEB}/scale`, contentType: MERGE, body: { spec: { replicas: 3 } } },
    { method: 'GET', path: WEB },
    {
      method: 'PATCH',
      path: WEB,
      contentType: MERGE,
      body: { metadata: { labels: { season: 'autumn' } } },
    },
  ],
  after:
    'Change an annotation of the Pod template instead of a label: does it change the generation? Look at the ReplicaSets.',
}
