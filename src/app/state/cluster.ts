/**
 * Metadata and health of all objects. Kinds with objects are watched; empty kinds are listed again after a
 * write, which keeps few streams open.
 */
import { create } from 'zustand'
import { ApiFailure, sendRequest, stream } from './client'
import { equalResources, pathOf, type ServedResource, useDiscovery } from './discovery'
import { queryAt, useMoment } from './moment'
import { onWrite } from './requests'
import { throttle } from './throttle'
import {
  healthReader,
  type ListedObject,
  type ReadHealth,
  type TreeObject,
  treeObject,
} from './tree-object'

const decidesWhatIsServed = (kind: string): boolean =>
  kind === 'CustomResourceDefinition' || kind === 'APIService'

/** Loaded on demand, for a faster first paint. */
const followDefinitions = async (): Promise<void> => (await import('./served')).followDefinitions()

export interface TreeKind {
  /** `apps/deployments`, `/pods` */
  key: string
  resource: ServedResource
  objects: ReadonlyMap<string, TreeObject>
  /** Stays the same array until an object is added or removed. */
  order: readonly string[]
  /** Why the actor may not list it. */
  rejection?: string
}

interface ClusterState {
  kinds: ReadonlyMap<string, TreeKind>
  /** Every kind has been listed once. */
  complete: boolean
  revision: number
  streams: number
  /** Restarts all watches, as the current user. */
  follow(): void
  followServed(): void
  showMoment(): void
  /** @param written the changed kinds; undefined: any */
  lookAgain(revision: number, written?: readonly string[]): void
}

const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'
/** Kinds with a health need their status. */
const JSON_ONLY = 'application/json'
const RETRY_MILLISECONDS = 500
const PACE = { leadingMs: 60, intervalMs: 250 }

interface Followed {
  kind: TreeKind
  objects: Map<string, TreeObject>
  control: AbortController
  running: boolean
}

const followed = new Map<string, Followed>()
let lookedAt = 0

export const useCluster = create<ClusterState>((set, get) => ({
  kinds: new Map(),
  complete: false,
  revision: 0,
  streams: 0,
  follow() {
    for (const { control } of followed.values()) control.abort()
    followed.clear()
    set({ kinds: new Map(), complete: false })
    get().followServed()
  },
  followServed() {
    const served = new Map(
      followable(useDiscovery.getState().resources).map((resource) => [
        keyOfResource(resource),
        resource,
      ]),
    )
    for (const [key, { control, kind }] of followed) {
      const resource = served.get(key)
      if (resource !== undefined && equalResources(resource, kind.resource)) continue
      control.abort()
      followed.delete(key)
    }
    const begun = [...served]
      .filter(([key]) => !followed.has(key))
      .map(([key, resource]) => begin(key, resource))
    void Promise.all(begun).then(() => set({ complete: true }))
    publish()
  },
  showMoment() {
    for (const [key, { kind, objects, control }] of [...followed]) {
      control.abort()
      const entry: Followed = {
        kind,
        objects: new Map(objects),
        control: new AbortController(),
        running: false,
      }
      followed.set(key, entry)
      void run(entry)
    }
  },
  lookAgain(revision, written) {
    if (revision > get().revision) set({ revision })
    if (revision <= lookedAt || isPast()) return
    lookedAt = revision
    if (written?.some(decidesWhatIsServed) ?? true) void followDefinitions()
    for (const entry of followed.values())
      if (written?.includes(entry.kind.resource.kind) ?? true) void run(entry)
  },
}))

const isPast = (): boolean => useMoment.getState().revision !== undefined

onWrite((path) => {
  if (isPast()) return
  const entry = [...followed.values()].find(({ kind }) => writesInto(kind.resource, path))
  if (entry === undefined) return
  void run(entry)
  if (decidesWhatIsServed(entry.kind.resource.kind)) void followDefinitions()
})

