import type { Lesson } from '../lesson'

const NAMES = '/api/v1/namespaces/shop/configmaps'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/shop/deployments'
const SETS = '/apis/apps/v1/namespaces/shop/replicasets'

export const undeletable: Lesson = {
  id: 'undeletable',
  title: 'Undeletable',
  minutes: 9,
  about: 'Free what hangs in its deletion, and choose what a deletion takes with it.',
  rules:
    'Finalizers: https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/',
  story: `The ConfigMap ledger was deleted an hour ago, says a colleague; it is still there. And the Deployment web has to go, but its Pods have to stay until the evening.

Deleting is a wish first. Who has to tidy up before stands in metadata.finalizers; what goes along is decided by who owns what.`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: ledger
  namespace: shop
  finalizers: [example.com/archive]
data: { page: "1" }
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 1
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: nginx:1.27
`,
    files: [],
  },
  steps: [
    {
      title: 'Wish it away',
      text: 'Delete the ConfigMap ledger. It gets a deletionTimestamp, and stays.',
      hints: [
        'Delete it as you would anything.',
        'The object has a button for it; the manifest has Delete.',
        `DELETE ${NAMES}/ledger.`,
      ],
      checks: [
        {
          kind: 'object',
          path: `${NAMES}/ledger`,
          is: { metadata: { deletionTimestamp: '/./', finalizers: ['example.com/archive'] } },
          says: 'ledger is on its way out, and waits.',
        },
      ],
      solution: [{ method: 'DELETE', path: `${NAMES}/ledger` }],
    },
    {
      title: 'Let it go',
      text: 'Nobody runs the archive any more. Do its part by hand: take its finalizer off.',
      hints: [
        'The list metadata.finalizers has to become empty.',
        'Edit the object: remove metadata.finalizers and replace it, or patch it.',
        `PATCH ${NAMES}/ledger with {"metadata":{"finalizers":null}}.`,
      ],
      checks: [{ kind: 'absent', path: `${NAMES}/ledger`, says: 'ledger is gone.' }],
      solution: [
        {
          method: 'PATCH',
          path: `${NAMES}/ledger`,
          contentType: 'application/merge-patch+json',
          body: { metadata: { finalizers: null } },
        },
      ],
    },
    {
      title: 'Delete the parent, keep the children',
      text: 'Delete the Deployment web so that its ReplicaSet and Pods stay and belong to nobody.',
      hints: [
        'A deletion says how it treats what belongs to the object.',
        'The propagation policy is called Orphan.',
        `DELETE ${DEPLOYMENTS}/web?propagationPolicy=Orphan.`,
      ],
      checks: [
        { kind: 'absent', path: `${DEPLOYMENTS}/web`, says: 'The Deployment is gone.' },
        {
          kind: 'object',
          path: SETS,
          is: { items: [{ metadata: { labels: { app: 'web' }, ownerReferences: null } }] },
          says: 'Its ReplicaSet is there, and belongs to nobody.',
        },
      ],
      solution: [{ method: 'DELETE', path: `${DEPLOYMENTS}/web?propagationPolicy=Orphan` }],
    },
  ],
  wrong: [
    { method: 'DELETE', path: `${NAMES}/ledger` },
    {
      method: 'PATCH',
      path: `${NAMES}/ledger`,
      contentType: 'application/merge-patch+json',
      body: { metadata: { finalizers: null } },
    },
    // Takes the ReplicaSet and its Pods along.
    { method: 'DELETE', path: `${DEPLOYMENTS}/web?propagationPolicy=Background` },
  ],
  after:
    'Create the Deployment again: does it take the orphaned ReplicaSet back? Then delete it with propagationPolicy=Foreground and look at its finalizers.',
}
