/** Patches, selectors, query parameters and headers that grow. */
import { type Call, depthOf, nested, type Probe, target, times } from './probe'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const PODS = '/api/v1/namespaces/default/pods'
const JSON_PATCH = 'application/json-patch+json'
const MERGE = 'application/merge-patch+json'
const STRATEGIC = 'application/strategic-merge-patch+json'
const APPLY = 'application/apply-patch+yaml'

const configMap = (data: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c' },
  data,
})
const pod = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})
const entries = (size: number, prefix = 'k') =>
  Object.fromEntries(times(size, (i) => [`${prefix}${i}`, 'v']))

/** @param calls of which the last is counted */
const sequence = (name: string, calls: (size: number) => Call[]): Probe => ({
  name,
  async prepare(size, fail) {
    const { send } = target(fail)
    const all = calls(size)
    for (const call of all.slice(0, -1)) await send(call)
    return () => send(all.at(-1) as Call)
  },
})

const created = (object: object, path = CONFIG_MAPS): Call => ({
  method: 'POST',
  path,
  body: object,
})
const patched = (type: string, body: unknown, path = `${CONFIG_MAPS}/c`): Call => ({
  method: 'PATCH',
  path,
  type,
  body,
})
const applied = (manager: string, body: object, path = `${CONFIG_MAPS}/c`): Call =>
  patched(APPLY, body, `${path}?fieldManager=${manager}&force=true`)

const env = (size: number, more: object = {}) =>
  times(size, (i) => ({ name: `e${i}`, value: 'v', ...more }))
const containers = (list: object[]) => [{ name: 'c', image: 'i', env: list }]
const tolerations = (size: number) =>
  times(size, (i) => ({ key: `k${i}`, operator: 'Exists', effect: 'NoSchedule' }))