useDiscovery.subscribe(({ resources }, before) => {
  if (resources !== before.resources && followed.size > 0) useCluster.getState().followServed()
})

/** `/apis/apps/v1/namespaces/a/deployments/web/scale` writes to deployments. */
function writesInto({ group, resource }: ServedResource, path: string): boolean {
  const parts = (path.split('?')[0] ?? '').split('/').filter((part) => part !== '')
  const [root, first] = parts
  const rest = root === 'api' ? parts.slice(2) : parts.slice(3)
  return (root === 'api' ? '' : first) === group && (rest[0] === resource || rest[2] === resource)
}

function followable(resources: readonly ServedResource[]): ServedResource[] {
  const seen = new Set<string>()
  return resources.filter((resource) => {
    const key = keyOfResource(resource)
    if (!resource.verbs.includes('watch') || !resource.verbs.includes('list') || seen.has(key))
      return false
    seen.add(key)
    return true
  })
}

/** Events are the same objects in both of their groups. */
function keyOfResource({ group, resource }: ServedResource): string {
  return resource === 'events' ? '/events' : `${group}/${resource}`
}

function begin(key: string, resource: ServedResource): Promise<void> {
  const entry: Followed = {
    kind: { key, resource, objects: new Map(), order: [] },
    objects: new Map(),
    control: new AbortController(),
    running: false,
  }
  followed.set(key, entry)
  return new Promise((resolve) => void run(entry, resolve))
}

/** Watches while the kind has objects. Does nothing if already running. */
async function run(entry: Followed, listed: () => void = () => undefined): Promise<void> {
  if (entry.running) return
  entry.running = true
  const { signal } = entry.control
  try {
    const health = await healthReader(entry.kind.resource)
    while (!signal.aborted) {
      try {
        const version = await list(entry, health)
        listed()
        if (entry.objects.size === 0 || isPast()) return
        await watch(entry, version, health)
      } catch (error) {
        listed()
        if (signal.aborted) return
        if (error instanceof ApiFailure && error.response.status < 500)
          return reject(entry, error.message)
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS))
    }
  } finally {
    listed()
    entry.running = false
  }
}

function reject(entry: Followed, rejection: string): void {
  entry.objects.clear()
  entry.kind = { ...entry.kind, rejection }
  publish(entry)
}

/** @returns the resourceVersion to watch from @throws ApiFailure */
async function list(entry: Followed, health: ReadHealth | undefined): Promise<string> {
  const { control, objects } = entry
  const path = `${pathOf(entry.kind.resource)}${queryAt(useMoment.getState().revision)}`
  const response = await sendRequest({
    method: 'GET',
    path,
    accept: health === undefined ? METADATA_LIST : JSON_ONLY,
    origin: 'page',
    signal: control.signal,
  })
  if (!response.ok) throw new ApiFailure(response)
  const { items, metadata } = response.json as {
    items: ListedObject[] | null
    metadata: { resourceVersion: string }
  }
  const before = new Map(objects)
  objects.clear()
  for (const item of items ?? []) {
    const known = before.get(keyOf(item))
    const changed =
      useCluster.getState().complete && known?.resourceVersion !== item.metadata.resourceVersion
        ? Date.now()
        : (known?.changed ?? 0)
    objects.set(keyOf(item), treeObject(item, changed, health))
  }
  const { rejection, ...kind } = entry.kind
  entry.kind = kind
  if (rejection !== undefined || objects.size > 0 || before.size > 0) publish(entry)
  // A definition can already be established in its first list, without an event.
  if (decidesWhatIsServed(entry.kind.resource.kind) && !sameVersions(before, objects))
    void followDefinitions()
  heard(metadata.resourceVersion)
  return metadata.resourceVersion
}

