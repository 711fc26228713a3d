/**
 * Empties a namespace that is going away, says in its conditions what remains, and lets it go when nothing does (recorded:
 * cluster-namespaces).
 */
import type { Namespace, NamespaceCondition } from 'kubernetes-types/core/v1'
import { timestamp } from '../environment'
import { draftOf, type KubeObject } from '../object'
import { type Resource, storageRange } from '../registry/resource'
import { type Client, isNotFound } from './runtime/client'
import type { Controller, Manager } from './runtime/manager'
import type { Stored } from './runtime/stored'

const FINALIZER = 'kubernetes'
const NAME = 'namespace-controller'

export const namespaces: Controller = {
  name: NAME,
  run(manager) {
    const informer = manager.informer<Namespace>('', 'namespaces')
    const client = manager.client(NAME)
    const terminating = new Set<string>()
    const queue = manager.queue(NAME, async (key) => {
      const namespace = informer.get(key)
      if (namespace?.metadata.deletionTimestamp && namespace.spec?.finalizers?.includes(FINALIZER)) await empty(manager, client, namespace)
    })
    informer.onChange(({ type, key, object }) => {
      const going = type !== 'DELETED' && Boolean(object.metadata.deletionTimestamp)
      if (going) terminating.add(key)
      else terminating.delete(key)
      if (going) queue.add(key)
    })
    manager.onEveryChange(({ type, current: { object } }) => {
      const { namespace } = object.metadata
      if (type === 'DELETED' && namespace !== undefined && terminating.has(namespace)) queue.add(namespace)
    })
  },
}

async function empty(manager: Manager, client: Client, namespace: Stored<Namespace>): Promise<void> {
  const { metadata } = namespace
  const name = metadata.name ?? ''
  const resources = emptied(manager)
  for (const resource of resources) {
    for (const object of await contentOf(manager, resource, name)) if (!object.metadata.deletionTimestamp) await client.delete(object, {})
  }
  const remaining = new Map<string, KubeObject[]>()
  for (const resource of resources) {
    const left = await contentOf(manager, resource, name)
    if (left.length > 0) remaining.set(`${resource.resource}.${resource.group}`, left)
  }
  const draft = draftOf(namespace) as Stored<Namespace>
  draft.status = { ...draft.status, conditions: conditions(namespace.status?.conditions ?? [], remaining, timestamp(manager.now())) }
  try {
    const updated = await client.update<Namespace>(draft, 'status')
    if (remaining.size > 0) return
    const spec = { ...updated.spec, finalizers: updated.spec?.finalizers?.filter((finalizer) => finalizer !== FINALIZER) ?? [] }
    await client.update({ ...draftOf(updated), spec }, 'finalize')
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** Everything in a namespace that can be listed and deleted, each stored kind once. */
function emptied(manager: Manager): Resource[] {
  const found = new Map<string, Resource>()
  for (const resource of manager.engine.resources.all()) {
    if (resource.namespaced && resource.verbs.includes('list') && resource.verbs.includes('delete') && !found.has(resource.prefix))
      found.set(resource.prefix, resource)
  }
  return [...found.values()]
}

async function contentOf(manager: Manager, resource: Resource, namespace: string): Promise<KubeObject[]> {
  const { items } = await manager.engine.storage.range(storageRange(resource, namespace))
  return items.map(({ object }) => object)
}

interface Finding {
  type: string
  /** What remains; none: all is well. */
  remains?: [reason: string, message: string] | undefined
  done: [reason: string, message: string]
}

function conditions(present: NamespaceCondition[], remaining: Map<string, KubeObject[]>, now: string): NamespaceCondition[] {
  const finalizers = new Map<string, number>()
  for (const object of [...remaining.values()].flat()) {
    for (const finalizer of object.metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1)
  }
  const counts = [...remaining].map(([resource, objects]): [string, number] => [resource, objects.length])
  const findings: Finding[] = [
    { type: 'NamespaceDeletionDiscoveryFailure', done: ['ResourcesDiscovered', 'All resources successfully discovered'] },
    { type: 'NamespaceDeletionGroupVersionParsingFailure', done: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'] },
    {
      type: 'NamespaceDeletionContentFailure',
      done: ['ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    },
    {
      type: 'NamespaceContentRemaining',
      remains: listing('SomeResourcesRemain', 'Some resources are remaining: ', counts, ' has '),
      done: ['ContentRemoved', 'All content successfully removed'],
    },
    {
      type: 'NamespaceFinalizersRemaining',
      remains: listing('SomeFinalizersRemain', 'Some content in the namespace has finalizers remaining: ', [...finalizers], ' in '),
      done: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    },
  ]
  return findings.map(({ type, remains, done }) => {
    const [reason, message] = remains ?? done
    const status = remains ? 'True' : 'False'
    const before = present.find((condition) => condition.type === type)
    const lastTransitionTime = before?.status === status && before.reason === reason ? before.lastTransitionTime : now
    return { type, status, lastTransitionTime, reason, message } as NamespaceCondition
  })
}

function listing(reason: string, opening: string, counts: [string, number][], between: string): [string, string] | undefined {
  if (counts.length === 0) return undefined
  const lines = counts.map(([what, count]) => `${what}${between}${count} resource instances`)
  return [reason, opening + lines.sort().join(', ')]
}
