/** A cluster with an aggregated API server, which each test may replace. */
import { afterEach, beforeEach } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import {
  type Outbound,
  OutboundError,
  type PassedRequest,
  type PassedResponse,
} from '../../src/engine/core/outbound'
import { type Cluster, testCluster } from '../support/cluster'

type Handler = (
  request: PassedRequest,
  path: string,
) => { status?: number; headers?: Record<string, string>; body: unknown }

const RESOURCES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: 'metrics.example.com/v1',
  resources: [
    {
      name: 'readings',
      singularName: 'reading',
      namespaced: true,
      kind: 'Reading',
      verbs: ['get', 'list', 'watch'],
      shortNames: ['rd'],
    },
    {
      name: 'readings/status',
      singularName: '',
      namespaced: true,
      kind: 'Reading',
      verbs: ['get'],
    },
  ],
}
const V2 = {
  swagger: '2.0',
  paths: {
    '/apis/metrics.example.com/v1/readings': {
      get: {
        parameters: [
          { $ref: '#/parameters/window-AAAAAAAA' },
          { $ref: '#/parameters/body-BBBBBBBB' },
        ],
        responses: { 200: { schema: { $ref: '#/definitions/com.example.Reading' } } },
      },
    },
    '/healthz': {},
  },
  definitions: {
    'com.example.Reading': {
      type: 'object',
      properties: {
        metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
      },
    },
    'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': {
      type: 'object',
      description: 'another one',
    },
    'com.example.Query': { type: 'string' },
    unused: { type: 'string' },
  },
  parameters: {
    'window-AAAAAAAA': { name: 'window', in: 'query', type: 'integer' },
    'body-BBBBBBBB': {
      name: 'body',
      in: 'body',
      schema: { $ref: '#/definitions/com.example.Query' },
    },
    'unused-CCCCCCCC': { name: 'unused', in: 'query', type: 'string' },
  },
}
export const V3 = { openapi: '3.0.0', info: { title: 'readings' }, paths: {} }

export const normal: Handler = (_, path) => {
  switch (path) {
    case '/apis/metrics.example.com/v1':
      return { body: RESOURCES }
    case '/openapi/v2':
      return { body: V2 }
    case '/openapi/v3':
      return {
        body: {
          paths: {
            'apis/metrics.example.com/v1': {
              serverRelativeURL: '/openapi/v3/apis/metrics.example.com/v1?hash=ABC',
            },
          },
        },
      }
    case '/openapi/v3/apis/metrics.example.com/v1':
      return { body: V3 }
    default:
      return { body: { kind: 'ReadingList', apiVersion: 'metrics.example.com/v1', items: [] } }
  }
}

export let passed: PassedRequest[]
export const aggregated = { handler: normal }
export let cluster: Cluster

export function clearPassed(): void {
  passed = []
}

export async function startCluster(options: Parameters<typeof testCluster>[0]): Promise<void> {
  cluster = await testCluster(options)
}

export const outbound: Outbound = {
  post: () => Promise.reject(new OutboundError('unused')),
  async pass(request): Promise<PassedResponse> {
    passed.push(request)
    const {
      status = 200,
      headers = {},
      body,
    } = aggregated.handler(request, new URL(request.url).pathname)
    return {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: {
        start(sink) {
          for (const chunk of Array.isArray(body) ? body : [body])
            sink.write(typeof chunk === 'string' ? chunk : JSON.stringify(chunk))
          sink.end()
          return () => {}
        },
      },
    }
  },
}

export const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'
export const NAME = 'v1.metrics.example.com'
export const READINGS = '/apis/metrics.example.com/v1/namespaces/default/readings'

export const register = (spec: JsonObject = {}) =>
  cluster.sendRequest({
    method: 'POST',
    path: SERVICES,
    body: {
      metadata: { name: NAME },
      spec: {
        group: 'metrics.example.com',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: 'readings' },
        ...spec,
      },
    },
  })
export const serve = (
  spec: JsonObject = { type: 'ExternalName', externalName: 'readings.example.com' },
) =>
  cluster.sendRequest({
    method: 'POST',
    path: '/api/v1/namespaces/default/services',
    body: { metadata: { name: 'readings' }, spec },
  })
export const condition = async (): Promise<JsonObject> =>
  (await cluster.sendRequest({ path: `${SERVICES}/${NAME}` })).json.status.conditions[0]

/** The availability check, sent in addition to the discovery request. */
export const checked = () =>
  passed.find(({ url, headers }) => url.endsWith('/v1') && headers['x-remote-group'] !== undefined)

/** Call it in each file of tests: files share this module, so it registers no hooks itself. */
export function setUpEachTest(): void {
  beforeEach(async () => {
    passed = []
    aggregated.handler = normal
    await startCluster({ outbound, controllers: [] })
  })
  afterEach(() => cluster.close())
}
