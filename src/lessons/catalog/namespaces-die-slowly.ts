import type { Lesson } from '../lesson'

const NAMESPACE = '/api/v1/namespaces/autumn'
const RECEIPT = `${NAMESPACE}/configmaps/receipts`

export const namespacesDieSlowly: Lesson = {
  id: 'namespaces-die-slowly',
  title: 'Namespace deletion',
  minutes: 8,
  about: 'Follow the deletion of a namespace, find out what blocks it, and unblock it properly.',
  rules:
    'Namespaces: https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/',
  story: `The autumn market is over, and its namespace autumn can go. A namespace is an object like any other, but it is deleted with its contents: a controller deletes everything in it, and only then is the namespace removed.

If one of its objects cannot be deleted yet, the namespace stays in Terminating. Removing the finalizer of the namespace by force leaves orphaned objects behind. There is a better way: find out what it waits for.`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: autumn
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  namespace: autumn
data: { pumpkin: "4" }
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: receipts
  namespace: autumn
  finalizers: [example.com/tax-office]
data: { total: "1234" }
`,
    files: [],
  },
  steps: [
    {
      title: 'Delete it',
      text: 'Delete the namespace autumn. It does not vanish: its phase becomes Terminating, and its contents are deleted.',
      hints: [
        'Delete the namespace as you would delete anything.',
        'Choose autumn among the Namespaces and delete it, or send a DELETE for it.',
        'kubectl delete namespace autumn --wait=false',
      ],
      checks: [
        {
          kind: 'object',
          path: NAMESPACE,
          is: { status: { phase: 'Terminating' } },
          says: 'autumn is terminating.',
        },
        { kind: 'absent', path: `${NAMESPACE}/configmaps/prices`, says: 'The prices are gone.' },
      ],
      solution: [{ method: 'DELETE', path: NAMESPACE }],
    },
    {
      title: 'No new objects',
      text: 'Try to create a ConfigMap named leftovers in autumn. The server forbids it: a terminating namespace accepts no new objects.',
      hints: [
        'Create it, and read the response.',
        'Apply a ConfigMap with name leftovers and namespace autumn. The response is 403.',
        'kubectl create configmap leftovers -n autumn',
      ],
      checks: [
        {
          kind: 'request',
          is: { resource: 'configmaps', namespace: 'autumn', code: 403 },
          says: 'The server rejected a new object in autumn.',
        },
      ],
      solution: [
        {
          method: 'POST',
          path: `${NAMESPACE}/configmaps`,
          body: { metadata: { name: 'leftovers' } },
          status: 403,
        },
      ],
    },
    {
      title: 'Find what blocks it',
      text: 'The conditions of the namespace state why it still exists. Read it, and look for NamespaceContentRemaining and NamespaceFinalizersRemaining. Which object is it, and which finalizer does it have?',
      hints: [
        'Read the namespace, not what is in it.',
        'Its status.conditions name the kind that is left and the finalizer that holds it.',
        'kubectl get namespace autumn -o yaml, and look at status.conditions.',
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'get', resource: 'namespaces', name: 'autumn', code: 200 },
          says: 'You read the namespace.',
        },
        {
          kind: 'object',
          path: NAMESPACE,
          is: {
            status: {
              conditions: [
                { type: 'NamespaceFinalizersRemaining', status: 'True', message: '/tax-office/' },
              ],
            },
          },
          says: 'Its condition names the finalizer of the tax office.',
        },
      ],
      solution: [{ method: 'GET', path: NAMESPACE }],
    },
    {
      title: 'Clear the blocker',
      text: 'The tax office has copied the receipts by now, and its program no longer runs. Remove its finalizer from the ConfigMap receipts, nothing else: then it is deleted, and the namespace after it.',
      hints: [
        'The finalizer is in metadata.finalizers of the ConfigMap. The namespace needs no change.',
        'Patch or edit receipts so that metadata.finalizers is empty.',
        'kubectl patch configmap receipts -n autumn --type=merge -p \'{"metadata":{"finalizers":null}}\'',
      ],
      checks: [
        {
          kind: 'request',
          is: {
            verb: ['update', 'patch'],
            resource: 'configmaps',
            namespace: 'autumn',
            name: 'receipts',
            code: 200,
          },
          says: 'You changed the receipts.',
        },
        { kind: 'absent', path: RECEIPT, says: 'The receipts are gone.' },
        { kind: 'absent', path: NAMESPACE, says: 'And so is autumn.' },
      ],
      solution: [
        {
          method: 'PATCH',
          path: RECEIPT,
          contentType: 'application/merge-patch+json',
          body: { metadata: { finalizers: null } },
        },
      ],
    },
  ],
  wrong: [
    { method: 'DELETE', path: NAMESPACE },
    // Deleting again changes nothing: it is on its way already, and waits.
    { method: 'DELETE', path: RECEIPT },
    { method: 'GET', path: NAMESPACE },
  ],
  after:
    'Create a namespace and delete it while a watch of its ConfigMaps is open: in which order are objects deleted, and which condition comes last?',
}
