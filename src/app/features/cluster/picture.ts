import type { Node, Pod } from 'kubernetes-types/core/v1'
import type { KubeObject } from '../../../engine/core/object'
import { type PodState, podStateOf } from '../../state/pod-state'
import { PICTURE } from './texts'

export interface PodMark {
  uid: string
  name: string
  namespace: string
  state: PodState
  /** The reason, if there is one: `CrashLoopBackOff`. */
  detail: string
  node: string
  restarts: number
  /** The uid of its set; can be empty. */
  set: string
}

/** A ReplicaSet, or the whole workload if it has no sets. */
export interface PodSet {
  uid: string
  kind: string
  name: string
  namespace: string
  /** `revision 2`, to distinguish sets of a workload. */
  title: string
  revision: string | undefined
  images: string[]
  wanted: number
  pods: PodMark[]
  newest: boolean
}

export interface Workload {
  uid: string
  apiVersion: string
  kind: string
  name: string
  namespace: string
  wanted: number
  ready: number
  /** Its most important condition: `paused`, `Progressing: …`. */
  status: string
  sets: PodSet[]
}

export interface NodeBox {
  uid: string
  name: string
  state: 'ready' | 'not ready' | 'failed'
  cordoned: boolean
  pods: PodMark[]
}

export interface Picture {
  workloads: Workload[]
  nodes: NodeBox[]
  /** Unscheduled pods. */
  waiting: PodMark[]
}

interface Controlled {
  spec?: {
    replicas?: number
    completions?: number
    parallelism?: number
    paused?: boolean
    suspend?: boolean
    template?: { spec?: { containers?: { image?: string }[] } }
  }
  status?: {
    readyReplicas?: number
    numberReady?: number
    ready?: number
    desiredNumberScheduled?: number
    conditions?: { type: string; status: string; reason?: string; message?: string }[]
  }
}

type Workloads = KubeObject & Controlled

const REVISION = 'deployment.kubernetes.io/revision'
const WORKLOAD_KINDS: readonly string[] = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'ReplicaSet',
  'ReplicationController',
]
const FAILED = 'simulation.kubetab/state'

export function pictureOf(objects: readonly KubeObject[]): Picture {
  const pods = objects
    .filter(({ kind }) => kind === 'Pod')
    .map((pod) => markOf(pod as unknown as Pod & KubeObject))
  const podsOf = groups(pods, ({ set }) => set)
  const controlled = objects.filter(({ kind }) => WORKLOAD_KINDS.includes(kind)) as Workloads[]
  const setsOf = groups(
    controlled.filter(({ kind }) => kind === 'ReplicaSet'),
    (set) => ownerOf(set),
  )
  const known = new Set(controlled.map(({ metadata }) => metadata.uid))
  const workloads = controlled
    .filter((object) => object.kind !== 'ReplicaSet' || !known.has(ownerOf(object)))
    .map((object) => workloadOf(object, setsOf.get(object.metadata.uid ?? '') ?? [], podsOf))
    .sort(
      (a, b) =>
        WORKLOAD_KINDS.indexOf(a.kind) - WORKLOAD_KINDS.indexOf(b.kind) ||
        compare(a.namespace, b.namespace) ||
        compare(a.name, b.name),
    )
  const nodes = objects
    .filter(({ kind }) => kind === 'Node')
    .map((node) => boxOf(node as unknown as Node & KubeObject, pods))
  return {
    workloads,
    nodes: nodes.sort((a, b) => byNumber.compare(a.name, b.name)),
    waiting: pods.filter(({ node }) => node === ''),
  }
}

const byNumber = new Intl.Collator('en', { numeric: true })
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function groups<Item>(items: readonly Item[], of: (item: Item) => string): Map<string, Item[]> {
  const found = new Map<string, Item[]>()
  for (const item of items) {
    const group = of(item)
    const mates = found.get(group)
    if (mates) mates.push(item)
    else found.set(group, [item])
  }
  return found
}

function ownerOf({ metadata }: KubeObject): string {
  const owners = (metadata.ownerReferences ?? []) as { uid: string; controller?: boolean }[]
  return owners.find(({ controller }) => controller)?.uid ?? ''
}

