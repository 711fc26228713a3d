/** Query and path parameters of the operations. */
import type { Route } from './operations'

export type ResourceOrigin = 'builtin' | 'custom'

export interface Parameter {
  name: string
  in: 'query' | 'path'
  type: 'string' | 'integer' | 'boolean'
  /** Where the facts have no text for the name. */
  description?: string
}

const query = (type: Parameter['type'], ...names: string[]): Parameter[] => names.map((name) => ({ name, in: 'query', type }))

const LIST = [
  ...query('boolean', 'allowWatchBookmarks'),
  ...query('string', 'continue', 'fieldSelector', 'labelSelector'),
  ...query('integer', 'limit'),
  ...query('string', 'resourceVersion', 'resourceVersionMatch'),
  ...query('boolean', 'sendInitialEvents'),
  ...query('integer', 'timeoutSeconds'),
  ...query('boolean', 'watch'),
]
const WRITE = query('string', 'dryRun', 'fieldManager', 'fieldValidation')
const DELETE = [
  ...query('string', 'dryRun'),
  ...query('integer', 'gracePeriodSeconds'),
  ...query('boolean', 'orphanDependents'),
  ...query('string', 'propagationPolicy'),
]
const PRETTY = query('string', 'pretty')

const APPLY_MANAGER =
  ' This field is required for apply requests (application/apply-patch) but optional for non-apply patch types (JsonPatch, MergePatch, StrategicMergePatch).'

/** How a text for `fieldManager` goes on for patches. */
export function descriptionSuffix(name: string, action: string | undefined): string {
  return name === 'fieldManager' && action === 'patch' ? APPLY_MANAGER : ''
}

function described(parameter: Parameter[], description: string): Parameter[] {
  return parameter.map((one) => ({ ...one, description }))
}

const STREAMS = (['stdin', 'stdout', 'stderr'] as const).flatMap((name) =>
  described(query('boolean', name), `Redirect the ${name} stream of the pod for this call.`),
)
const CONTAINER = described(query('string', 'container'), 'The container to speak to. Defaults to the only container if there is one.')
const TTY = described(query('boolean', 'tty'), 'Allocate a terminal for the call.')

/** Of the kinds whose requests are passed on. */
const CONNECT: Record<string, Parameter[]> = {
  PodAttachOptions: [...CONTAINER, ...STREAMS, ...TTY],
  PodExecOptions: [
    ...described(query('string', 'command'), 'The command to execute, as an array; not run in a shell.'),
    ...CONTAINER,
    ...STREAMS,
    ...TTY,
  ],
  PodPortForwardOptions: described(query('integer', 'ports'), 'List of ports to forward.'),
  PodProxyOptions: described(query('string', 'path'), 'The path to use for the current proxy request to the pod.'),
  NodeProxyOptions: described(query('string', 'path'), 'The path to use for the current proxy request to the node.'),
  ServiceProxyOptions: described(query('string', 'path'), 'The part of the URL that names the service, its port and the path.'),
}

const LOG = [
  ...CONTAINER,
  ...described(query('boolean', 'follow'), 'Follow the log stream of the pod.'),
  ...described(query('boolean', 'insecureSkipTLSVerifyBackend'), "Do not confirm the validity of the node's serving certificate."),
  ...described(query('integer', 'limitBytes'), 'The number of bytes to read before the output ends.'),
  ...described(query('boolean', 'previous'), 'Return the logs of the previous, terminated container.'),
  ...described(query('integer', 'sinceSeconds'), 'How many seconds before the current time to begin.'),
  ...described(query('integer', 'tailLines'), 'The number of lines from the end of the logs to show.'),
  ...described(query('boolean', 'timestamps'), 'Begin every line with an RFC 3339 timestamp.'),
]

/** The query parameters of an operation, by name. */
export function parametersOf({ facts, origin, path }: Pick<Route, 'facts' | 'origin' | 'path'>): Parameter[] {
  return [...own(facts.action, facts.gvk?.kind ?? '', origin, path), ...(facts.action === 'connect' ? [] : PRETTY)].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
}

function own(action: string | undefined, kind: string, origin: ResourceOrigin, path: string): Parameter[] {
  switch (action) {
    case 'list':
    case 'watch':
    case 'watchlist':
      return LIST
    case 'post':
    case 'put':
      return WRITE
    case 'patch':
      return [...WRITE, ...query('boolean', 'force')]
    case 'delete':
      return DELETE
    case 'deletecollection':
      return origin === 'custom' ? LIST : [...DELETE, ...LIST.filter(({ name }) => name !== 'watch' && name !== 'allowWatchBookmarks')]
    case 'connect':
      return CONNECT[kind] ?? []
    default:
      if (path.endsWith('/log')) return LOG
      return origin === 'custom' ? query('string', 'resourceVersion') : []
  }
}

/** What stands in braces in the path. */
export function pathParameters(path: string, kind: string): Parameter[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()
  return names.map((name) => {
    const description = name === 'name' ? `name of the ${kind}` : name === 'path' ? 'path to the resource' : undefined
    return { name, in: 'path', type: 'string', ...(description ? { description } : {}) }
  })
}
