/** Objects with owners, made by a real server. */
import type { Json, KubeObject } from '../../../src/engine/core/object'
import type { ApiServer } from '../../../src/engine/server/server'
import { sendRequest, type TestResponse } from '../../support/server'

export const MAPS = '/api/v1/namespaces/default/configmaps'
export const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'

interface Apply {
  manager: string
  force?: boolean
  dryRun?: boolean
}

/** A server-side apply, or a dry run of one. */
export function applied(
  server: ApiServer,
  path: string,
  body: unknown,
  { manager, force, dryRun }: Apply,
): Promise<TestResponse> {
  const query = new URLSearchParams({
    fieldManager: manager,
    ...(force ? { force: 'true' } : {}),
    ...(dryRun ? { dryRun: 'All' } : {}),
  })
  return sendRequest(server, {
    method: 'PATCH',
    path: `${path}?${query}`,
    body,
    headers: { 'content-type': 'application/apply-patch+yaml' },
  })
}

export const map = (data: Json, metadata: Record<string, Json> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  data,
})

export const deployment = (spec: Json) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec,
})

export const WEB = {
  replicas: 3,
  selector: { matchLabels: { app: 'web', tier: 'front' } },
  template: {
    metadata: { labels: { app: 'web', tier: 'front' } },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'nginx:1.27',
          args: ['-g', 'daemon off;'],
          ports: [{ containerPort: 80 }],
        },
      ],
      volumes: [{ name: 'tmp', emptyDir: {} }],
    },
  },
}

/** Objects with who manages them only. */
export const managed = (entries: unknown, rest: Record<string, unknown> = {}): KubeObject =>
  ({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'a', managedFields: entries },
    ...rest,
  }) as KubeObject
