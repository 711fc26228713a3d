import type { Lesson } from '../lesson'

const SHOP = '/api/v1/namespaces/shop'

export const everythingIsAPath: Lesson = {
  id: 'everything-is-a-path',
  title: 'Everything is a path',
  minutes: 7,
  about: 'Find any object of the cluster by its address, and the doors beside the object itself.',
  rules:
    'Resource URIs: https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris',
  story: `A new colleague thinks of Kubernetes as a set of commands. Show them what is underneath: a tree of addresses. Whatever kubectl does is a request to one of them.

Scripts ("New script" below +) send plain requests: \`await fetch('/api/v1/namespaces')\`.`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
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
    files: [
      {
        title: 'paths.ts',
        language: 'typescript',
        text: `// Run it, then change the path.\nconst response = await fetch('/api')\nconsole.log(response.status, await response.json())\n`,
      },
    ],
  },
  steps: [
    {
      title: 'Ask for the map',
      text: 'The server says by itself what it serves. Ask for the list of all named groups, then for the resources of the group apps in version v1.',
      hints: [
        'The oldest group has the root /api; all others have another one.',
        'GET /apis lists the groups. A group and a version below it list resources.',
        "fetch('/apis') and fetch('/apis/apps/v1').",
      ],
      checks: [
        {
          kind: 'request',
          is: { path: '^/apis/?$', code: 200 },
          says: 'You asked which groups there are.',
        },
        {
          kind: 'request',
          is: { path: '^/apis/apps/v1/?$', code: 200 },
          says: 'You asked what apps/v1 serves.',
        },
      ],
      solution: [
        { method: 'GET', path: '/apis' },
        { method: 'GET', path: '/apis/apps/v1' },
      ],
    },
    {
      title: 'Walk to one object',
      text: 'Read the Deployment web of the namespace shop by its own address.',
      hints: [
        'Group, version, namespace, resource, name: in this order.',
        '/apis/GROUP/VERSION/namespaces/NAMESPACE/RESOURCE/NAME, with the resource in the plural.',
        "fetch('/apis/apps/v1/namespaces/shop/deployments/web').",
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'get', resource: 'deployments', namespace: 'shop', name: 'web', code: 200 },
          says: 'You read the Deployment itself.',
        },
      ],
      solution: [{ method: 'GET', path: '/apis/apps/v1/namespaces/shop/deployments/web' }],
    },
    {
      title: 'Miss it',
      text: 'The resource of an address is a word of the server, not the kind. Ask for something the server does not have, and see that the answer is an object too: a Status with a reason.',
      hints: [
        'Use the kind where the resource belongs, or a name that nobody has.',
        'Ask for the Deployment by a name that is not there.',
        "fetch('/apis/apps/v1/namespaces/shop/deployments/nobody') is answered 404 with a Status.",
      ],
      checks: [{ kind: 'request', is: { code: 404 }, says: 'A request was answered 404.' }],
      solution: [
        { method: 'GET', path: '/apis/apps/v1/namespaces/shop/deployments/nobody', status: 404 },
      ],
    },
    {
      title: 'Use a side door',
      text: 'Some parts of an object have an address of their own, a subresource, with rules of its own. Scale the Deployment to 3 through /scale: the rest of the object is not sent at all.',
      hints: [
        'The subresource stands behind the name.',
        'GET …/deployments/web/scale shows a small object; put it back with another number, or patch it.',
        'PATCH …/deployments/web/scale with content type application/merge-patch+json and {"spec":{"replicas":3}}.',
      ],
      checks: [
        {
          kind: 'object',
          path: '/apis/apps/v1/namespaces/shop/deployments/web',
          is: { spec: { replicas: 3 } },
          says: 'The Deployment wants 3 replicas.',
        },
        {
          kind: 'request',
          is: { verb: ['update', 'patch'], resource: 'deployments/scale', name: 'web', code: 200 },
          says: 'It was told through its scale.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: '/apis/apps/v1/namespaces/shop/deployments/web/scale',
          contentType: 'application/merge-patch+json',
          body: { spec: { replicas: 3 } },
        },
      ],
    },
    {
      title: 'Write to an address',
      text: 'Create a ConfigMap called sign in the namespace shop by posting it to its collection. The address of a new object is the collection, since the object is not there yet.',
      hints: [
        'Creating is POST, and POST goes to the collection.',
        'POST to the path that lists the ConfigMaps of shop.',
        'POST /api/v1/namespaces/shop/configmaps with {"metadata":{"name":"sign"}}; the path already says the kind.',
      ],
      checks: [
        {
          kind: 'object',
          path: `${SHOP}/configmaps/sign`,
          is: { kind: 'ConfigMap' },
          says: 'The ConfigMap sign is there.',
        },
        {
          kind: 'request',
          is: { verb: 'create', resource: 'configmaps', namespace: 'shop', code: 201 },
          says: 'It was created by a POST.',
        },
      ],
      solution: [
        { method: 'POST', path: `${SHOP}/configmaps`, body: { metadata: { name: 'sign' } } },
      ],
    },
  ],
  wrong: [
    { method: 'GET', path: '/api' },
    { method: 'GET', path: '/api/v1' },
    { method: 'GET', path: '/apis/apps/v1/namespaces/shop/deployments' },
    {
      method: 'PATCH',
      path: '/apis/apps/v1/namespaces/shop/deployments/web',
      contentType: 'application/merge-patch+json',
      body: { spec: { replicas: 3 } },
    },
  ],
  after:
    'Ask the search for any object and look at its requests in the activity: which address did the page use? Try /openapi/v3, /version and /readyz?verbose.',
}