async function watch(
  entry: Followed,
  version: string,
  health: ReadHealth | undefined,
): Promise<void> {
  const path = `${pathOf(entry.kind.resource)}?watch=1&resourceVersion=${version}&allowWatchBookmarks=true`
  useCluster.setState(({ streams }) => ({ streams: streams + 1 }))
  try {
    const accept = health === undefined ? METADATA : JSON_ONLY
    await stream(
      { method: 'GET', path, accept, origin: 'page', signal: entry.control.signal },
      (line) => {
        const { type, object } = line as { type: string; object: ListedObject }
        if (type === 'ERROR') return
        heard(object.metadata.resourceVersion)
        if (type === 'BOOKMARK') return
        if (type === 'DELETED') entry.objects.delete(keyOf(object))
        else entry.objects.set(keyOf(object), treeObject(object, Date.now(), health))
        publish(entry)
        if (decidesWhatIsServed(entry.kind.resource.kind)) void followDefinitions()
      },
    )
  } finally {
    useCluster.setState(({ streams }) => ({ streams: streams - 1 }))
  }
}

let newest = 0

/** Batched with the other changes of the same frame. */
function heard(resourceVersion: string): void {
  const revision = Number(resourceVersion)
  if (revision <= newest) return
  newest = revision
  publish()
}

const sameVersions = (
  a: ReadonlyMap<string, TreeObject>,
  b: ReadonlyMap<string, TreeObject>,
): boolean =>
  a.size === b.size &&
  [...a].every(([key, { resourceVersion }]) => b.get(key)?.resourceVersion === resourceVersion)

const keyOf = ({ metadata }: ListedObject): string => `${metadata.namespace ?? ''}/${metadata.name}`

/** Debounced, because there are many kinds to list. */
const REST_MILLISECONDS = 200
let resting: ReturnType<typeof setTimeout> | undefined

useMoment.subscribe((now, before) => {
  if (now.revision === before.revision) return
  clearTimeout(resting)
  resting = setTimeout(() => useCluster.getState().showMoment(), REST_MILLISECONDS)
})

const pending = new Set<Followed>()

const { schedule } = throttle(() => {
  for (const changed of pending)
    changed.kind = { ...changed.kind, objects: new Map(changed.objects), order: orderOf(changed) }
  pending.clear()
  useCluster.setState(({ kinds, revision }) => ({
    kinds: freshKinds(kinds),
    revision: Math.max(revision, newest),
  }))
}, PACE)

function publish(entry?: Followed): void {
  if (entry) pending.add(entry)
  schedule()
}

/** Keeps the map if the kinds are unchanged, so that a newer revision does not render the tree. */
function freshKinds(before: ReadonlyMap<string, TreeKind>): ReadonlyMap<string, TreeKind> {
  const same =
    before.size === followed.size &&
    [...followed].every(([key, { kind }]) => before.get(key) === kind)
  return same ? before : new Map([...followed].map(([key, { kind }]) => [key, kind]))
}

/** Sorts only new objects, because sorting thousands of names is slow. */
function orderOf({ kind: { order }, objects }: Followed): readonly string[] {
  if (order.length === objects.size && order.every((key) => objects.has(key))) return order
  const known = new Set(order)
  const left = order.filter((key) => objects.has(key))
  const added = sorted([...objects.keys()].filter((key) => !known.has(key)))
  return merged(left, added)
}

/** A space sorts before all characters of names, so `a` comes before `a-b`. */
const sortKey = (key: string): string => key.replace('/', ' ')

const sorted = (keys: readonly string[]): string[] =>
  keys
    .map(sortKey)
    .sort()
    .map((key) => key.replace(' ', '/'))

/** @param a sorted, and longer than `b` @param b sorted */
function merged(a: readonly string[], b: readonly string[]): string[] {
  const all: string[] = []
  let at = 0
  for (const key of b) {
    const place = sortKey(key)
    while (at < a.length && sortKey(a[at] as string) < place) all.push(a[at++] as string)
    all.push(key)
  }
  for (; at < a.length; at++) all.push(a[at] as string)
  return all
}
