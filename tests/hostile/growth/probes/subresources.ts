/** Subresources, tables, watches, mutating policies and audit, with growing objects. */
import type { ApiServerOptions } from '../../../../src/engine/server/server-options'
import { parseAuditPolicy } from '../../../../src/engine/telemetry/audit/policy'
import { type Probe, times } from './probe'
import {
  APPLY,
  CONFIG_MAPS,
  configMap,
  create,
  DEPLOYMENTS,
  deployment,
  NAMESPACE,
  objects,
  PODS,
  patch,
  pod,
  STRATEGIC,
  scene,
  TABLE,
} from './request-scenes'

const ADMISSION = '/apis/admissionregistration.k8s.io'

function mutating(name: string, spec: (size: number) => object): Probe {
  return scene(`mutating policy: ${name}`, {
    sizes: [32, 128, 512],
    before: (size) => [
      create(`${ADMISSION}/v1beta1/mutatingadmissionpolicies`, {
        apiVersion: 'admissionregistration.k8s.io/v1beta1',
        kind: 'MutatingAdmissionPolicy',
        metadata: { name: 'p' },
        spec: {
          reinvocationPolicy: 'Never',
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: [''],
                apiVersions: ['v1'],
                operations: ['*'],
                resources: ['configmaps'],
              },
            ],
          },
          ...spec(size),
        },
      }),
      create(`${ADMISSION}/v1beta1/mutatingadmissionpolicybindings`, {
        apiVersion: 'admissionregistration.k8s.io/v1beta1',
        kind: 'MutatingAdmissionPolicyBinding',
        metadata: { name: 'b' },
        spec: { policyName: 'p' },
      }),
    ],
    calls: (size) => [
      create(
        CONFIG_MAPS,
        configMap('c', { data: Object.fromEntries(times(size, (i) => [`k${i}`, 'v'])) }),
      ),
    ],
  })
}

const applied = (expression: string) => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
})
const patched = (expression: string) => ({ patchType: 'JSONPatch', jsonPatch: { expression } })

/** A watch that ends after a second, and how much it sent. */
function watch(name: string, query: (size: number) => string): Probe {
  return scene(`watch: ${name}`, {
    before: objects,
    lasts: 2,
    calls: (size) => [
      { path: `${CONFIG_MAPS}?watch=true&timeoutSeconds=1&resourceVersion=9999999&${query(size)}` },
    ],
  })
}

const audited = (policy: object): Partial<ApiServerOptions> => ({
  audit: { policy: parseAuditPolicy(JSON.stringify(policy)), sink: () => undefined },
})
const AUDIT_ALL = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [{ level: 'RequestResponse' }],
}

