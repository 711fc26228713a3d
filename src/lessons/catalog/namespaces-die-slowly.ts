import type { Lesson } from '../lesson'

const NAMESPACE = '/api/v1/namespaces/autumn'
const RECEIPT = `${NAMESPACE}/configmaps/receipts`

export const namespacesDieSlowly: Lesson = {
  id: 'namespaces-die-slowly',
  title: 'Namespaces die slowly',
  minutes: 8,
  about: 'Follow a namespace through its end, read what keeps it, and free it without tricks.',
  rules:
    'Namespaces: https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/',
  story: `The autumn market is over, and its namespace autumn can go. A namespace is an object like any other, but what lives in it goes along: a controller deletes everything in it, and only then is the namespace let go.

If something in there cannot be deleted yet, the namespace hangs. People then take the finalizer off the namespace by force, and leave behind what nobody can reach any more. There is a better way: ask it what it waits for.`,
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
      title: 'Say that it can go',
      text: 'Delete the namespace autumn. It does not vanish: its phase becomes Terminating, and what is in it begins to go.',
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
      title: 'Nothing new gets in',
      text: 'Try to create a ConfigMap named leftovers in autumn. The server refuses: what ends takes nothing new.',
      hints: [
        'Create it, and read what the server answers.',
        'Apply a ConfigMap with name leftovers and namespace autumn. The answer is 403.',
        'kubectl create configmap leftovers -n autumn',
      ],
      checks: [
        {
          kind: 'request',
          is: { resource: 'configmaps', namespace: 'autumn', code: 403 },
          says: 'The server refused to put something into autumn.',
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
      title: 'Ask what it waits for',
      text: 'The namespace says itself why it is still there: in its conditions. Read it, and look for NamespaceContentRemaining and NamespaceFinalizersRemaining. Which object is it, and whose mark does it carry?',
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
          says: 'It says that it waits for the tax office.',
        },
      ],
      solution: [{ method: 'GET', path: NAMESPACE }],
    },
    {
      title: 'Do what is waited for',
      text: 'The tax office has copied the receipts by now, and its program no longer runs. Take its finalizer off the ConfigMap receipts, nothing else: then it goes, and the namespace after it.',
      hints: [
        'The finalizer stands at the ConfigMap, in metadata.finalizers. The namespace need not be touched.',
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
    'Make a namespace and delete it while a watch of its ConfigMaps is open: in which order does what leave, and which condition comes last?',
}
