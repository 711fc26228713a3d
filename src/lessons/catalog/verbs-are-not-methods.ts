import type { Lesson } from '../lesson'

const PODS = '/api/v1/namespaces/shop/pods'

export const verbsAreNotMethods: Lesson = {
  id: 'verbs-are-not-methods',
  title: 'API verbs and HTTP methods',
  minutes: 7,
  about: 'Know which API verb RBAC and audit rules see.',
  rules: 'Kubernetes API concepts: https://kubernetes.io/docs/reference/using-api/api-concepts/',
  story: `A role allows "get" on Pods, but listing them is forbidden, although both are GET requests. HTTP has a handful of methods; the API has more verbs, and derives them from the path and the query as well.

The Audit tab shows the verb of every request.`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: Pod
metadata:
  name: till
  namespace: shop
  labels: { app: till }
spec:
  containers:
    - name: till
      image: nginx:1.27
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: pod-getter
  namespace: shop
rules:
  - apiGroups: [""]
    resources: [pods]
    verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: alice-gets-pods
  namespace: shop
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: pod-getter }
subjects:
  - { apiGroup: rbac.authorization.k8s.io, kind: User, name: alice }
`,
    files: [],
  },
  steps: [
    {
      title: 'One method, three verbs',
      text: 'As admin, send three GET requests: one for the Pod till, one for all Pods of shop, and one that watches them. In the audit trail they are get, list and watch.',
      hints: [
        'The name in the path makes the difference between two of them; a parameter makes the third.',
        'GET …/pods/till, GET …/pods, and GET …/pods?watch=1.',
        'The panel Watches starts the third. For the others: kubectl get pod till -n shop, and kubectl get pods -n shop, in the console.',
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'get', resource: 'pods', namespace: 'shop', name: 'till', user: 'admin' },
          says: 'get: one object.',
        },
        {
          kind: 'request',
          is: { verb: 'list', resource: 'pods', namespace: 'shop', user: 'admin' },
          says: 'list: the collection.',
        },
        {
          kind: 'request',
          is: { verb: 'watch', resource: 'pods', namespace: 'shop', user: 'admin' },
          says: 'watch: what happens to it.',
        },
      ],
      solution: [
        { method: 'GET', path: `${PODS}/till` },
        { method: 'GET', path: PODS },
        { method: 'GET', path: `${PODS}?watch=1&resourceVersion=0`, watch: true },
      ],
    },
    {
      title: 'Be Alice',
      text: 'Switch to alice, whose role allows get. Read the Pod, then try to list the Pods: the first succeeds, the second is forbidden (403).',
      hints: [
        'The user is at the top of the page.',
        'As alice, get the Pod till by name, then list the Pods.',
        "As alice, run a script with fetch('/api/v1/namespaces/shop/pods/till') and fetch('/api/v1/namespaces/shop/pods').",
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'get', resource: 'pods', name: 'till', user: 'alice', code: 200 },
          says: 'Alice reads the Pod.',
        },
        {
          kind: 'request',
          is: { verb: 'list', resource: 'pods', user: 'alice', code: 403 },
          says: 'Alice cannot list Pods.',
        },
      ],
      solution: [
        { as: 'alice', method: 'GET', path: `${PODS}/till` },
        { as: 'alice', method: 'GET', path: PODS, status: 403 },
      ],
    },
    {
      title: 'A list in disguise',
      text: 'A list that selects one name by a field selector is still a list: Alice is denied again. Try it: a rule for the verb decides, not how much comes back.',
      hints: [
        'A field selector is in the query.',
        'fieldSelector=metadata.name=till on the collection.',
        "As alice: fetch('/api/v1/namespaces/shop/pods?fieldSelector=metadata.name%3Dtill').",
      ],
      checks: [
        {
          kind: 'request',
          is: {
            verb: 'list',
            resource: 'pods',
            user: 'alice',
            code: 403,
            query: { fieldSelector: 'metadata\\.name=till' },
          },
          says: 'Alice listed one Pod by a field selector, and was denied.',
        },
      ],
      solution: [
        {
          as: 'alice',
          method: 'GET',
          path: `${PODS}?fieldSelector=metadata.name%3Dtill`,
          status: 403,
        },
      ],
    },
    {
      title: 'Two deletes',
      text: 'As admin again: delete all Pods with the label app=till in one request. The method is DELETE, the verb is another one than for a single object, and a role that allows "delete" does not allow it.',
      hints: [
        'DELETE on the collection, with a label selector.',
        'The verb is deletecollection.',
        "fetch('/api/v1/namespaces/shop/pods?labelSelector=app%3Dtill', { method: 'DELETE' }).",
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'deletecollection', resource: 'pods', code: 200 },
          says: 'A collection was deleted from.',
        },
        { kind: 'absent', path: `${PODS}/till`, says: 'The Pod is gone.' },
      ],
      solution: [
        { method: 'DELETE', path: `${PODS}?labelSelector=app%3Dtill&gracePeriodSeconds=0` },
      ],
    },
  ],
  wrong: [
    { method: 'GET', path: `${PODS}/till` },
    { method: 'GET', path: PODS },
    { as: 'alice', method: 'GET', path: PODS, status: 403 },
    { method: 'DELETE', path: `${PODS}/till?gracePeriodSeconds=0` },
  ],
  after:
    'Change the role so that Alice can list but not get. Can she still read everything about the Pod?',
}