export const PATCH_PROBES: readonly Probe[] = [
  sequence('JSON patch: adds', (size) => [
    created(configMap({ a: 'b' })),
    patched(
      JSON_PATCH,
      times(size, (i) => ({ op: 'add', path: `/data/k${i}`, value: 'v' })),
    ),
  ]),
  sequence('JSON patch: adds to the front of a list', (size) => [
    created(configMap({})),
    patched(JSON_PATCH, [
      { op: 'add', path: '/metadata/finalizers', value: [] },
      ...times(size, (i) => ({ op: 'add', path: '/metadata/finalizers/0', value: `a.b/f${i}` })),
    ]),
  ]),
  sequence('JSON patch: copies of a value', (size) => [
    created(configMap(entries(size))),
    patched(
      JSON_PATCH,
      times(size, () => ({ op: 'copy', from: '/data', path: '/data2' })),
    ),
  ]),
  sequence('JSON patch: tests of a large value', (size) => [
    created(configMap(entries(size))),
    patched(
      JSON_PATCH,
      times(size, (i) => ({ op: 'test', path: `/data/k${i}`, value: 'v' })),
    ),
  ]),
  sequence('JSON patch: moves', (size) => [
    created(configMap({ a: 'b' })),
    patched(
      JSON_PATCH,
      times(size, (i) => ({
        op: 'move',
        from: i % 2 ? '/data/b' : '/data/a',
        path: i % 2 ? '/data/a' : '/data/b',
      })),
    ),
  ]),
  sequence('JSON patch: moves of a large value', (size) => [
    created(configMap(entries(size))),
    patched(
      JSON_PATCH,
      times(size, (i) => ({
        op: 'move',
        from: i % 2 ? '/data2' : '/data',
        path: i % 2 ? '/data' : '/data2',
      })),
    ),
  ]),
  sequence('JSON patch: numbers in one place', (size) => [
    created(configMap({ a: 'b' })),
    patched(
      JSON_PATCH,
      `[${times(size, (i) => `{"op":"add","path":"/data/k${i}","value":1e3}`).join()}]`,
    ),
  ]),
  sequence('JSON patch: length of a path', (size) => [
    created(configMap({ a: 'b' })),
    patched(JSON_PATCH, [{ op: 'add', path: '/data'.repeat(size), value: 'v' }]),
  ]),
  sequence('merge patch: members', (size) => [
    created(configMap(entries(size))),
    patched(MERGE, { data: entries(size, 'm') }),
  ]),
  sequence('merge patch: removed members', (size) => [
    created(configMap(entries(size))),
    patched(MERGE, { data: Object.fromEntries(times(size, (i) => [`k${i}`, null])) }),
  ]),
  sequence('merge patch: depth', (size) => [
    created(configMap({ a: 'b' })),
    patched(
      MERGE,
      nested<object>(depthOf(size), {}, (inner) => ({ a: inner })),
    ),
  ]),
  sequence('strategic merge: items', (size) => [
    created(pod({ containers: containers(env(size)) }), PODS),
    patched(
      STRATEGIC,
      { spec: { containers: containers(env(size, { value: 'w' })) } },
      `${PODS}/p`,
    ),
  ]),
  sequence('strategic merge: deleted items', (size) => [
    created(pod({ containers: containers(env(size)) }), PODS),
    patched(
      STRATEGIC,
      {
        spec: { containers: containers(times(size, (i) => ({ name: `e${i}`, $patch: 'delete' }))) },
      },
      `${PODS}/p`,
    ),
  ]),
  sequence('strategic merge: order of items', (size) => [
    created(pod({ containers: containers(env(size)) }), PODS),
    patched(
      STRATEGIC,
      {
        spec: {
          containers: [
            {
              name: 'c',
              '$setElementOrder/env': times(size, (i) => ({ name: `e${size - i - 1}` })),
              env: env(size, { value: 'w' }),
            },
          ],
        },
      },
      `${PODS}/p`,
    ),
  ]),
  sequence('strategic merge: primitives', (size) => [
    created({
      ...configMap({}),
      metadata: { name: 'c', finalizers: times(size, (i) => `a.b/f${i}`) },
    }),
    patched(STRATEGIC, {
      metadata: {
        finalizers: times(size, (i) => `a.b/g${i}`),
        '$deleteFromPrimitiveList/finalizers': times(size, (i) => `a.b/f${i}`),
      },
    }),
  ]),
  sequence('strategic merge: retained keys', (size) => [
    created(pod({ volumes: times(size, (i) => ({ name: `v${i}`, emptyDir: {} })) }), PODS),
    patched(
      STRATEGIC,
      {
        spec: {
          volumes: times(size, (i) => ({
            name: `v${i}`,
            $retainKeys: ['name', 'hostPath'],
            hostPath: { path: '/' },
          })),
        },
      },
      `${PODS}/p`,
    ),
  ]),
  sequence('apply: fields', (size) => [
    applied('a', configMap(entries(size))),
    applied('a', configMap(entries(size, 'm'))),
  ]),
  sequence('apply: conflicting fields', (size) => [
    applied('a', configMap(entries(size))),
    patched(
      APPLY,
      configMap(Object.fromEntries(times(size, (i) => [`k${i}`, 'w']))),
      `${CONFIG_MAPS}/c?fieldManager=b`,
    ),
  ]),
  sequence('apply: items of a list map', (size) => [
    applied('a', pod({ containers: containers(env(size)) }), `${PODS}/p`),
    applied('a', pod({ containers: containers(env(size).reverse()) }), `${PODS}/p`),
  ]),
  sequence('apply: tolerations', (size) => [
    applied('a', pod({ tolerations: tolerations(size) }), `${PODS}/p`),
    applied('b', pod({ tolerations: tolerations(size) }), `${PODS}/p`),
  ]),
  sequence('apply: managers', (size) => [
    ...times(size / 8, (i) => applied(`m${i}`, configMap({ [`k${i}`]: 'v' }))),
    applied('last', configMap({ a: 'v' })),
  ]),
  sequence('apply: managedFields sent', (size) => [
    created({
      ...configMap(entries(size)),
      metadata: {
        name: 'c',
        managedFields: times(size, (i) => ({
          manager: `m${i}`,
          operation: 'Apply',
          apiVersion: 'v1',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
        })),
      },
    }),
    applied('last', configMap({ a: 'v' })),
  ]),
]

const list = (name: string, path: (size: number) => string): Probe =>
  sequence(name, (size) => [created(configMap({ a: 'b' })), { path: path(size) }])
const query = (name: string, text: (size: number) => string) =>
  list(name, (size) => `${CONFIG_MAPS}?${text(size)}`)
const encoded = encodeURIComponent
const header = (name: string, headers: (size: number) => [string, string][]) =>
  sequence(`header: ${name}`, (size) => [
    created(configMap({ a: 'b' })),
    { path: CONFIG_MAPS, headers: headers(size) },
  ])

