/**
 * Empties a namespace that is going away, says in its conditions what remains, and lets it go when nothing does (recorded:
 * cluster-namespaces).
 */
import type { Namespace, NamespaceCondition } from 'kubernetes-types/core/v1'
import { timestamp } from '../environment'
import { ApiError } from '../http/status'
import { draftOf, type KubeObject } from '../object'
import { type Resource, storageRange } from '../registry/resource'
import { type Client, type DeleteOptions, isNotFound } from './runtime/client'
import type { Controller, Manager } from './runtime/manager'
import type { Stored } from './runtime/stored'

const FINALIZER = 'kubernetes'
const NAME = 'namespace-controller'

export const namespaces: Controller = {
  name: NAME,
  run(manager) {
    const informer = manager.informer<Namespace>('', 'namespaces')
    const services = manager.informer<Service>('apiregistration.k8s.io', 'apiservices')
    const client = manager.client(NAME)
    const terminating = new Set<string>()
    const queue = manager.queue(NAME, async (key) => {
      const namespace = informer.get(key)
      if (!namespace?.metadata.deletionTimestamp || !namespace.spec?.finalizers?.includes(FINALIZER)) return
      await empty(manager, client, namespace, [...services.list()].filter(isSilent).map(versionOf))
    })
    // A namespace may hold what only another server knows of.
    services.onChange(() => {
      for (const key of terminating) queue.add(key)
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

async function empty(manager: Manager, client: Client, namespace: Stored<Namespace>, unheard: readonly string[]): Promise<void> {
  const { metadata } = namespace
  const name = metadata.name ?? ''
  const resources = emptied(manager)
  const failures: ApiError[] = []
  for (const resource of resources) {
    const content = await contentOf(manager, resource, name)
    if (content.every((object) => object.metadata.deletionTimestamp)) continue
    try {
      await remove(client, resource, name, content)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failures.push(error)
    }
  }
  const remaining = new Map<string, KubeObject[]>()
  for (const resource of resources) {
    const left = await contentOf(manager, resource, name)
    if (left.length > 0) remaining.set(`${resource.resource}.${resource.group}`, left)
  }
  const draft = draftOf(namespace) as Stored<Namespace>
  const found = { remaining, unheard, failures: failures.map(({ message }) => message) }
  draft.status = { ...draft.status, conditions: conditions(namespace.status?.conditions ?? [], found, timestamp(manager.now())) }
  try {
    const updated = await client.update<Namespace>(draft, 'status')
    const [failure] = failures
    if (failure !== undefined) throw failure
    if (remaining.size > 0 || unheard.length > 0) return
    const spec = { ...updated.spec, finalizers: updated.spec?.finalizers?.filter((finalizer) => finalizer !== FINALIZER) ?? [] }
    await client.update({ ...draftOf(updated), spec }, 'finalize')
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** All at once where the kind allows that; what depends on the objects is not to be waited for, nor to be let go. */
async function remove(client: Client, resource: Resource, namespace: string, content: readonly KubeObject[]): Promise<void> {
  const options: DeleteOptions = { propagationPolicy: 'Background' }
  const { apiVersion, kind } = resource
  if (resource.verbs.includes('deletecollection')) return client.deleteAll({ apiVersion, kind, metadata: { namespace } }, options)
  for (const object of content) if (!object.metadata.deletionTimestamp) await client.delete(object, options)
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

/** What of an APIService counts here. */
interface Service {
  spec?: { group?: string; version?: string; service?: object }
  status?: { conditions?: { type: string; status: string }[] }
}

/** Another server that is to serve a version and does not. */
const isSilent = ({ spec, status }: Service): boolean =>
  spec?.service !== undefined && !status?.conditions?.some(({ type, status: state }) => type === 'Available' && state === 'True')
const versionOf = ({ spec }: Service): string => [spec?.group, spec?.version].filter(Boolean).join('/')

/** What stands in the way of a namespace's end. */
interface Found {
  remaining: Map<string, KubeObject[]>
  /** Versions that cannot be asked for what they have. */
  unheard: readonly string[]
  /** Why something could not be deleted. */
  failures: readonly string[]
}

interface Finding {
  type: string
  /** What remains; none: all is well. */
  remains?: [reason: string, message: string] | undefined
  done: [reason: string, message: string]
}

function conditions(present: NamespaceCondition[], { remaining, unheard, failures }: Found, now: string): NamespaceCondition[] {
  const finalizers = new Map<string, number>()
  for (const object of [...remaining.values()].flat()) {
    for (const finalizer of object.metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1)
  }
  const counts = [...remaining].map(([resource, objects]): [string, number] => [resource, objects.length])
  const findings: Finding[] = [
    {
      type: 'NamespaceDeletionDiscoveryFailure',
      remains: discoveryFailure(unheard),
      done: ['ResourcesDiscovered', 'All resources successfully discovered'],
    },
    { type: 'NamespaceDeletionGroupVersionParsingFailure', done: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'] },
    {
      type: 'NamespaceDeletionContentFailure',
      remains: deletionFailure(failures),
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

function discoveryFailure(unheard: readonly string[]): [string, string] | undefined {
  if (unheard.length === 0) return undefined
  const versions = [...unheard].sort().map((version) => `${version}: stale GroupVersion discovery: ${version}`)
  const why = `unable to retrieve the complete list of server APIs: ${versions.join(', ')}`
  return ['DiscoveryFailed', `Discovery failed for some groups, ${unheard.length} failing: ${why}`]
}

function deletionFailure(failures: readonly string[]): [string, string] | undefined {
  if (failures.length === 0) return undefined
  const why = [...failures].sort().join(', ')
  return ['ContentDeletionFailed', `Failed to delete all resource types, ${failures.length} remaining: ${why}`]
}
