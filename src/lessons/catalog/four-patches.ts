import type { Lesson } from '../lesson'

const WEB = '/apis/apps/v1/namespaces/shop/deployments/web'
const PRICES = '/api/v1/namespaces/shop/configmaps/prices'

export const fourPatches: Lesson = {
  id: 'four-patches',
  title: 'Patch types',
  minutes: 9,
  about: 'Choose a patch type, and know how each handles lists.',
  rules:
    'Updates to existing resources: https://kubernetes.io/docs/reference/using-api/api-concepts/#patch-and-apply',
  story: `The Deployment web runs two containers, web and log. It needs a newer image. There are four patch formats, selected by the Content-Type of a PATCH, and they handle lists differently.`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: ConfigMap
metadata: { name: prices, namespace: shop }
data: { tea: "2", soup: "6" }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - { name: web, image: "nginx:1.26" }
        - { name: log, image: "busybox:1.36" }
`,
    files: [
      {
        title: 'patch.ts',
        language: 'typescript',
        text: `const web = '/apis/apps/v1/namespaces/shop/deployments/web'
const patch = { metadata: { annotations: { tried: 'yes' } } }
const response = await fetch(web, {
  method: 'PATCH',
  headers: { 'Content-Type': 'application/merge-patch+json' },
  body: JSON.stringify(patch),
})
console.log(response.status, (await response.json()).spec.template.spec.containers)
`,
      },
    ],
  },
  steps: [
    {
      title: 'Merge: objects grow, lists are replaced',
      text: 'Remove soup from the prices and add cake for 3, in one merge patch. A value of null removes.',
      hints: [
        'Content-Type application/merge-patch+json; send only the differences.',
        'Set the removed member to null.',
        `PATCH ${PRICES} with {"data":{"soup":null,"cake":"3"}}.`,
      ],
      checks: [
        {
          kind: 'object',
          path: PRICES,
          is: { data: { tea: '2', cake: '3', soup: null } },
          says: 'Tea and cake are on the list, soup is not.',
        },
        {
          kind: 'request',
          is: { verb: 'patch', resource: 'configmaps', name: 'prices', code: 200 },
          says: 'A patch did it.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: PRICES,
          contentType: 'application/merge-patch+json',
          body: { data: { soup: null, cake: '3' } },
        },
      ],
    },
    {
      title: 'Strategic merge: lists by their keys',
      text: 'Raise the image of the container web to nginx:1.27 with a strategic merge patch that names only this container. The container log stays.',
      hints: [
        'Containers are known by their names.',
        'Content-Type application/strategic-merge-patch+json, with a list of one container: name and image.',
        '{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"nginx:1.27"}]}}}}.',
      ],
      checks: [
        {
          kind: 'object',
          path: WEB,
          is: {
            spec: {
              template: {
                spec: {
                  containers: [
                    { name: 'web', image: 'nginx:1.27' },
                    { name: 'log', image: 'busybox:1.36' },
                  ],
                },
              },
            },
          },
          says: 'web runs nginx:1.27, and log is still there.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: WEB,
          contentType: 'application/strategic-merge-patch+json',
          body: {
            spec: { template: { spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } } },
          },
        },
      ],
    },
    {
      title: 'The same patch, the other type',
      text: 'Send a patch with a list of one container again, but as a merge patch: name web, image nginx:1.28. What became of log?',
      hints: [
        'Only the Content-Type differs.',
        'application/merge-patch+json replaces whole lists.',
        'The same body with image nginx:1.28 and Content-Type application/merge-patch+json.',
      ],
      checks: [
        {
          kind: 'object',
          path: WEB,
          is: {
            spec: { template: { spec: { containers: [{ name: 'web', image: 'nginx:1.28' }] } } },
          },
          says: 'web runs nginx:1.28.',
        },
        {
          kind: 'request',
          is: { verb: 'patch', resource: 'deployments', name: 'web', code: 200 },
          says: 'A patch did it.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: WEB,
          contentType: 'application/merge-patch+json',
          body: {
            spec: { template: { spec: { containers: [{ name: 'web', image: 'nginx:1.28' }] } } },
          },
        },
      ],
    },
    {
      title: 'JSON Patch: steps, and a condition',
      text: 'Update the image to nginx:1.29 by a JSON Patch that first tests that it is nginx:1.28. If the test fails, the server rejects the whole patch.',
      hints: [
        'A JSON Patch is a list of steps: op, path, value.',
        'The steps are test and replace, both at /spec/template/spec/containers/0/image.',
        'Content-Type application/json-patch+json: [{"op":"test","path":"…/image","value":"nginx:1.28"},{"op":"replace","path":"…/image","value":"nginx:1.29"}].',
      ],
      checks: [
        {
          kind: 'object',
          path: WEB,
          is: {
            spec: { template: { spec: { containers: [{ name: 'web', image: 'nginx:1.29' }] } } },
          },
          says: 'web runs nginx:1.29.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: WEB,
          contentType: 'application/json-patch+json',
          body: [
            { op: 'test', path: '/spec/template/spec/containers/0/image', value: 'nginx:1.28' },
            { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'nginx:1.29' },
          ],
        },
      ],
    },
    {
      title: 'Apply: what I want, under my name',
      text: 'The fourth is server-side apply: send the desired fields and a field manager, and the server records that this manager owns them. Apply replicas: 2 as the manager teacher.',
      hints: [
        'Content-Type application/apply-patch+yaml, and a field manager in the query.',
        'The manifest needs apiVersion, kind, the name, and spec.replicas.',
        `PATCH ${WEB}?fieldManager=teacher with {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":2}}.`,
      ],
      checks: [
        {
          kind: 'object',
          path: WEB,
          is: {
            spec: { replicas: 2 },
            metadata: { managedFields: [{ manager: 'teacher', operation: 'Apply' }] },
          },
          says: 'There are 2 replicas, and teacher owns the number.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: `${WEB}?fieldManager=teacher&force=true`,
          contentType: 'application/apply-patch+yaml',
          body: {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { name: 'web' },
            spec: { replicas: 2 },
          },
        },
      ],
    },
  ],
  wrong: [
    {
      method: 'PATCH',
      path: PRICES,
      contentType: 'application/merge-patch+json',
      body: { data: { soup: null, cake: '3' } },
    },
    // A merge patch takes the container log away.
    {
      method: 'PATCH',
      path: WEB,
      contentType: 'application/merge-patch+json',
      body: {
        spec: { template: { spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } } },
      },
    },
  ],
  after:
    'Bring log back with a strategic merge patch, then remove it with {"name":"log","$patch":"delete"}.',
}
