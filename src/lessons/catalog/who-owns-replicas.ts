import type { Lesson } from '../lesson'

const WEB = '/apis/apps/v1/namespaces/shop/deployments/web'
const APPLY = 'application/apply-patch+yaml'
const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] },
}
const whole = (replicas: number | undefined) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    ...(replicas === undefined ? {} : { replicas }),
    selector: { matchLabels: { app: 'web' } },
    template,
  },
})
const onlyReplicas = (replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { replicas },
})

export const whoOwnsReplicas: Lesson = {
  id: 'who-owns-replicas',
  title: 'Field ownership of replicas',
  minutes: 10,
  about:
    'Let two field managers share one object: meet a conflict, co-own a field, and transfer it.',
  rules: 'Server-side apply: https://kubernetes.io/docs/reference/using-api/server-side-apply/',
  story: `The team applies web.yaml, with 2 replicas. From now on, a robot of the operations team sets the number of replicas. If both set it, they will fight forever. The Ownership tab of an object shows who owns what.`,
  start: {
    objects: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n',
    files: [
      {
        title: 'web.yaml',
        language: 'yaml',
        text: `# Apply it under the name team (server-side).
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx:1.27
`,
      },
      {
        title: 'robot.yaml',
        language: 'yaml',
        text: `# Apply it under the name robot (server-side).
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
spec:
  replicas: 5
`,
      },
    ],
  },
  steps: [
    {
      title: 'The team applies',
      text: 'Apply web.yaml server-side as the manager team.',
      hints: [
        'The field manager is next to the Apply button.',
        'Choose server-side apply, name the manager team, and apply web.yaml.',
        `PATCH ${WEB}?fieldManager=team with Content-Type ${APPLY}.`,
      ],
      checks: [
        {
          kind: 'object',
          path: WEB,
          is: {
            spec: { replicas: 2 },
            metadata: { managedFields: [{ manager: 'team', operation: 'Apply' }] },
          },
          says: 'team applied 2 replicas.',
        },
      ],
      solution: [
        { method: 'PATCH', path: `${WEB}?fieldManager=team`, contentType: APPLY, body: whole(2) },
      ],
    },
    {
      title: 'A conflict',
      text: 'Apply robot.yaml as robot, without force. The server rejects it with 409 and names the owner.',
      hints: [
        'Another name for another file.',
        'Name the manager of robot.yaml robot, and apply it.',
        `PATCH ${WEB}?fieldManager=robot with spec.replicas 5, without force.`,
      ],
      checks: [
        {
          kind: 'request',
          is: {
            verb: 'patch',
            resource: 'deployments',
            name: 'web',
            code: 409,
            query: { fieldManager: '^robot$' },
          },
          says: 'robot met a conflict.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: `${WEB}?fieldManager=robot`,
          contentType: APPLY,
          body: onlyReplicas(5),
          status: 409,
        },
      ],
    },
    {
      title: 'Share',
      text: 'Managers that apply the same value share the field. Let robot apply the current value: now both own spec.replicas.',
      hints: [
        'There is no conflict about a value on which both agree.',
        'Change replicas in robot.yaml to 2 and apply.',
        'Afterwards the Ownership tab shows two owners at spec.replicas.',
      ],
      checks: [
        {
          kind: 'object',
          path: WEB,
          is: {
            spec: { replicas: 2 },
            metadata: {
              managedFields: [
                { manager: 'team', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
                { manager: 'robot', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
              ],
            },
          },
          says: 'team and robot both own the number of replicas.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: `${WEB}?fieldManager=robot`,
          contentType: APPLY,
          body: onlyReplicas(2),
        },
      ],
    },
    {
      title: 'Hand over',
      text: 'Now the team relinquishes it: it applies web.yaml without the line replicas. The value stays, because robot owns it. From now on robot can set any number: let it be 5.',
      hints: [
        'To give a field up, leave it out of what you apply.',
        'Remove replicas from web.yaml and apply as team; then apply robot.yaml with 5.',
        'The order matters: if the team had relinquished the field before robot shared it, it would have been reset to its default.',
      ],
      checks: [
        { kind: 'object', path: WEB, is: { spec: { replicas: 5 } }, says: 'There are 5 replicas.' },
        {
          kind: 'object',
          path: WEB,
          is: {
            metadata: {
              managedFields: [
                {
                  manager: 'team',
                  fieldsV1: { 'f:spec': { 'f:replicas': null, 'f:template': {} } },
                },
              ],
            },
          },
          says: 'team owns the rest, and no longer the number.',
        },
        {
          kind: 'object',
          path: WEB,
          is: {
            metadata: {
              managedFields: [{ manager: 'robot', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }],
            },
          },
          says: 'robot owns the number.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: `${WEB}?fieldManager=team`,
          contentType: APPLY,
          body: whole(undefined),
        },
        {
          method: 'PATCH',
          path: `${WEB}?fieldManager=robot`,
          contentType: APPLY,
          body: onlyReplicas(5),
        },
      ],
    },
  ],
  wrong: [
    { method: 'PATCH', path: `${WEB}?fieldManager=team`, contentType: APPLY, body: whole(2) },
    {
      method: 'PATCH',
      path: `${WEB}?fieldManager=robot`,
      contentType: APPLY,
      body: onlyReplicas(5),
      status: 409,
    },
    // By force: the next apply of the team takes it back.
    {
      method: 'PATCH',
      path: `${WEB}?fieldManager=robot&force=true`,
      contentType: APPLY,
      body: onlyReplicas(5),
    },
    {
      method: 'PATCH',
      path: `${WEB}?fieldManager=team&force=true`,
      contentType: APPLY,
      body: whole(2),
    },
  ],
  after:
    'Restart and let the team relinquish the field before robot owns it. What happens to the number?',
}
