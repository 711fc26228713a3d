import type { Sent } from '../breakages'

const labels = { app: 'web' }

export const EXAMPLE: Sent = {
  method: 'POST',
  path: '/apis/apps/v1/namespaces/default/deployments',
  body: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: 'web', image: 'shop/web:1', ports: [{ containerPort: 80 }] }],
        },
      },
    },
  },
}