export const SUBRESOURCE_PROBES: readonly Probe[] = [
  scene('scale: annotations of a patch', {
    before: () => [create(DEPLOYMENTS, deployment)],
    calls: (size) => [
      patch(`${DEPLOYMENTS}/d/scale`, {
        metadata: { annotations: Object.fromEntries(times(size, (i) => [`k${i}`, 'v'])) },
        spec: { replicas: 2 },
      }),
    ],
  }),
  scene('status: conditions of a strategic merge', {
    before: (size) => [
      create(DEPLOYMENTS, deployment),
      patch(`${DEPLOYMENTS}/d/status`, {
        status: { conditions: times(size, (i) => ({ type: `T${i}`, status: 'True' })) },
      }),
    ],
    calls: (size) => [
      patch(
        `${DEPLOYMENTS}/d/status`,
        { status: { conditions: times(size, (i) => ({ type: `T${i}`, status: 'False' })) } },
        STRATEGIC,
      ),
    ],
  }),
  scene('status: conditions of an apply', {
    before: () => [create(PODS, pod)],
    calls: (size) =>
      times(2, () =>
        patch(
          `${PODS}/p/status?fieldManager=m&force=true`,
          {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { name: 'p' },
            status: { conditions: times(size, (i) => ({ type: `T${i}`, status: 'True' })) },
          },
          APPLY,
        ),
      ),
  }),
  scene('status: container statuses', {
    before: () => [create(PODS, pod)],
    calls: (size) => [
      patch(`${PODS}/p/status`, {
        status: {
          containerStatuses: times(size, (i) => ({
            name: `c${i}`,
            image: 'i',
            imageID: '',
            ready: true,
            restartCount: i,
            state: { running: {} },
          })),
        },
      }),
    ],
  }),
  scene('ephemeral containers', {
    before: () => [create(PODS, pod)],
    calls: (size) => [
      patch(
        `${PODS}/p/ephemeralcontainers`,
        { spec: { ephemeralContainers: times(size, (i) => ({ name: `e${i}`, image: 'i' })) } },
        STRATEGIC,
      ),
    ],
  }),
  scene('table: objects', {
    before: objects,
    calls: () => [{ path: CONFIG_MAPS, headers: TABLE }],
    sizes: [32, 128, 512, 2048],
  }),
  scene('table: containers of a pod', {
    before: (size) => [
      create(PODS, {
        ...pod,
        spec: { containers: times(size, (i) => ({ name: `c${i}`, image: `i${i}` })) },
      }),
    ],
    calls: () => [{ path: PODS, headers: TABLE }],
  }),
  scene('table: ports of a service', {
    before: (size) => [
      create(`/api/v1${NAMESPACE}/services`, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 's' },
        spec: {
          clusterIP: 'None',
          ports: times(size, (i) => ({ name: `p${i}`, port: i + 1 })),
          externalIPs: times(size, (i) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`),
        },
      }),
    ],
    calls: () => [{ path: `/api/v1${NAMESPACE}/services`, headers: TABLE }],
  }),
  scene('partial metadata: annotations', {
    before: (size) => [
      create(CONFIG_MAPS, {
        ...configMap('c'),
        metadata: {
          name: 'c',
          annotations: Object.fromEntries(times(size, (i) => [`k${i}`, 'v'])),
        },
      }),
    ],
    calls: () => [
      {
        path: CONFIG_MAPS,
        headers: [['accept', 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1']],
      },
    ],
  }),
  watch(
    'requirements of a selector',
    (size) => `labelSelector=${encodeURIComponent(times(size, (i) => `k${i}!=v`).join(','))}`,
  ),
  watch(
    'requirements of a field selector',
    (size) =>
      `fieldSelector=${encodeURIComponent(times(size, (i) => `metadata.name!=n${i}`).join(','))}`,
  ),
  scene('managed fields: one large entry', {
    before: (size) => [
      patch(
        `${CONFIG_MAPS}/c?fieldManager=a`,
        configMap('c', { data: Object.fromEntries(times(size, (i) => [`k${i}`, 'v'])) }),
        APPLY,
      ),
    ],
    calls: (size) => [
      patch(
        `${CONFIG_MAPS}/c?fieldManager=b&force=true`,
        configMap('c', { data: Object.fromEntries(times(size, (i) => [`k${i}`, 'w'])) }),
        APPLY,
      ),
      patch(`${CONFIG_MAPS}/c?fieldManager=c`, { data: { a: 'b' } }),
    ],
  }),
  scene('managed fields: depth', {
    before: () => [create(CONFIG_MAPS, configMap('c'))],
    calls: (size) => [
      patch(`${CONFIG_MAPS}/c`, {
        metadata: {
          managedFields: [
            {
              manager: 'm',
              operation: 'Update',
              apiVersion: 'v1',
              fieldsType: 'FieldsV1',
              fieldsV1: times(Math.min(450, size / 4), (i) => i).reduce<object>(
                (inner) => ({ 'f:a': inner }),
                {},
              ),
            },
          ],
        },
      }),
    ],
  }),
  mutating('mutations', (size) => ({
    mutations: times(size / 4, (i) =>
      applied(`Object{metadata: Object.metadata{labels: {"l${i}": "v"}}}`),
    ),
  })),
  mutating('operations of a patch', () => ({
    mutations: [
      patched(
        'object.data.map(k, JSONPatch{op: "replace", path: "/data/" + jsonpatch.escapeKey(k), value: "w"})',
      ),
    ],
  })),
  mutating('fields of an applied configuration', () => ({
    mutations: [applied('Object{data: object.data}')],
  })),
  mutating('variables', (size) => ({
    variables: times(size / 4, (i) => ({
      name: `v${i}`,
      expression: i === 0 ? '1' : `variables.v${i - 1} + 1`,
    })),
    mutations: [applied(`Object{metadata: Object.metadata{labels: {"l": "v"}}}`)],
  })),
  scene('audit: object of a request', {
    options: audited(AUDIT_ALL),
    calls: (size) => [
      create(
        CONFIG_MAPS,
        configMap('c', { data: Object.fromEntries(times(size, (i) => [`k${i}`, 'v'])) }),
      ),
    ],
  }),
  scene('audit: rules before the one that matches', {
    calls: () => [create(CONFIG_MAPS, configMap('c'))],
    options: audited({
      ...AUDIT_ALL,
      rules: [
        ...times(500, (i) => ({ level: 'None', users: [`u${i}`], verbs: ['get'] })),
        { level: 'RequestResponse' },
      ],
    }),
  }),
  scene('discovery: custom groups', {
    before: (size) =>
      times(size / 16, (i) =>
        create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: { name: `widgets.g${i}.example.com` },
          spec: {
            group: `g${i}.example.com`,
            scope: 'Namespaced',
            names: { plural: 'widgets', kind: 'Widget' },
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: 'object' } },
              },
            ],
          },
        }),
      ),
    calls: () => [
      { path: '/apis' },
      {
        path: '/apis',
        headers: [
          ['accept', 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'],
        ],
      },
      { path: '/openapi/v3' },
    ],
    sizes: [128, 512, 1024],
  }),
  ...[
    ['impersonated extras of one key', (i: number) => ['impersonate-extra-k', `v${i}`]],
    ['impersonated extras', (i: number) => [`impersonate-extra-k${i}`, 'v']],
    ['impersonated groups', (i: number) => ['impersonate-group', `g${i}`]],
    ['cookies', (i: number) => ['cookie', `c${i}=v`]],
    ['forwarded addresses', (i: number) => ['x-forwarded-for', `10.0.0.${i & 255}`]],
    ['traces', (i: number) => ['traceparent', `00-${i}-${i}-01`]],
  ].map(([name, header]) =>
    scene(`many headers: ${name}`, {
      options: audited(AUDIT_ALL),
      calls: (size) => [
        {
          path: CONFIG_MAPS,
          headers: [
            ['impersonate-user', 'bob'],
            ...times(size, header as (i: number) => [string, string]),
          ],
        },
      ],
    }),
  ),
  ...[
    'fieldSelector=metadata.name!%3Da',
    'labelSelector=a',
    'dryRun=All',
    'pretty=true',
    'timeout=1s',
  ].map((parameter) =>
    scene(`repeated parameter: ${parameter.split('=')[0]}`, {
      calls: (size) => [{ path: `${CONFIG_MAPS}?${times(size, () => parameter).join('&')}` }],
    }),
  ),
]
