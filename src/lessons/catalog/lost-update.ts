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
  title: 'The lost update',
  minutes: 8,
  about: 'Keep two people from overwriting each other without either of them noticing.',
  rules:
    'Resource versions: https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-versions',
  story: `The shop keeps its prices in a ConfigMap. Alice wants tea to cost 3; Bob wants coffee to cost 5. Both have read the prices, both change their copy, both put it back.

Whoever is second undoes what the first one did, unless the server is told which state each of them started from.`,
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
        text: `# Bob's copy, read a while ago. Replace puts all of it in the place of what is there.
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
      text: 'Now be Bob, who knows nothing of this. Put the file bob.yaml in the place of what is there: it says nothing about the state it started from, so the server takes it. What became of the tea?',
      hints: [
        'The way to put a whole object in the place of another is not Apply.',
        'Open bob.yaml, then choose Replace beside Apply.',
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
          says: 'The whole object was put in place.',
        },
      ],
      solution: [{ method: 'PUT', path: PRICES, body: manifest('2', '5', '') }],
    },
    {
      title: 'Be refused',
      text: 'Try it again, but honestly: say which state you started from, and let somebody else be faster. Read the ConfigMap, note its resourceVersion, change the object in any other way, and then put a manifest with the old resourceVersion in place. The server has to answer 409 Conflict.',
      hints: [
        'metadata.resourceVersion in a manifest means: only if it still stands there.',
        'Add metadata.resourceVersion with the number from before to bob.yaml, and replace.',
        'PUT the manifest with the resourceVersion of an older revision; the History tab of the object lists them.',
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'update', resource: 'configmaps', name: 'prices', code: 409 },
          says: 'A put was refused with 409.',
        },
      ],
      solution: [{ method: 'PUT', path: PRICES, body: manifest('9', '9', '1'), status: 409 }],
    },
    {
      title: 'Do it right',
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
