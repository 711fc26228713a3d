import { entryOf } from '../../core/object'
import type { ResourceOrigin, Route } from './route'

export interface Parameter {
  name: string
  in: 'query' | 'path'
  type: 'string' | 'integer' | 'boolean'
  description?: string
  /** The type whose field text it uses. */
  of?: string
}

const query = (type: Parameter['type'], ...names: string[]): Parameter[] =>
  names.map((name) => ({ name, in: 'query', type }))

const LIST = [
  ...query('boolean', 'allowWatchBookmarks'),
  ...query('string', 'continue', 'fieldSelector', 'labelSelector'),
  ...query('integer', 'limit'),
  ...query('string', 'resourceVersion', 'resourceVersionMatch'),
  ...query('boolean', 'sendInitialEvents'),
  ...query('integer', 'timeoutSeconds'),
  ...query('boolean', 'watch'),
]
/** Only newer releases have it. */
const SHARDS = 'shardSelector'
const SHARDED_LIST = [...LIST, ...query('string', SHARDS)]
const WRITE = query('string', 'dryRun', 'fieldManager', 'fieldValidation')
export const UNSAFE_DELETION = 'ignoreStoreReadErrorWithClusterBreakingPotential'

const DELETE = [
  ...query('string', 'dryRun'),
  ...query('integer', 'gracePeriodSeconds'),
  ...query('boolean', UNSAFE_DELETION, 'orphanDependents'),
  ...query('string', 'propagationPolicy'),
]
const PRETTY = query('string', 'pretty')

const APPLY_MANAGER =
  ' This field is required for apply requests (application/apply-patch) but optional for non-apply patch types (JsonPatch, MergePatch, StrategicMergePatch).'

export function descriptionSuffix(name: string, action: string | undefined): string {
  return name === 'fieldManager' && action === 'patch' ? APPLY_MANAGER : ''
}

const CORE = 'io.k8s.api.core.v1'

function optionsOf(kind: string, ...fields: Parameter[]): Parameter[] {
  return fields.map((field) => ({ ...field, of: `${CORE}.${kind}` }))
}

const STREAMS = [
  ...query('string', 'container'),
  ...query('boolean', 'stderr', 'stdin', 'stdout', 'tty'),
]

const CONNECT: Record<string, Parameter[]> = {
  PodAttachOptions: optionsOf('PodAttachOptions', ...STREAMS),
  PodExecOptions: optionsOf('PodExecOptions', ...query('string', 'command'), ...STREAMS),
  PodPortForwardOptions: optionsOf('PodPortForwardOptions', ...query('integer', 'ports')),
  PodProxyOptions: optionsOf('PodProxyOptions', ...query('string', 'path')),
  NodeProxyOptions: optionsOf('NodeProxyOptions', ...query('string', 'path')),
  ServiceProxyOptions: optionsOf('ServiceProxyOptions', ...query('string', 'path')),
}

const LOG = optionsOf(
  'PodLogOptions',
  ...query('string', 'container'),
  ...query('boolean', 'follow', 'insecureSkipTLSVerifyBackend'),
  ...query('integer', 'limitBytes'),
  ...query('boolean', 'previous'),
  ...query('integer', 'sinceSeconds', 'tailLines'),
  ...query('boolean', 'timestamps'),
)

export function parametersOf({
  facts,
  origin,
  path,
  deletesUnsafely,
  listsShards,
}: Pick<Route, 'facts' | 'origin' | 'path' | 'deletesUnsafely' | 'listsShards'>): Parameter[] {
  const deletion = deletesUnsafely ? DELETE : DELETE.filter(({ name }) => name !== UNSAFE_DELETION)
  return [
    ...own(facts.action, facts.gvk?.kind ?? '', {
      origin,
      path,
      deletion,
      list: listsShards ? SHARDED_LIST : LIST,
    }),
    ...(facts.action === 'connect' ? [] : PRETTY),
  ].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function own(
  action: string | undefined,
  kind: string,
  {
    origin,
    path,
    deletion,
    list,
  }: { origin: ResourceOrigin; path: string; deletion: Parameter[]; list: Parameter[] },
): Parameter[] {
  switch (action) {
    case 'list':
    case 'watch':
    case 'watchlist':
      return list
    case 'post':
    case 'put':
      return WRITE
    case 'patch':
      return [...WRITE, ...query('boolean', 'force')]
    case 'delete':
      return deletion
    case 'deletecollection':
      return origin === 'custom'
        ? list
        : [
            ...deletion,
            ...list.filter(({ name }) => name !== 'watch' && name !== 'allowWatchBookmarks'),
          ]
    case 'connect':
      return entryOf(CONNECT, kind) ?? []
    default:
      if (path.endsWith('/log')) return LOG
      return origin === 'custom' ? query('string', 'resourceVersion') : []
  }
}

export function pathParameters(path: string, kind: string): Parameter[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()
  return names.map((name) => {
    const description =
      name === 'name' ? `name of the ${kind}` : name === 'path' ? 'path to the resource' : undefined
    return { name, in: 'path', type: 'string', ...(description ? { description } : {}) }
  })
}
