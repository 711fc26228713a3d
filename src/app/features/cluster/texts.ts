import { countText } from '../../components/format'
import type { PodState } from '../../state/pod-state'

export const CLUSTER = {
  picture: 'Workloads and nodes',
  loading: 'Loading…',
  side: 'Selection and events',
  events: 'Events',
  eventsOf: (name: string) => `Events of ${name}`,
  nothing: (when: string) => `Nothing runs ${when}.`,
  past: 'at this revision',
  yet: 'yet',
  deploy: 'Deploy an example (3 replicas)',
  breakSomething: 'Inject a failure',
  none: 'No events yet.',
  noneOf: 'No events for this object yet.',
  logOf: (pod: string) => `Log of ${pod}`,
  log: 'Log',
  container: 'Container',
  refresh: 'Refresh',
  noOutput: 'No output yet',
} as const

export const TIME = {
  title: 'Time',
  run: 'Run',
  pause: 'Pause',
  step: 'Step',
  stepTitle: 'Pauses and jumps to the next scheduled event',
  speed: 'Speed',
  timeThen: 'Time of this revision',
  time: 'Cluster time',
  utc: 'UTC',
  nothingDue: 'nothing scheduled',
  next: (span: string) => `next in ${span}`,
} as const

export const CONTROL_PLANE = {
  open: 'Control plane',
  unknown: 'Loading…',
  title: 'Control plane',
  about: 'Changes restart the server; data is kept.',
  scheduler: 'Scheduler',
  schedulerAbout: 'assigns Pods to Nodes',
  nodes: 'Nodes',
  controllers: 'Controllers',
  all: 'All',
  none: 'None',
} as const

export const PICTURE = {
  workloads: 'Workloads',
  nodes: 'Nodes',
  unscheduled: 'Not scheduled',
  noNodes: 'No nodes. Add nodes to run pods.',
  ready: (ready: number, wanted: number) => `${ready} of ${wanted} ready`,
  set: (title: string, images: string, wanted: number, pods: number, ready: number) =>
    `${title}: ${images}, ${wanted} desired, ${pods} current, ${ready} ready`,
  node: (name: string, status: string) => `Node ${name}: ${status}`,
  cordoned: 'cordoned',
  pods: 'Pods',
  revision: (number: string) => `revision ${number}`,
  pod: (name: string, namespace: string, state: string) => `${name} in ${namespace}: ${state}`,
  notScheduled: 'not scheduled',
  onNode: (node: string) => `on ${node}`,
  restarts: (count: number) => countText(count, 'restart'),
  podLabel: (details: string) => `Pod ${details}`,
} as const

/** As `kubectl get pods` prints them, where it has a word. */
export const POD_STATES: Record<PodState, string> = {
  pending: 'Pending',
  starting: 'Starting',
  'not ready': 'Not ready',
  ready: 'Ready',
  crashing: 'CrashLoopBackOff',
  'no image': 'ImagePullBackOff',
  ending: 'Terminating',
  done: 'Succeeded',
  failed: 'Failed',
}

export const NODE_STATES = {
  ready: 'Ready',
  'not ready': 'NotReady',
  failed: 'failed',
} as const

export const SELECTION = {
  background: 'Background',
  backgroundAbout: 'Deleted immediately; dependents are garbage-collected.',
  foreground: 'Foreground',
  foregroundAbout: 'Dependents are deleted first.',
  orphan: 'Orphan',
  orphanAbout: 'Dependents are orphaned.',
  deleting: (object: string) => `Deletion of ${object} requested`,
  open: 'Open',
  clear: 'Clear selection',
  notYet: "It doesn't exist at this revision.",
  noLonger: 'It no longer exists.',
  preview: 'Delete preview',
  policy: 'Propagation policy',
  dependents: 'Objects that the deletion removes',
  delete: 'Delete',
  removed: (count: number) => `${count} deleted too`,
  orphaned: (count: number) => `${count} orphaned`,
  kept: (count: number) => `${count} kept`,
  nothing: 'nothing else is deleted',
} as const

export const FATES = {
  otherOwner: 'kept: it has another owner',
  withoutOwner: 'kept, without its owner',
  blocked: (finalizers: string, count: number) =>
    `blocked until ${finalizers} ${count === 1 ? 'is' : 'are'} removed`,
  beforeOwner: 'before its owner, which waits for it',
  beforeOwnerOnly: 'before its owner, which does not wait',
  afterOwner: 'after its owner',
} as const

export const FAILURES = {
  kill: (pod: string) => `Delete the pod ${pod}`,
  killHint: 'its ReplicaSet replaces it',
  uncordon: (node: string) => `Uncordon ${node}`,
  uncordonHint: 'pods can be scheduled again',
  cordon: (node: string) => `Cordon ${node}`,
  cordonHint: 'no new pods are scheduled',
  recover: (node: string) => `Recover ${node}`,
  recoverHint: 'the node becomes ready',
  fail: (node: string) => `Fail ${node}`,
  failHint: 'NotReady after 40 s; pods evicted after 5 min',
  fixImage: (workload: string) => `Fix the image of ${workload}`,
  breakImage: (workload: string) => `Break the image of ${workload}`,
  breakImageHint: 'ImagePullBackOff for new pods; old pods keep running',
  freeQuota: (namespace: string) => `Remove the quota of ${namespace}`,
  freeQuotaHint: 'pods can be created again',
  exhaustQuota: (namespace: string) => `Exhaust the quota of ${namespace}`,
  exhaustQuotaHint: 'no new pods',
} as const

export const TIMELINE = {
  change: (revision: number, object: string, verb: string) =>
    `revision ${revision}: ${object} ${verb}`,
  title: 'History of the cluster',
  revision: 'Revision of the cluster',
  now: 'now',
  current: (revision: number, changes: number) =>
    `Now, at revision ${revision}. Drag back to see any of ${changes} changes.`,
  readOnly: 'Read-only',
  time: (clock: string) => `${clock} UTC`,
  branch: 'Branch from here',
  backToNow: 'branch',
  added: 'was created',
  modified: 'was modified',
  removed: 'was deleted',
  branchQuestion: (revision: number) => `Branch from revision ${revision}?`,
  branchConsequence:
    'Continue from this revision in a new workspace, or replace this cluster. Replacing it loses later changes: export them first to keep them.',
  exportFirst: 'Export first',
  replace: 'Replace this cluster',
  newWorkspace: 'In a new workspace',
  branchFailed: (reason: string) => `Creating a branch failed: ${reason}`,
  notStarted: 'the API server has not started yet',
  branched: (revision: number, objects: number) =>
    `The cluster continues from revision ${revision}, with ${countText(objects, 'object')}`,
} as const