function workloadOf(
  object: Workloads,
  sets: Workloads[],
  podsOf: Map<string, PodMark[]>,
): Workload {
  const { apiVersion, kind, metadata, spec, status } = object
  const { uid = '', name = '', namespace = '' } = metadata
  const own = podsOf.get(uid) ?? []
  const newest = String(
    Math.max(...sets.map((set) => Number(set.metadata.annotations?.[REVISION] ?? 0)), 0),
  )
  const shown = sets
    .map((set) =>
      setOf(
        set,
        podsOf.get(set.metadata.uid ?? '') ?? [],
        set.metadata.annotations?.[REVISION] === newest,
      ),
    )
    .sort((a, b) => byNumber.compare(b.title, a.title))
  const wanted = wantedOf(object)
  return {
    uid,
    apiVersion,
    kind,
    name,
    namespace,
    wanted,
    ready: status?.readyReplicas ?? status?.numberReady ?? status?.ready ?? 0,
    status: statusOf(spec, status),
    sets: sets.length > 0 ? shown : [{ ...setOf(object, own, true), title: PICTURE.pods, wanted }],
  }
}

function setOf(set: Workloads, pods: PodMark[], newest: boolean): PodSet {
  const { name = '', namespace = '', uid = '', annotations } = set.metadata
  const images = (set.spec?.template?.spec?.containers ?? []).map(({ image = '' }) => image)
  const revision = annotations?.[REVISION]
  return {
    uid,
    kind: set.kind,
    name,
    namespace,
    title: revision ? PICTURE.revision(revision) : name,
    revision,
    images,
    wanted: wantedOf(set),
    pods,
    newest,
  }
}

function wantedOf({ kind, spec, status }: Workloads): number {
  if (kind === 'DaemonSet') return status?.desiredNumberScheduled ?? 0
  if (kind === 'Job') return spec?.suspend ? 0 : (spec?.parallelism ?? 1)
  return spec?.replicas ?? 1
}

const TROUBLES: [type: string, status: string][] = [
  ['ReplicaFailure', 'True'],
  ['Failed', 'True'],
  ['Progressing', 'False'],
  ['Available', 'False'],
]

function statusOf(spec: Controlled['spec'], status: Controlled['status']): string {
  if (spec?.paused) return 'paused'
  if (spec?.suspend) return 'suspended'
  const conditions = status?.conditions ?? []
  // Takes precedence over the number of pods.
  const bad = TROUBLES.map(([name, when]) =>
    conditions.find(({ type, status: state }) => type === name && state === when),
  ).find((condition) => condition !== undefined)
  if (bad) return bad.message ?? bad.reason ?? bad.type
  return conditions.some(({ type, status: state }) => state === 'True' && type === 'Complete')
    ? 'complete'
    : ''
}

function markOf(pod: Pod & KubeObject): PodMark {
  const { uid = '', name = '', namespace = '' } = pod.metadata
  const statuses = pod.status?.containerStatuses ?? []
  return {
    uid,
    name,
    namespace,
    ...podStateOf(pod),
    node: pod.spec?.nodeName ?? '',
    restarts: statuses.reduce((sum, { restartCount }) => sum + restartCount, 0),
    set: ownerOf(pod),
  }
}

function boxOf({ metadata, spec, status }: Node & KubeObject, pods: readonly PodMark[]): NodeBox {
  const name = metadata.name ?? ''
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True'
  const failed = metadata.annotations?.[FAILED] === 'failed'
  return {
    uid: metadata.uid ?? '',
    name,
    state: failed ? 'failed' : ready ? 'ready' : 'not ready',
    cordoned: spec?.unschedulable ?? false,
    pods: pods.filter(({ node }) => node === name),
  }
}

/** @returns short names such as `r2` by uid, for sets with a revision */
export function revisionsOf({ workloads }: Picture): Map<string, string> {
  const sets = workloads.flatMap((workload) => workload.sets)
  return new Map(
    sets.flatMap(({ uid, revision }) => (revision === undefined ? [] : [[uid, `r${revision}`]])),
  )
}
