import type { JsonObject } from '../../engine/core/object'
import type { Lesson, Move } from '../lesson'

const WEB = '/apis/apps/v1/namespaces/shop/deployments/web'
const identity = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
}

/** An apply configuration with only these containers. */
const containers = (
  manager: string,
  list: JsonObject[],
  rest: Pick<Move, 'status'> = {},
  force = '',
): Move => ({
  method: 'PATCH',
  path: `${WEB}?fieldManager=${manager}${force}`,
  contentType: 'application/apply-patch+yaml',
  body:
    list.length === 0
      ? identity
      : { ...identity, spec: { template: { spec: { containers: list } } } },
  ...rest,
})

const teamApplies: Move = {
  method: 'PATCH',
  path: `${WEB}?fieldManager=team`,
  contentType: 'application/apply-patch+yaml',
  body: {
    ...identity,
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'nginx:1.27', args: ['serve', '--quiet'] }] },
      },
    },
  },
}

const LOUD_WEB = { name: 'web', args: ['serve', '--verbose'] }

const having = (...list: JsonObject[]): JsonObject => ({
  spec: { template: { spec: { containers: list } } },
})

export const listsWithKeys: Lesson = {
  id: 'lists-with-keys',
  title: 'List merge semantics',
  minutes: 9,
  about:
    'Share a list: know which lists are merged by item, which are atomic, and how an item is removed.',
  rules:
    'Server-side apply: merge strategy: https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy',
  story: `The team applies the Deployment web, with one container. The operations team wants a second one that ships the logs, without changing the team's manifest.

Server-side apply merges some lists by a key: containers by their name. Others are atomic: the args of a container. Confusing the two overwrites the items of others, or causes an unexpected conflict.`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
`,
    files: [
      {
        title: 'web.yaml',
        language: 'yaml',
        text: `# The team's: apply it server-side under the name team.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: nginx:1.27
          args: [serve, --quiet]
`,
      },
      {
        title: 'log.yaml',
        language: 'yaml',
        text: `# Of operations: apply it server-side under the name operations.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  template:
    spec:
      containers:
        - name: log
          image: busybox:1.36
`,
      },
    ],
  },
  steps: [
    {
      title: 'The team applies',
      text: 'Apply web.yaml server-side as the field manager team.',
      hints: [
        'The field manager is next to the button Apply.',
        'Choose server-side apply and the name team, then apply web.yaml.',
        'kubectl apply --server-side --field-manager=team -f web.yaml',
      ],
      checks: [
        {
          kind: 'object',
          path: WEB,
          is: {
            metadata: { managedFields: [{ manager: 'team', operation: 'Apply' }] },
            ...having({ name: 'web', args: ['serve', '--quiet'] }),
          },
          says: 'web is there, and team applied it.',
        },
      ],
      solution: [teamApplies],
    },
    {
      title: 'Add an item that is yours',
      text: 'Add the container log as operations, by a list with only log in it. The container web stays: this list is merged by name, and each item has owners of its own. The tab Ownership of the object shows them.',
      hints: [
        'log.yaml has only the fields of operations.',
        'Apply log.yaml server-side under the name operations.',
        'kubectl apply --server-side --field-manager=operations -f log.yaml',
      ],
      checks: [
        {
          kind: 'object',
          path: WEB,
          is: having({ name: 'web' }, { name: 'log' }),
          says: 'web and log are both in the list.',
        },
        {
          kind: 'object',
          path: WEB,
          is: {
            metadata: {
              managedFields: [
                {
                  manager: 'operations',
                  operation: 'Apply',
                  fieldsV1: {
                    'f:spec': {
                      'f:template': {
                        'f:spec': { 'f:containers': { 'k:{"name":"log"}': { 'f:image': {} } } },
                      },
                    },
                  },
                },
              ],
            },
          },
          says: 'operations owns the item log by its key.',
        },
      ],
      solution: [containers('operations', [{ name: 'log', image: 'busybox:1.36' }])],
    },
    {
      title: 'Hit an atomic list',
      text: 'operations wants more log output from web: its args should be serve and --verbose. Try it as operations, without force. This list is atomic, so it has one owner: the server returns 409 and names team.',
      hints: [
        'Name the container web with other args, and keep log: omitted fields are relinquished.',
        'In log.yaml, add an item with name: web and args: [serve, --verbose]; apply it as operations and read the response.',
        'kubectl apply --server-side --field-manager=operations -f log.yaml, where containers has {name: web, args: [serve, --verbose]} and log.',
      ],
      checks: [
        {
          kind: 'request',
          is: {
            verb: 'patch',
            resource: 'deployments',
            name: 'web',
            code: 409,
            query: { fieldManager: '^operations$' },
          },
          says: 'The server rejected the apply of operations with a conflict.',
        },
        {
          kind: 'object',
          path: WEB,
          is: having({ name: 'web', args: ['--quiet'] }),
          says: 'web is as quiet as before.',
        },
      ],
      solution: [
        containers('operations', [{ name: 'log', image: 'busybox:1.36' }, LOUD_WEB], {
          status: 409,
        }),
      ],
    },
    {
      title: 'Remove by omission',
      text: 'The logs are shipped by the nodes now: log has to go. operations owns it alone, so it is enough that operations applies once more and does not mention it. Do not delete it in any other way.',
      hints: [
        'An apply without an item that only you own removes the item.',
        'Apply a manifest as operations that has apiVersion, kind and metadata, and no spec.',
        'kubectl apply --server-side --field-manager=operations, with a manifest of nothing but apiVersion, kind, and metadata with name and namespace.',
      ],
      checks: [
        {
          kind: 'object',
          path: WEB,
          is: having({ name: 'web', image: 'nginx:1.27' }),
          isNot: having({ name: 'log' }),
          says: 'log is gone, and web is there.',
        },
      ],
      solution: [containers('operations', [])],
    },
  ],
  wrong: [
    teamApplies,
    // With force there is no conflict to be met: the args of the team are simply taken.
    containers('operations', [{ name: 'log', image: 'busybox:1.36' }, LOUD_WEB], {}, '&force=true'),
    containers('operations', []),
  ],
  after:
    'Who can change the image of web now? Apply another image as operations with force, then look at its owner.',
}
