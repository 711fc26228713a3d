import type { JsonObject } from '../../src/engine/core/object'
import { type Outbound, OutboundError, type OutboundRequest } from '../../src/engine/core/outbound'
import type { TestServer } from '../admission/server'

export interface Review {
  request: {
    uid: string
    name: string
    object: JsonObject & { metadata: { labels?: Record<string, string> }; data?: JsonObject }
    dryRun: boolean
  }
}

export type Behavior = (review: Review) => JsonObject

/** Webhooks by the path of their URL; records the calls. */
export function webhooks(behaviors: Record<string, Behavior>) {
  const calls: string[] = []
  const requests: OutboundRequest[] = []
  const outbound: Outbound = {
    async post(request) {
      const path = new URL(request.url).pathname.slice(1)
      calls.push(path)
      requests.push(request)
      const review = JSON.parse(request.body) as Review & JsonObject
      const behave = behaviors[path]
      if (behave === undefined) throw new OutboundError(`no server at ${path}`)
      const response = { uid: review.request.uid, ...behave(review) }
      return {
        status: 200,
        contentType: 'application/json',
        body: JSON.stringify({ kind: review.kind, apiVersion: review.apiVersion, response }),
      }
    },
  }
  return { outbound, calls, requests }
}

export const patch = (operations: JsonObject[]): JsonObject => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: btoa(JSON.stringify(operations)),
})
export const label =
  (name: string, value: string): Behavior =>
  ({ request }) =>
    patch([
      {
        op: 'add',
        path: request.object.metadata.labels ? `/metadata/labels/${name}` : '/metadata/labels',
        value: request.object.metadata.labels ? value : { [name]: value },
      },
    ])

export const CONFIG_MAPS: JsonObject[] = [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] },
]

export function hook(path: string, more: JsonObject = {}): JsonObject {
  return {
    name: `${path}.example.com`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: `https://hooks.example.com/${path}` },
    rules: CONFIG_MAPS,
    ...more,
  }
}

export const configure = (
  server: TestServer,
  kind: 'mutating' | 'validating',
  name: string,
  hooks: JsonObject[],
) =>
  server.send('POST', `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`, {
    metadata: { name },
    webhooks: hooks,
  })
export const create = (server: TestServer, name: string, query = '', data: JsonObject = {}) =>
  server.send('POST', `/api/v1/namespaces/default/configmaps${query}`, { metadata: { name }, data })
