/**
 * The cluster as the tree shows it: names and versions of every object, kept up to date by one watch per kind (metadata only).
 * Kinds of two versions are followed through the first.
 */
import { create } from 'zustand'
import { ApiFailure, ask, stream } from '../client'
import { pathOf, type ServedResource, useDiscovery } from './discovery'

export interface TreeObject {
  namespace: string
  name: string
  uid: string
  resourceVersion: string
  created: string
  deleting: boolean
  /** When it last changed, for the mark of fresh changes. */
  changed: number
}

export interface TreeKind {
  resource: ServedResource
  objects: Map<string, TreeObject>
  /** Why it cannot be followed: the actor may not list it. */
  refused?: string
}

interface ClusterState {
  kinds: Map<string, TreeKind>
  revision: string
  /** Follows everything anew, as the actor of now. */
  follow(): void
}

const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'
const RETRY_MILLISECONDS = 500
/** Updates of the tree are gathered for one frame. */
const GATHER_MILLISECONDS = 30

interface Meta {
  metadata: {
    name: string
    namespace?: string
    uid: string
    resourceVersion: string
    creationTimestamp?: string
    deletionTimestamp?: string
  }
}

let generation = new AbortController()
let scheduled = false
const pending = new Map<string, TreeKind>()

export const useCluster = create<ClusterState>((set) => ({
  kinds: new Map(),
  revision: '',
  follow() {
    generation.abort()
    generation = new AbortController()
    pending.clear()
    set({ kinds: new Map() })
    const { signal } = generation
    for (const resource of followed(useDiscovery.getState().resources)) void followKind(resource, signal)
  },
}))

function followed(resources: readonly ServedResource[]): ServedResource[] {
  const seen = new Set<string>()
  return resources.filter((resource) => {
    const key = resource.resource === 'events' ? 'events' : `${resource.group}/${resource.resource}`
    if (!resource.verbs.includes('watch') || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function publish(kind: TreeKind): void {
  pending.set(`${kind.resource.group}/${kind.resource.resource}`, kind)
  if (scheduled) return
  scheduled = true
  setTimeout(() => {
    scheduled = false
    useCluster.setState(({ kinds }) => {
      const next = new Map(kinds)
      for (const [key, changed] of pending) next.set(key, { ...changed, objects: new Map(changed.objects) })
      pending.clear()
      return { kinds: next }
    })
  }, GATHER_MILLISECONDS)
}

async function followKind(resource: ServedResource, signal: AbortSignal): Promise<void> {
  const kind: TreeKind = { resource, objects: new Map() }
  while (!signal.aborted) {
    try {
      const version = await list(kind, signal)
      if (version === undefined) return
      await watch(kind, version, signal)
    } catch (error) {
      if (error instanceof ApiFailure && error.answer.status === 403) {
        publish({ ...kind, refused: error.message })
        return
      }
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS))
  }
}

async function list(kind: TreeKind, signal: AbortSignal): Promise<string | undefined> {
  const answer = await ask({ method: 'GET', path: pathOf(kind.resource), accept: METADATA_LIST, origin: 'page', signal })
  if (signal.aborted) return undefined
  if (!answer.ok) throw new ApiFailure(answer, (answer.json ?? {}) as { message?: string })
  const { items, metadata } = answer.json as { items: Meta[] | null; metadata: { resourceVersion: string } }
  kind.objects.clear()
  for (const item of items ?? []) put(kind, item, 0)
  publish(kind)
  return metadata.resourceVersion
}

async function watch(kind: TreeKind, version: string, signal: AbortSignal): Promise<void> {
  const path = `${pathOf(kind.resource)}?watch=1&resourceVersion=${version}&allowWatchBookmarks=true`
  await stream({ method: 'GET', path, accept: METADATA, origin: 'page', signal }, (line) => {
    const { type, object } = line as { type: string; object: Meta & { code?: number } }
    if (type === 'ERROR' || type === 'BOOKMARK') return
    if (type === 'DELETED') kind.objects.delete(keyOf(object))
    else put(kind, object, Date.now())
    publish(kind)
    const { resourceVersion } = object.metadata
    if (Number(resourceVersion) > Number(useCluster.getState().revision || 0)) useCluster.setState({ revision: resourceVersion })
  })
}

const keyOf = ({ metadata }: Meta): string => `${metadata.namespace ?? ''}/${metadata.name}`

function put(kind: TreeKind, item: Meta, changed: number): void {
  const { name, namespace = '', uid, resourceVersion, creationTimestamp = '', deletionTimestamp } = item.metadata
  kind.objects.set(keyOf(item), {
    namespace,
    name,
    uid,
    resourceVersion,
    created: creationTimestamp,
    deleting: deletionTimestamp !== undefined,
    changed,
  })
}