export const READ_PROBES: readonly Probe[] = [
  query(
    'label selector: requirements',
    (size) => `labelSelector=${encoded(times(size, (i) => `k${i}=v`).join(','))}`,
  ),
  query(
    'label selector: alike',
    (size) => `labelSelector=${encoded(times(size, () => 'k!=v').join(','))}`,
  ),
  query(
    'label selector: values of a set',
    (size) => `labelSelector=${encoded(`k notin (${times(size, (i) => `v${i}`).join(',')})`)}`,
  ),
  query('label selector: length of a value', (size) => `labelSelector=k%3D${'v'.repeat(size)}`),
  query(
    'label selector: open brackets',
    (size) => `labelSelector=${encoded(`k in ${'('.repeat(size)}`)}`,
  ),
  query(
    'field selector: requirements',
    (size) => `fieldSelector=${encoded(times(size, (i) => `metadata.name!=n${i}`).join(','))}`,
  ),
  query(
    'field selector: escapes',
    (size) => `fieldSelector=metadata.name%3D${encoded('\\\\'.repeat(size))}`,
  ),
  query('query: parameters', (size) => times(size, (i) => `p${i}=v`).join('&')),
  query('query: one parameter often', (size) => times(size, () => 'limit=1').join('&')),
  query('query: escapes', (size) => `continue=${'%41'.repeat(size)}`),
  query('query: continue token', (size) => `limit=1&continue=${'A'.repeat(size)}`),
  list('path: segments', (size) => `${CONFIG_MAPS}${'/a'.repeat(size)}`),
  list('path: escapes', (size) => `${CONFIG_MAPS}/${'%41'.repeat(size)}`),
  list('path: slashes', (size) => `${CONFIG_MAPS}${'/'.repeat(size)}`),
  header('accepted types', (size) => [['accept', times(size, (i) => `a/b${i};q=0.1`).join(',')]]),
  header('parameters of a type', (size) => [
    ['accept', `application/json${times(size, (i) => `;p${i}=v`).join('')}`],
  ]),
  header('impersonated groups', (size) => [
    ['impersonate-user', 'bob'],
    ['impersonate-group', times(size, (i) => `g${i}`).join(',')],
  ]),
  header('impersonated extras', (size) => [
    ['impersonate-user', 'bob'],
    ...times(size, (i): [string, string] => [`impersonate-extra-k${i}`, 'v']),
  ]),
  header('headers', (size) => times(size, (i): [string, string] => [`x-h${i}`, 'v'])),
  header('length of a token', (size) => [['authorization', `Bearer ${'a.'.repeat(size)}`]]),
  header('spaces before a token', (size) => [['authorization', `Bearer${' '.repeat(size)}a`]]),
  header('user agent', (size) => [['user-agent', 'a/'.repeat(size)]]),
  {
    ...sequence('body: errors that quote a selector of scopes', (size) => [
      created(
        {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { name: 'q' },
          spec: {
            hard: { 'requests.cpu': '1' },
            scopeSelector: {
              matchExpressions: times(size, () => ({
                scopeName: 'BestEffort',
                operator: 'Exists',
              })),
            },
          },
        },
        '/api/v1/namespaces/default/resourcequotas',
      ),
    ]),
    // Responses of fewer are shorter than the bound.
    sizes: [512, 1024, 2048, 4096],
  },
  sequence('body: repeated members', (size) => [
    {
      method: 'POST',
      path: `${CONFIG_MAPS}?fieldValidation=Strict`,
      body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{${times(size, () => '"a":"b"').join(',')}}}`,
    },
  ]),
  sequence('body: unknown members', (size) => [
    {
      method: 'POST',
      path: `${CONFIG_MAPS}?fieldValidation=Strict`,
      body: { ...configMap({}), ...entries(size) },
    },
  ]),
  sequence('body: YAML list', (size) => [
    {
      method: 'POST',
      path: CONFIG_MAPS,
      type: 'application/yaml',
      body: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n${times(size, (i) => `  k${i}: "v"\n`).join('')}`,
    },
  ]),
  sequence('body: YAML quotes and folds', (size) => [
    {
      method: 'POST',
      path: CONFIG_MAPS,
      type: 'application/yaml',
      body: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: >\n${'    b\n\n'.repeat(size)}  c: "${'\\n'.repeat(size)}"\n`,
    },
  ]),
]
