import type { Lesson } from '../lesson'

const PRICES = '/api/v1/namespaces/shop/configmaps/prices'

const manifest = (tea: string, coffee: string, version: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'prices', namespace: 'shop', ...(version ? { resourceVersion: version } : {}) },
  data: { coffee, tea },
})

export const lostUpdate: Lesson = {
  id: 'lost-update',
  title: 'Lost updates',
  minutes: 8,
  about: 'Prevent lost updates by optimistic concurrency with resourceVersion.',
  rules:
    'Resource versions: https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions',
  story: `The shop keeps its prices in a ConfigMap. Alice wants tea to cost 3; Bob wants coffee to cost 5. Both have read the prices, both change their copy, both write it back.

The second write undoes the first one, unless the server knows which state each of them started from.`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  namespace: shop
data:
  coffee: "4"
  tea: "2"
`,
    files: [
      {
        title: 'bob.yaml',
        language: 'yaml',
        text: `# Bob's copy, read a while ago. Replace overwrites the whole object.
apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  namespace: shop
data:
  coffee: "5"
  tea: "2"
`,
      },
    ],
  },
  steps: [
    {
      title: 'Raise the price of tea',
      text: 'Be Alice: make tea cost 3, in whichever way you like. The coffee stays at 4.',
      hints: [
        'Select the ConfigMap in the explorer; its manifest can be edited and put back.',
        'Open the object as a manifest, change the value of tea, and choose Replace.',
        'Send a merge patch to the ConfigMap: {"data":{"tea":"3"}}.',
      ],
      checks: [
        {
          kind: 'object',
          path: PRICES,
          is: { data: { tea: '3', coffee: '4' } },
          says: 'Tea costs 3, coffee 4.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: PRICES,
          contentType: 'application/merge-patch+json',
          body: { data: { tea: '3' } },
        },
      ],
    },
    {
      title: 'Lose it',
      text: 'Now be Bob, who has not seen this change. Replace the object with bob.yaml: it has no resourceVersion, so the server accepts it. What happened to the tea?',
      hints: [
        'Apply does not replace a whole object.',
        'Open bob.yaml, then choose Replace next to Apply.',
        'PUT the manifest without metadata.resourceVersion.',
      ],
      checks: [
        {
          kind: 'object',
          path: PRICES,
          is: { data: { tea: '2', coffee: '5' } },
          says: 'Coffee costs 5, and tea is back at 2.',
        },
        {
          kind: 'request',
          is: { verb: 'update', resource: 'configmaps', name: 'prices', code: 200 },
          says: 'The whole object was replaced.',
        },
      ],
      solution: [{ method: 'PUT', path: PRICES, body: manifest('2', '5', '') }],
    },
    {
      title: 'Get a 409 Conflict',
      text: 'Try it again with a resourceVersion, and let another client write first. Read the ConfigMap, note its resourceVersion, change the object in any other way, and then replace it with a manifest that has the old resourceVersion. The server must return 409 Conflict.',
      hints: [
        'metadata.resourceVersion in a manifest is a precondition: it must be the current one.',
        'Add metadata.resourceVersion with the number from before to bob.yaml, and replace.',
        'PUT the manifest with the resourceVersion of an older revision; the History tab of the object lists them.',
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'update', resource: 'configmaps', name: 'prices', code: 409 },
          says: 'A PUT got 409 Conflict.',
        },
      ],
      solution: [{ method: 'PUT', path: PRICES, body: manifest('9', '9', '1'), status: 409 }],
    },
    {
      title: 'Read again and retry',
      text: 'A conflict is an invitation: read again, change what you meant to change, put it back with the version you have just read. In the end tea costs 3 and coffee 5.',
      hints: [
        'Read what is there now before you change it.',
        'Open the object again: its manifest has the newest resourceVersion. Change tea to 3, leave coffee at 5, and replace.',
        'PUT the object with data {"coffee":"5","tea":"3"} and the resourceVersion that a GET gives you.',
      ],
      checks: [
        {
          kind: 'object',
          path: PRICES,
          is: { data: { tea: '3', coffee: '5' } },
          says: 'Tea costs 3 and coffee 5.',
        },
      ],
      solution: [
        { method: 'PUT', path: PRICES, body: manifest('3', '5', `{{resourceVersion ${PRICES}}}`) },
      ],
    },
  ],
  wrong: [
    {
      method: 'PATCH',
      path: PRICES,
      contentType: 'application/merge-patch+json',
      body: { data: { tea: '3' } },
    },
    { method: 'PUT', path: PRICES, body: manifest('2', '5', '') },
    // Without a resourceVersion there is never a conflict.
    { method: 'PUT', path: PRICES, body: manifest('3', '5', '') },
  ],
  after:
    'Send a patch instead of a put: it names only what it changes, so it needs no version. When would it still be wrong to leave the version out?',
}
