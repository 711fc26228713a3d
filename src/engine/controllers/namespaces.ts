/**
 * Deletes the content of namespaces that are being deleted. Recorded from kube-controller-manager
 * 1.31.
 */
import type { Namespace, NamespaceCondition } from 'kubernetes-types/core/v1'
import { timestamp } from '../core/environment'
import { draftOf, type KubeObject } from '../core/object'
import { ApiError } from '../http/status'
import { type Resource, storageRange } from '../registry/resource'
import { type Client, type DeleteOptions, isNotFound } from './runtime/client'
import type { Controller, Manager } from './runtime/manager'
import type { Stored } from './runtime/stored'

const FINALIZER = 'kubernetes'
const NAME = 'namespace-controller'
/** Discovery is retried after the first delay, doubled up to the longest. */
const FIRST_RETRY_MILLISECONDS = 5
const LONGEST_RETRY_MILLISECONDS = 60_000

export const namespaces: Controller = {
  name: NAME,
  run(manager) {
    const informer = manager.informer<Namespace>('', 'namespaces')
    const client = manager.client(NAME)
    const terminating = new Set<string>()
    const retries = new Map<string, number>()
    const queue = manager.queue(NAME, async (key) => {
      const namespace = informer.get(key)
      if (
        !namespace?.metadata.deletionTimestamp ||
        !namespace.spec?.finalizers?.includes(FINALIZER)
      )
        return
      const unheard = unknownVersions(manager)
      await empty(manager, client, namespace, unheard)
      const tried = retries.get(key) ?? 0
      if (unheard.length === 0) retries.delete(key)
      else retries.set(key, tried + 1)
      if (unheard.length > 0)
        queue.addAfter(
          key,
          Math.min(FIRST_RETRY_MILLISECONDS * 2 ** tried, LONGEST_RETRY_MILLISECONDS),
        )
    })
    informer.onChange(({ type, key, object }) => {
      const going = type !== 'DELETED' && Boolean(object.metadata.deletionTimestamp)
      if (going) terminating.add(key)
      else terminating.delete(key)
      if (going) queue.add(key)
    })
    manager.onEveryChange(({ type, current: { object } }) => {
      const { namespace } = object.metadata
      if (type === 'DELETED' && namespace !== undefined && terminating.has(namespace))
        queue.add(namespace)
    })
  },
}

/** The namespace may have objects in versions without discovery. */
function unknownVersions(manager: Manager): string[] {
  return [...manager.engine.remotes.all()]
    .filter(({ available, resources }) => !available || resources === undefined)
    .map(({ group, version }) => `${group}/${version}`)
    .sort()
}

/** @param unheard versions without discovery keep the namespace */
async function empty(
  manager: Manager,
  client: Client,
  namespace: Stored<Namespace>,
  unheard: readonly string[],
): Promise<void> {
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
  draft.status = {
    ...draft.status,
    conditions: conditions(namespace.status?.conditions ?? [], found, timestamp(manager.now())),
  }
  try {
    const updated = await client.update<Namespace>(draft, 'status')
    const [failure] = failures
    if (failure !== undefined) throw failure
    if (remaining.size > 0 || unheard.length > 0) return
    const spec = {
      ...updated.spec,
      finalizers: updated.spec?.finalizers?.filter((finalizer) => finalizer !== FINALIZER) ?? [],
    }
    await client.update({ ...draftOf(updated), spec }, 'finalize')
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** Background propagation neither waits for dependents nor orphans them. */
async function remove(
  client: Client,
  resource: Resource,
  namespace: string,
  content: readonly KubeObject[],
): Promise<void> {
  const options: DeleteOptions = { propagationPolicy: 'Background' }
  const { apiVersion, kind } = resource
  if (resource.verbs.includes('deletecollection'))
    return client.deleteAll({ apiVersion, kind, metadata: { namespace } }, options)
  for (const object of content)
    if (!object.metadata.deletionTimestamp) await client.delete(object, options)
}

/** Namespaced resources with list and delete, one per storage prefix. */
function emptied(manager: Manager): Resource[] {
  const found = new Map<string, Resource>()
  for (const resource of manager.engine.resources.all()) {
    if (
      resource.namespaced &&
      resource.verbs.includes('list') &&
      resource.verbs.includes('delete') &&
      !found.has(resource.prefix)
    )
      found.set(resource.prefix, resource)
  }
  return [...found.values()]
}

async function contentOf(
  manager: Manager,
  resource: Resource,
  namespace: string,
): Promise<KubeObject[]> {
  const { items } = await manager.engine.storage.range(storageRange(resource, namespace))
  return items.map(({ object }) => object)
}

interface Found {
  remaining: Map<string, KubeObject[]>
  unheard: readonly string[]
  failures: readonly string[]
}

interface Finding {
  type: string
  remains?: [reason: string, message: string] | undefined
  done: [reason: string, message: string]
}

function conditions(
  present: NamespaceCondition[],
  { remaining, unheard, failures }: Found,
  now: string,
): NamespaceCondition[] {
  const finalizers = new Map<string, number>()
  for (const object of [...remaining.values()].flat()) {
    for (const finalizer of object.metadata.finalizers ?? [])
      finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1)
  }
  const counts = [...remaining].map(([resource, objects]): [string, number] => [
    resource,
    objects.length,
  ])
  const findings: Finding[] = [
    {
      type: 'NamespaceDeletionDiscoveryFailure',
      remains: discoveryFailure(unheard),
      done: ['ResourcesDiscovered', 'All resources successfully discovered'],
    },
    {
      type: 'NamespaceDeletionGroupVersionParsingFailure',
      done: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'],
    },
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
      remains: listing(
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: ',
        [...finalizers],
        ' in ',
      ),
      done: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    },
  ]
  return findings.map(({ type, remains, done }) => {
    const [reason, message] = remains ?? done
    const status = remains ? 'True' : 'False'
    const before = present.find((condition) => condition.type === type)
    const lastTransitionTime =
      before?.status === status && before.reason === reason ? before.lastTransitionTime : now
    return { type, status, lastTransitionTime, reason, message } as NamespaceCondition
  })
}

function listing(
  reason: string,
  opening: string,
  counts: [string, number][],
  between: string,
): [string, string] | undefined {
  if (counts.length === 0) return undefined
  const lines = counts.map(([what, count]) => `${what}${between}${count} resource instances`)
  return [reason, opening + lines.sort().join(', ')]
}

function discoveryFailure(unheard: readonly string[]): [string, string] | undefined {
  if (unheard.length === 0) return undefined
  const versions = [...unheard]
    .sort()
    .map((version) => `${version}: stale GroupVersion discovery: ${version}`)
  const why = `unable to retrieve the complete list of server APIs: ${versions.join(', ')}`
  return ['DiscoveryFailed', `Discovery failed for some groups, ${unheard.length} failing: ${why}`]
}

function deletionFailure(failures: readonly string[]): [string, string] | undefined {
  if (failures.length === 0) return undefined
  const why = [...failures].sort().join(', ')
  return [
    'ContentDeletionFailed',
    `Failed to delete all resource types, ${failures.length} remaining: ${why}`,
  ]
}
