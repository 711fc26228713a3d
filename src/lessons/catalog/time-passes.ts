import type { Lesson } from '../lesson'

const DEPLOYMENTS = '/apis/apps/v1/namespaces/shop/deployments'
/** Changing the image more than once creates more revisions. */
const LATER_REVISION = '/^([2-9]|[1-9][0-9]+)$/'
const FLOW_SCHEMAS = '/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas'

export const timePasses: Lesson = {
  id: 'time-passes',
  title: 'Time passes',
  minutes: 9,
  about:
    'Inspect the defaults that the server set, follow a rollout by its status, and see a deprecation warning before the removal.',
  rules:
    'Kubernetes deprecation policy: https://kubernetes.io/docs/reference/using-api/deprecation-policy/',
  // The version of flow schemas that a step lists is removed in 1.32.
  releases: ['1.31'],
  story: `You inherit a manifest of six lines and a client from two years ago. Six lines become sixty through defaults. And the old client still works, with a warning that no one reads.`,
  start: {
    objects: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n',
    files: [
      {
        title: 'web.yaml',
        language: 'yaml',
        text: `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: "nginx:1.26" }]
`,
      },
    ],
  },
  steps: [
    {
      title: 'What was filled in',
      text: 'Create the Deployment. Then look at its rollout fields: the strategy and the history limit were never in your file.',
      hints: [
        'Apply or create web.yaml.',
        'Select the object and read spec.strategy and spec.revisionHistoryLimit.',
        `POST ${DEPLOYMENTS}, then GET ${DEPLOYMENTS}/web.`,
      ],
      checks: [
        {
          kind: 'object',
          path: `${DEPLOYMENTS}/web`,
          is: {
            spec: { replicas: 1, revisionHistoryLimit: 10, strategy: { type: 'RollingUpdate' } },
          },
          says: 'The Deployment has its defaults.',
        },
      ],
      solution: [
        {
          method: 'POST',
          path: DEPLOYMENTS,
          body: {
            metadata: { name: 'web' },
            spec: {
              selector: { matchLabels: { app: 'web' } },
              template: {
                metadata: { labels: { app: 'web' } },
                spec: { containers: [{ name: 'web', image: 'nginx:1.26' }] },
              },
            },
          },
        },
      ],
    },
    {
      title: 'A second revision',
      text: 'Change the image to nginx:1.27. The Deployment creates a new ReplicaSet and counts its revisions in an annotation.',
      hints: [
        'A change of the template starts a rollout.',
        'Patch the image of the container web.',
        'Afterwards metadata.annotations[deployment.kubernetes.io/revision] is 2.',
      ],
      checks: [
        {
          kind: 'object',
          path: `${DEPLOYMENTS}/web`,
          is: {
            metadata: { annotations: { 'deployment.kubernetes.io/revision': LATER_REVISION } },
            spec: { template: { spec: { containers: [{ image: 'nginx:1.27' }] } } },
          },
          says: 'A later revision than the first runs nginx:1.27.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: `${DEPLOYMENTS}/web`,
          contentType: 'application/strategic-merge-patch+json',
          body: {
            spec: { template: { spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } } },
          },
        },
      ],
    },
    {
      title: 'Only what differs starts a rollout',
      text: 'Set spec.replicas to 2. The revision stays: the template is the same, only its number changed.',
      hints: [
        'Scale it.',
        'Through the Deployment itself or its scale.',
        `PATCH ${DEPLOYMENTS}/web with {"spec":{"replicas":2}}.`,
      ],
      checks: [
        {
          kind: 'object',
          path: `${DEPLOYMENTS}/web`,
          is: {
            metadata: { annotations: { 'deployment.kubernetes.io/revision': LATER_REVISION } },
            spec: { replicas: 2 },
            status: { updatedReplicas: 2 },
          },
          says: 'There are 2 replicas of the revision that was there before.',
        },
      ],
      solution: [
        {
          method: 'PATCH',
          path: `${DEPLOYMENTS}/web`,
          contentType: 'application/merge-patch+json',
          body: { spec: { replicas: 2 } },
        },
      ],
    },
    {
      title: 'See the deprecation warning',
      text: 'The old client lists flow schemas in version v1beta3. The server responds with a Warning header and an annotation in the audit event, which name the release that removes this version. Do the same.',
      hints: [
        'The group is flowcontrol.apiserver.k8s.io.',
        'The older version is in the path.',
        `fetch('${FLOW_SCHEMAS}'), and look at its response headers in the request log.`,
      ],
      checks: [
        {
          kind: 'request',
          is: { verb: 'list', resource: 'flowschemas', path: '/v1beta3/', code: 200 },
          says: 'You used a deprecated version.',
        },
      ],
      solution: [{ method: 'GET', path: FLOW_SCHEMAS }],
    },
  ],
  wrong: [
    {
      method: 'POST',
      path: DEPLOYMENTS,
      body: {
        metadata: { name: 'web' },
        spec: {
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'web', image: 'nginx:1.26' }] },
          },
        },
      },
    },
    // Scaling creates no new revision.
    {
      method: 'PATCH',
      path: `${DEPLOYMENTS}/web`,
      contentType: 'application/merge-patch+json',
      body: { spec: { replicas: 2 } },
    },
    { method: 'GET', path: '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas' },
  ],
  after: 'Go to Releases and move the cluster to 1.32: which of your requests would fail there?',
}
