export const HISTORY = {
  failed: (reason: string) =>
    `The history could not be read: ${reason}. Reload the page to try again.`,
  loading: 'Loading…',
  none: 'No history for this object.',
  title: 'Revisions, newest first',
  compacted: (revision: number) => `Older revisions were compacted (up to revision ${revision}).`,
  created: 'Created',
  deleted: 'Deleted',
  managedFields: 'managedFields changed',
  more: (fields: string, count: number) => `${fields} and ${count} more`,
  unset: '(unset)',
} as const

export const COMPARISON = {
  fields: 'Fields',
  text: 'YAML',
  title: (revision: number) => `Revision ${revision}`,
  compare: (revision: number) => `Compare ${revision} with`,
  nothing: 'nothing',
  previous: ' (previous)',
  display: 'Display',
  open: (revision: number) => `Open revision ${revision} in the editor`,
  openTitle: 'Open this revision in the editor (apply it to roll back)',
  loading: 'Loading…',
  first: 'No earlier revision to compare.',
  deleted: 'This revision deleted the object.',
  range: (from: number, to: number) => `From ${from} to ${to}`,
} as const

export const CHANGES = {
  none: 'No differences.',
  serverManaged: 'Only server-managed fields changed.',
  rest: (fields: string) => `Server-managed: ${fields}`,
} as const

export const WIRE = {
  json: 'JSON',
  yaml: 'YAML',
  protobuf: 'Protobuf',
  table: 'Table',
  title: 'Wire format',
  encoding: 'Encoding',
  accept: 'Accept',
  contentType: 'Content-Type',
  size: 'Size',
  past: 'In the past, only lists can be read. This list contains just the object.',
  loading: 'Loading…',
  unavailable: 'Not available in this format',
  percent: (value: number) => `, ${value}% of the JSON`,
  failed: (reason: string) => `The request failed: ${reason}. Try again.`,
  wide: 'wide',
  raw: 'Raw',
} as const

export const BYTES = {
  failed: (reason: string) => `The bytes could not be decoded: ${reason}`,
  field: (type: string, from: number, to: number) => `${type}, bytes ${from} to ${to}`,
  unknownName: 'unknown',
  unknownType: 'unknown type',
  moreField: 'more field',
  moreByte: 'more byte',
} as const

export const TERMINATING = {
  title: 'Terminating',
  since: (age: string) => `for ${age}, since`,
  kill: 'Containers are killed in',
  killed: 'The grace period ended',
  ago: 'ago.',
  utc: 'UTC',
  paused: 'The cluster clock is paused, so the kubelet and controllers wait.',
  step: 'Step the clock',
  nothing: 'Nothing holds it. Its controller removes it next.',
  containers: 'Containers stop',
  kubelet: (node: string) =>
    `The kubelet of ${node} stops the containers and then deletes the Pod. A node that is not ready cannot.`,
  force: 'Delete now',
  forceAbout: 'Grace period 0: the Pod is deleted although its containers may still run.',
  content: 'Content of the namespace',
  contentNext: 'The namespace controller deletes all objects of the namespace.',
  finalizer: (finalizer: string) => `Finalizer ${finalizer}`,
  foreground:
    'Foreground deletion: the garbage collector deletes the dependents first. These block it:',
  orphan: 'The garbage collector removes the owner references of its dependents first.',
  claimInUse: 'Removed when no Pod uses the claim.',
  volumeBound: 'Removed when the claim that the volume is bound to is gone.',
  jobTracking: 'Removed when the Job controller has counted the Pod.',
  loadBalancer: 'Removed when the load balancer is released.',
  customResources: 'Removed when all custom resources of the definition are deleted.',
  controller:
    'Removed by the controller that added it, when its cleanup is done. If no such controller runs, the object stays.',
  remove: (finalizer: string) => `Remove ${finalizer}`,
  removeAbout: 'Skips the cleanup that the finalizer protects.',
  more: (count: number) => `and ${count} more`,
  sent: 'Request accepted',
} as const

export const STATUS = {
  conditions: 'Conditions',
  containers: 'Containers',
  members: 'Status',
  none: 'No status.',
  ready: 'ready',
  notReady: 'not ready',
  init: 'init',
  restarts: (count: number) => (count === 1 ? '1 restart' : `${count} restarts`),
  last: (state: string) => `Last state: ${state}`,
  ago: (age: string) => `${age} ago`,
} as const

export const EVENTS = {
  failed: (reason: string) => `The events could not be read: ${reason}`,
  loading: 'Loading…',
} as const

export const LOGS = {
  title: (pod: string) => `Log of ${pod}`,
  container: 'Container',
  previous: 'Previous',
  previousTitle: 'The log of the container before its last restart (kubectl logs --previous)',
  refresh: 'Refresh',
  empty: '(no output)',
  past: 'Logs are available of the current state only.',
  loading: 'Loading…',
} as const

export const RELATED = {
  owners: 'Owners',
  noOwners: 'No owner. It stays until someone deletes it.',
  dependents: 'Dependents',
  noDependents: 'It owns no objects.',
  missing: (kind: string, name: string) => `${kind} ${name} (not found)`,
  truncated: 'Further dependents are not shown.',
} as const

export const MANIFEST = {
  source: 'Manifest',
  clean: 'Without server fields',
  cleanAbout: 'The object without status and fields that the server sets.',
  manager: (name: string, subresource: string) =>
    `Applied by ${name}${subresource === '' ? '' : ` (${subresource})`}`,
  managerAbout: 'The fields that this manager applied and owns (server-side apply).',
  lastApplied: 'last-applied-configuration',
  lastAppliedAbout: 'The annotation of client-side kubectl apply.',
  open: 'Open in editor',
} as const
