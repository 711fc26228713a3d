import type { Lesson } from '../lesson'

const ORDERS = '/api/v1/namespaces/shop/configmaps'
const orders = Array.from(
  { length: 7 },
  (_, i) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: order-${i + 1}\n  namespace: shop\n  labels: { kind: order }\n`,
)

export const chunkedList: Lesson = {
  id: 'chunked-list',
  title: 'Paginated lists',
  minutes: 7,
  about: 'Read a large collection in consistent chunks, and handle an expired continue token.',
  rules:
    'Retrieving large results sets in chunks: https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks',
  story: `The archive has a hundred thousand orders; here are seven of them. Reading all of them at once costs memory on the server. With a limit, the list comes in chunks, each with a continue token for the next.

All chunks show the cluster at the revision of the first one.`,
  start: {
    objects: ['apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n', ...orders].join(
      '---\n',
    ),
    files: [
      {
        title: 'pieces.ts',
        language: 'typescript',
        text: `const orders = '/api/v1/namespaces/shop/configmaps?labelSelector=kind%3Dorder'
const piece = await (await fetch(\`\${orders}&limit=3\`)).json()
console.log(piece.items.map(({ metadata }) => metadata.name), piece.metadata)
`,
      },
    ],
  },
  steps: [
    {
      title: 'The first piece',
      text: 'List the orders with a limit of 3. The response has a token for the rest in metadata.continue. (remainingItemCount states how many are left, but only without selectors.)',
      hints: ['Run pieces.ts.', 'The parameter is called limit.', `GET ${ORDERS}?limit=3.`],
      checks: [
        {
          kind: 'request',
          is: {
            verb: 'list',
            resource: 'configmaps',
            query: { limit: '^3$', continue: null },
            code: 200,
          },
          says: 'You read the first three.',
        },
      ],
      solution: [{ method: 'GET', path: `${ORDERS}?limit=3` }],
    },
    {
      title: 'The next piece, as of then',
      text: 'Delete order-7, then read on with the token of the first piece until the end. order-7 is still in it: the pieces belong to one moment.',
      hints: [
        'metadata.continue is the token; it goes into the parameter of that name.',
        'Delete order-7, then list with the same limit and continue=TOKEN.',
        'Keep the token in a script: delete in between with a fetch of method DELETE.',
      ],
      checks: [
        { kind: 'absent', path: `${ORDERS}/order-7`, says: 'order-7 is deleted.' },
        {
          kind: 'request',
          is: { verb: 'list', resource: 'configmaps', query: { continue: '.' }, code: 200 },
          says: 'You read on with the token.',
        },
      ],
      solution: [
        { method: 'DELETE', path: `${ORDERS}/order-7` },
        { method: 'GET', path: `${ORDERS}?limit=3&continue={{continue ${ORDERS}?limit=3}}` },
      ],
    },
    {
      title: 'A token that is too old',
      text: 'Read the first chunk again, change something, and compact the history; then use the token. The response is 410, with a new token that continues the list at the price of an inconsistent list.',
      hints: [
        'The token contains a revision. When it is compacted, the token expires.',
        'List with a limit, create any object, compact the history, read on with the token.',
        'After the 410, look at metadata.continue of the Status.',
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'list', resource: 'configmaps', query: { continue: '.' }, code: 410 },
          says: 'A token had expired.',
        },
      ],
      solution: [
        {
          compact: true,
          method: 'GET',
          path: `${ORDERS}?limit=3&continue={{continue ${ORDERS}?limit=3}}`,
          status: 410,
        },
      ],
    },
  ],
  wrong: [
    { method: 'GET', path: `${ORDERS}?limit=3` },
    { method: 'DELETE', path: `${ORDERS}/order-7` },
    // From the beginning again: no token was used.
    { method: 'GET', path: `${ORDERS}?limit=6` },
  ],
  after: 'Use the token of the 410 to read the rest. Which version does that piece have?',
}
