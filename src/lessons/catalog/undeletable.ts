import type { Lesson } from '../lesson'

const NAMES = '/api/v1/namespaces/shop/configmaps'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/shop/deployments'
const SETS = '/apis/apps/v1/namespaces/shop/replicasets'

export const undeletable: Lesson = {
  id: 'undeletable',
  title: 'Finalizers and deletion propagation',
  minutes: 9,
  about: 'Unblock a stuck deletion, and choose what is deleted with an object.',
  rules:
    'Finalizers: https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/',
  story: `A colleague deleted the ConfigMap ledger an hour ago, but it still exists. And the Deployment web must be deleted, but its Pods must stay until the evening.

A deletion is a request first. metadata.finalizers lists the cleanup that must happen before; owner references decide what else is deleted.`,
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
      title: 'Delete it',
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
          says: 'ledger is terminating.',
        },
      ],
      solution: [{ method: 'DELETE', path: `${NAMES}/ledger` }],
    },
    {
      title: 'Remove the finalizer',
      text: 'The archive no longer runs. Do its cleanup by hand: remove its finalizer.',
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
      text: 'Delete the Deployment web so that its ReplicaSet and Pods stay without an owner.',
      hints: [
        'A deletion states how dependents are handled.',
        'The propagation policy is called Orphan.',
        `DELETE ${DEPLOYMENTS}/web?propagationPolicy=Orphan.`,
      ],
      checks: [
        { kind: 'absent', path: `${DEPLOYMENTS}/web`, says: 'The Deployment is gone.' },
        {
          kind: 'object',
          path: SETS,
          is: { items: [{ metadata: { labels: { app: 'web' }, ownerReferences: null } }] },
          says: 'Its ReplicaSet exists, without an owner.',
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
