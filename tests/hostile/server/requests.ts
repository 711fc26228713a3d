/** Single requests that once caused work far beyond their size. Most have 15 to 90 KB. */

export interface HostileRequest {
  name: string
  method: 'POST' | 'PUT' | 'PATCH'
  path: string
  body: string
  type?: string
  /** Sent before; not measured. */
  before?: readonly HostileRequest[]
  /** Not a member of system:masters, so that RBAC checks the user for escalation. */
  token?: string
}

const DEFAULT = '/namespaces/default'
const JOBS = `/apis/batch/v1${DEFAULT}/jobs`
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles'

/** A user who may write roles and bindings, and hold only that. */
export const LIMITED = { token: 'limited-token', user: 'limited' }

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index))

/** A body of the limit of 3 MiB at most; items are taken as long as they fit. */
function post(
  name: string,
  path: string,
  object: object,
  more: Partial<HostileRequest> = {},
): HostileRequest {
  return { name, method: 'POST', path, body: JSON.stringify(object), ...more }
}

function configMap(metadata: object): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'hostile', ...metadata } }
}

function pod(spec: object): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'hostile' },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  }
}

const podWith = (quantity: string) =>
  pod({ containers: [{ name: 'c', image: 'i', resources: { requests: { memory: quantity } } }] })

function definition(versions: object[]): object {
  const names = {
    plural: 'hostiles',
    singular: 'hostile',
    kind: 'Hostile',
    listKind: 'HostileList',
  }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'hostiles.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions },
  }
}

function definitionVersions(count: number): object[] {
  const schema = { openAPIV3Schema: { type: 'object' } }
  return times(count, (index) => ({
    name: `v${index + 1}`,
    served: true,
    storage: index === 0,
    schema,
  }))
}

function listKeys(count: number): object {
  const properties = Object.fromEntries(times(count, (index) => [`k${index}`, { type: 'string' }]))
  const items = { type: 'object', properties, required: Object.keys(properties) }
  const list = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': Object.keys(properties),
    items,
  }
  const schema = { openAPIV3Schema: { type: 'object', properties: { list } } }
  return definition([{ name: 'v1', served: true, storage: true, schema }])
}

function repeatedListKeys(count: number): object {
  const items = { type: 'object', properties: { k: { type: 'string' } } }
  const list = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': times(count, () => 'k'),
    items,
  }
  const schema = { openAPIV3Schema: { type: 'object', properties: { list } } }
  return definition([{ name: 'v1', served: true, storage: true, schema }])
}

function indexedJob(completions: number): object {
  const template = {
    metadata: {},
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
  }
  const spec = { completionMode: 'Indexed', completions, parallelism: 1, template }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'hostile' }, spec }
}

function succeededIndexes(indexes: string): object {
  const job = indexedJob(2_147_483_647) as { spec: object }
  const successPolicy = { rules: [{ succeededIndexes: indexes }] }
  return { ...job, spec: { ...job.spec, successPolicy } }
}

/** The right to write roles and bindings; everything else is an escalation. */
const WRITES_ROLES: readonly HostileRequest[] = [
  post('role', ROLES, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'limited' },
    rules: [
      { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['*'] },
    ].map((rule) => ({
      ...rule,
      verbs: ['create', 'update', 'get'],
    })),
  }),
  post('binding', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'limited' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'limited' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: LIMITED.user }],
  }),
]

function grantingRole(count: number): object {
  const names = (prefix: string) => times(count, (index) => `${prefix}${index}`)
  const rules = [
    { apiGroups: names('g'), resources: names('r'), verbs: names('v'), resourceNames: names('n') },
  ]
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'hostile' },
    rules,
  }
}

function statefulSet(replicas: number): object {
  const labels = { app: 'hostile' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  const spec = {
    replicas,
    serviceName: 's',
    podManagementPolicy: 'Parallel',
    selector: { matchLabels: labels },
    template,
  }
  return { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'hostile' }, spec }
}

function owners(count: number): object[] {
  return times(count, (index) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    name: `p${index}`,
    uid: `u${index}`,
    controller: true,
  }))
}

function storageClass(count: number): object {
  const allowedTopologies = times(count, (index) => ({
    matchLabelExpressions: [{ key: 'zone', values: [`z${index}`] }],
  }))
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'hostile' },
    provisioner: 'p',
    allowedTopologies,
  }
}

function quota(count: number): object {
  const spec = { hard: { pods: '1' }, scopes: times(count, (index) => `Scope${index}`) }
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'hostile' }, spec }
}

const PODS = `/api/v1${DEFAULT}/pods`
const CONFIG_MAPS = `/api/v1${DEFAULT}/configmaps`
const STATEFUL_SETS = `/apis/apps/v1${DEFAULT}/statefulsets`
const STORAGE_CLASSES = '/apis/storage.k8s.io/v1/storageclasses'
const QUOTAS = `/api/v1${DEFAULT}/resourcequotas`
const STATUS = 'application/merge-patch+json'

export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  post(
    '1,000 ownerReferences, each the controller',
    CONFIG_MAPS,
    configMap({ ownerReferences: owners(1000) }),
  ),
  post(
    '30,000 ownerReferences, each the controller',
    CONFIG_MAPS,
    configMap({ ownerReferences: owners(30_000) }),
  ),
  post(
    '3,000 imagePullSecrets',
    PODS,
    pod({ imagePullSecrets: times(3000, (index) => ({ name: `s${index % 2}` })) }),
  ),
  post('250,000 imagePullSecrets', PODS, pod({ imagePullSecrets: times(250_000, () => ({})) })),
  post('2,000 x-kubernetes-list-map-keys', DEFINITIONS, listKeys(2000)),
  post('20,000 equal x-kubernetes-list-map-keys', DEFINITIONS, repeatedListKeys(20_000)),
  post('5,000 versions of a definition', DEFINITIONS, definition(definitionVersions(5000))),
  post('1,500 allowedTopologies', STORAGE_CLASSES, storageClass(1500)),
  post('40,000 allowedTopologies', STORAGE_CLASSES, storageClass(40_000)),
  post('5,000 scopes of a quota', QUOTAS, quota(5000)),
  post('200,000 scopes of a quota', QUOTAS, quota(200_000)),
  post('a rule of 60 groups, resources, verbs and names', ROLES, grantingRole(60), {
    token: LIMITED.token,
    before: WRITES_ROLES,
  }),
  post('a rule of 30,000 groups, resources, verbs and names', ROLES, grantingRole(30_000), {
    token: LIMITED.token,
    before: WRITES_ROLES,
  }),
  post('replicas of a StatefulSet 2147483647', STATEFUL_SETS, statefulSet(2_147_483_647)),
  ...[
    '1E+99999999',
    '1e2147483647',
    '1e-99999999',
    '9'.repeat(1_000_000),
    `0.${'9'.repeat(1_000_000)}`,
  ].map((quantity) =>
    post(
      `quantity ${quantity.length > 20 ? `${quantity.slice(0, 4)}… of a million digits` : quantity}`,
      PODS,
      podWith(quantity),
    ),
  ),
  post('succeededIndexes 0-2147483646', JOBS, succeededIndexes('0-2147483646')),
  {
    name: 'completedIndexes 0-2147483646',
    method: 'PATCH',
    path: `${JOBS}/hostile/status`,
    type: STATUS,
    body: JSON.stringify({
      status: { completedIndexes: '0-2147483646', succeeded: 2_147_483_647 },
    }),
    before: [post('job', JOBS, indexedJob(2_147_483_647))],
  },
]
