import type { Lesson } from '../lesson'

const ORDERS = '/api/v1/namespaces/shop/configmaps'

export const listThenWatch: Lesson = {
  id: 'list-then-watch',
  title: 'List, then watch',
  minutes: 8,
  about: 'Follow a collection without missing a change and without seeing one twice.',
  rules:
    'Efficient detection of changes: https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes',
  story: `The kitchen follows the orders, which are ConfigMaps. It used to list them every second. That is slow, and an order that is created and deleted between two lists is never seen.

A watch reports every change. The question is where it starts.`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: order-1
  namespace: shop
  labels: { kind: order }
data: { dish: soup }
`,
    files: [
      {
        title: 'orders.ts',
        language: 'typescript',
        text: `// A list has the resourceVersion of its data. A watch can start there.
const orders = '/api/v1/namespaces/shop/configmaps?labelSelector=kind%3Dorder'
const list = await (await fetch(orders)).json()
console.log(list.items.length, 'orders at version', list.metadata.resourceVersion)
`,
      },
    ],
  },
  steps: [
    {
      title: 'List the orders',
      text: 'List the orders: ConfigMaps of shop with the label kind=order. The version of the list, not of an object in it, is what you need next.',
      hints: [
        'Run orders.ts.',
        'The list has its own metadata.resourceVersion.',
        `GET ${ORDERS}?labelSelector=kind%3Dorder.`,
      ],
      checks: [
        {
          kind: 'request',
          is: {
            verb: 'list',
            resource: 'configmaps',
            namespace: 'shop',
            query: { labelSelector: 'kind' },
          },
          says: 'You listed the orders.',
        },
      ],
      solution: [{ method: 'GET', path: `${ORDERS}?labelSelector=kind%3Dorder` }],
    },
    {
      title: 'Go on from there',
      text: 'Start a watch of the orders from that version, and create order-2 while it is open. The watch reports it as ADDED.',
      hints: [
        'Start a watch in the panel Watches: labels kind=order, and the version of the list.',
        'With the watch open, create a ConfigMap order-2 in shop with the label kind: order.',
        'GET …/configmaps?watch=1&labelSelector=kind%3Dorder&resourceVersion=VERSION, then POST the ConfigMap.',
      ],
      checks: [
        {
          kind: 'request',
          is: {
            verb: 'watch',
            resource: 'configmaps',
            query: { resourceVersion: '^[1-9]', labelSelector: 'kind' },
          },
          says: 'You watch the orders from a version.',
        },
        {
          kind: 'event',
          is: { type: 'ADDED', object: { metadata: { name: 'order-2' } } },
          says: 'The watch reported order-2.',
        },
      ],
      solution: [
        {
          method: 'GET',
          path: `${ORDERS}?watch=1&labelSelector=kind%3Dorder&resourceVersion={{resourceVersion ${ORDERS}}}`,
          watch: true,
        },
        {
          method: 'POST',
          path: ORDERS,
          body: {
            metadata: { name: 'order-2', labels: { kind: 'order' } },
            data: { dish: 'cake' },
          },
        },
      ],
    },
    {
      title: 'See an object leave the selection',
      text: 'Remove the label kind=order from order-1. The object stays, but it no longer matches this watch: the event is DELETED.',
      hints: [
        'Change the labels, not the data.',
        'Edit order-1 so that it has another label, or none, and put it back.',
        `PATCH ${ORDERS}/order-1 with {"metadata":{"labels":{"kind":null}}}.`,
      ],
      checks: [
        {
          kind: 'event',
          is: { type: 'DELETED', object: { metadata: { name: 'order-1' } } },
          says: 'For the watch order-1 is deleted.',
        },
        {
          kind: 'object',
          path: `${ORDERS}/order-1`,
          is: { data: { dish: 'soup' } },
          says: 'It is still there.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: `${ORDERS}/order-1`,
          contentType: 'application/merge-patch+json',
          body: { metadata: { labels: { kind: null } } },
        },
      ],
    },
  ],
  wrong: [
    { method: 'GET', path: `${ORDERS}?labelSelector=kind%3Dorder` },
    {
      method: 'POST',
      path: ORDERS,
      body: { metadata: { name: 'order-2', labels: { kind: 'order' } }, data: { dish: 'cake' } },
    },
    // Polling is not a watch.
    { method: 'GET', path: `${ORDERS}?labelSelector=kind%3Dorder` },
    { method: 'DELETE', path: `${ORDERS}/order-1` },
  ],
  after:
    'Start a watch without a resourceVersion: what are its first events? And with resourceVersion=0?',
}
