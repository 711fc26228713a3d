import type { Lesson } from '../lesson'

const WEB = '/apis/apps/v1/namespaces/shop/deployments/web'
const MERGE = 'application/merge-patch+json'

export const specAndStatus: Lesson = {
  id: 'spec-and-status',
  title: 'Through the eyes of a controller',
  minutes: 8,
  about:
    'Tell wish from report: what bumps the generation, who writes the status, and when a wish has been heard.',
  rules:
    'Object spec and status: https://kubernetes.io/docs/concepts/overview/working-with-objects/#object-spec-and-status',
  story: `A script waits until the Deployment web has been rolled out. It looks whether readyReplicas is what replicas says; and sometimes it goes on too early, as the numbers it reads are from before the change.

An object has two halves. The spec is a wish, and every change of it makes metadata.generation one larger. The status is a report; whoever writes it says in status.observedGeneration which wish it is about. Controllers live by that, and by watches.`,
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
        text: `// What a controller does: a wish is heard when the report is about it.
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
      text: 'Open a watch of the Deployments of shop, and then scale web to 3. Several events come for one change: first the wish with a new generation, then reports, until observedGeneration has caught up.',
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
          says: 'The watch told of the wish: generation 2, while the report is about 1.',
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
          says: 'And of the report that answers it: three are ready.',
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
      title: 'Report without being asked to',
      text: 'Try to say that 9 replicas are ready, by a patch of the object itself. The server takes the patch and drops that part: the status has a door of its own.',
      hints: [
        'Send it like any change, to the path of the object.',
        'A merge patch of web with status.readyReplicas. The answer is 200.',
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
      title: 'Through the right door',
      text: 'Now report by the subresource status: a condition of the type ShopOpen, True, with a reason. A report is no wish: the generation stays. (Conditions that the controller does not know it leaves alone.)',
      hints: [
        'The path of the object with /status behind it.',
        'A strategic merge patch adds a condition beside the others: status.conditions with type, status, reason and message.',
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
      title: 'A label is no wish',
      text: 'Give web the label season=autumn. The object changes, its resourceVersion too, watches are told; but no controller has anything to do, and the generation stays what it was.',
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
    'Change an annotation of the Pod template instead of a label: is that a wish? Look at the ReplicaSets.',
}
