import type { Lesson } from '../lesson'

const SHOP = '/api/v1/namespaces/shop'

export const everythingIsAPath: Lesson = {
  id: 'everything-is-a-path',
  title: 'API paths',
  minutes: 7,
  about: 'Find any object of the cluster by its URL, including its subresources.',
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
      title: 'Discover API groups',
      text: 'The server advertises its APIs (discovery). Get the list of all named groups, then the resources of the group apps in version v1.',
      hints: [
        'The oldest group has the root /api; all others have another one.',
        'GET /apis lists the groups. A group and a version below it list resources.',
        "fetch('/apis') and fetch('/apis/apps/v1').",
      ],
      checks: [
        {
          kind: 'request',
          is: { path: '^/apis/?$', code: 200 },
          says: 'You listed the API groups.',
        },
        {
          kind: 'request',
          is: { path: '^/apis/apps/v1/?$', code: 200 },
          says: 'You listed the resources of apps/v1.',
        },
      ],
      solution: [
        { method: 'GET', path: '/apis' },
        { method: 'GET', path: '/apis/apps/v1' },
      ],
    },
    {
      title: 'Get one object',
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
      title: 'Get a 404',
      text: 'Paths use the plural resource name (deployments), not the kind. Request something that does not exist, and see that the response is an object too: a Status with a reason.',
      hints: [
        'Use the kind in place of the resource, or a name that does not exist.',
        'Request a Deployment that does not exist.',
        "fetch('/apis/apps/v1/namespaces/shop/deployments/missing') returns 404 with a Status.",
      ],
      checks: [{ kind: 'request', is: { code: 404 }, says: 'A request returned 404.' }],
      solution: [
        { method: 'GET', path: '/apis/apps/v1/namespaces/shop/deployments/missing', status: 404 },
      ],
    },
    {
      title: 'Use a subresource',
      text: 'Some parts of an object have their own path, a subresource, with their own permissions. Scale the Deployment to 3 through /scale: the rest of the object is not sent at all.',
      hints: [
        'The subresource follows the name.',
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
          says: 'It was changed through the scale subresource.',
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
      title: 'Create with POST',
      text: 'Create a ConfigMap called sign in the namespace shop by posting it to its collection. A new object is created in its collection, because it has no path yet.',
      hints: [
        'Creating is POST, and POST goes to the collection.',
        'POST to the path that lists the ConfigMaps of shop.',
        'POST /api/v1/namespaces/shop/configmaps with {"metadata":{"name":"sign"}}; the path determines the kind.',
      ],
      checks: [
        {
          kind: 'object',
          path: `${SHOP}/configmaps/sign`,
          is: { kind: 'ConfigMap' },
          says: 'The ConfigMap sign exists.',
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
    'Search for any object and look at its requests in the activity: which path did the page use? Try /openapi/v3, /version and /readyz?verbose.',
}
