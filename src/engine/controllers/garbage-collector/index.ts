/**
 * Recorded from kube-controller-manager 1.31.
 * https://kubernetes.io/docs/concepts/architecture/garbage-collection/
 */
import { type KubeObject, type OwnerReference, parseApiVersion } from '../../core/object'
import { storageKey } from '../../registry/resource'
import type { StorageEvent } from '../../storage/storage'
import { type Client, type DeleteOptions, isConflict, isNotFound } from '../runtime/client'
import type { Recorder } from '../runtime/events'
import type { Controller, Manager } from '../runtime/manager'
import type { Queue } from '../runtime/queue'
import { Dependents, referenceTo } from './dependents'

const FOREGROUND = 'foregroundDeletion'
const ORPHAN = 'orphan'
const NAME = 'garbage-collector-controller'
/** Events have no owners and are too many to track. */
const IGNORED = '/registry/events/'
const DEFINITIONS = '/registry/apiextensions.k8s.io/customresourcedefinitions/'

type Owner =
  /** Does not wait for dependents. */
  | 'solid'
  | 'absent'
  /** Waits for its dependents. */
  | 'waiting'
  /** The kind is not served, or not at the reference's scope. */
  | 'unknown'

export const garbageCollector: Controller = {
  name: NAME,
  run(manager) {
    const collector = new GarbageCollector(manager)
    manager.onEveryChange((event) => collector.follow(event))
  },
}

class GarbageCollector {
  private readonly dependents = new Dependents()
  private readonly client: Client
  private readonly recorder: Recorder
  private readonly queue: Queue
  /** Objects with owners of unknown kinds, which new CustomResourceDefinitions may resolve. */
  private readonly undecided = new Set<string>()
  /** References already reported by an event. */
  private readonly reported = new Set<string>()

  constructor(private readonly manager: Manager) {
    this.client = manager.client('generic-garbage-collector')
    this.recorder = manager.recorder(this.client, NAME)
    this.queue = manager.queue(NAME, (key) => this.sync(key))
  }

  follow({ type, key, current: { object }, previous }: StorageEvent): void {
    if (key.startsWith(IGNORED)) return
    const { metadata } = object
    const before = previous?.object
    const gone = type === 'DELETED'
    if (metadata.ownerReferences || before?.metadata.ownerReferences)
      this.dependents.follow(key, gone ? undefined : object, before)
    if (key.startsWith(DEFINITIONS)) for (const other of this.undecided) this.queue.add(other)
    if (gone || startsWaiting(object, before))
      for (const dependent of this.dependents.of(metadata.uid)) this.queue.add(dependent.key)
    if (!gone && (metadata.ownerReferences || metadata.deletionTimestamp)) this.queue.add(key)
    // Owners that wait for this object or a removed reference.
    for (const { metadata: held } of before ? [object, before] : [object]) {
      for (const owner of held.ownerReferences ?? []) {
        const found = this.keyOf(owner, held.namespace)
        if (found !== undefined && (gone || metadata.deletionTimestamp || before !== undefined))
          this.queue.add(found)
      }
    }
  }

  private async sync(key: string): Promise<void> {
    const stored = await this.manager.engine.storage.get(key)
    if (stored === undefined) return
    const { object } = stored
    const { deletionTimestamp, finalizers = [] } = object.metadata
    if (deletionTimestamp && finalizers.includes(ORPHAN)) await this.release(object)
    else if (deletionTimestamp && finalizers.includes(FOREGROUND))
      await this.finishForeground(object)
    else if (!deletionTimestamp && object.metadata.ownerReferences?.length)
      await this.attemptToDelete(key, object)
  }

  private async release(owner: KubeObject): Promise<void> {
    for (const { object } of this.dependents.of(owner.metadata.uid))
      await this.setOwners(object, (uid) => uid !== owner.metadata.uid)
    await this.removeFinalizer(owner, ORPHAN)
  }

  private async finishForeground(owner: KubeObject): Promise<void> {
    const blocking = this.dependents
      .of(owner.metadata.uid)
      .filter(({ object }) => referenceTo(object, owner.metadata.uid)?.blockOwnerDeletion)
    if (blocking.length === 0) await this.removeFinalizer(owner, FOREGROUND)
    else for (const { key, object } of blocking) if (!isWaiting(object)) this.queue.add(key)
  }

  /** With an existing owner, only removes references to absent ones. */
  private async attemptToDelete(key: string, object: KubeObject): Promise<void> {
    const owners = new Map<string, Owner>()
    for (const reference of object.metadata.ownerReferences ?? [])
      owners.set(reference.uid, await this.stateOf(reference, object))
    const all = [...owners.values()]
    if (all.includes('unknown')) {
      this.undecided.add(key)
      return
    }
    this.undecided.delete(key)
    if (all.includes('solid')) {
      if (all.some((state) => state !== 'solid'))
        await this.setOwners(object, (uid) => owners.get(uid) === 'solid')
      return
    }
    const dependents = this.dependents.of(object.metadata.uid)
    if (all.includes('waiting') && dependents.length > 0) {
      if (dependents.some(({ object: other }) => isWaiting(other))) await this.unblock(object)
      await this.remove(object, 'Foreground')
    } else {
      const { finalizers = [] } = object.metadata
      await this.remove(
        object,
        finalizers.includes(ORPHAN)
          ? 'Orphan'
          : finalizers.includes(FOREGROUND)
            ? 'Foreground'
            : 'Background',
      )
    }
  }

  private async stateOf(reference: OwnerReference, dependent: KubeObject): Promise<Owner> {
    const { group, version } = parseApiVersion(reference.apiVersion)
    const resource = this.manager.engine.resources.byKind(group, version, reference.kind)
    if (resource === undefined) return 'unknown'
    const { namespace = '' } = dependent.metadata
    if (resource.namespaced && namespace === '') {
      this.complain(reference, dependent)
      return 'unknown'
    }
    const stored = await this.manager.engine.storage.get(
      storageKey(resource, namespace, reference.name),
    )
    if (stored === undefined || stored.object.metadata.uid !== reference.uid) {
      if (resource.namespaced && (await this.livesElsewhere(resource.prefix, reference, namespace)))
        this.complain(reference, dependent)
      return 'absent'
    }
    return isWaiting(stored.object) ? 'waiting' : 'solid'
  }

  private async livesElsewhere(
    prefix: string,
    { name, uid }: OwnerReference,
    namespace: string,
  ): Promise<boolean> {
    const { items } = await this.manager.engine.storage.range(prefix)
    return items.some(
      ({ object: { metadata } }) =>
        metadata.uid === uid && metadata.name === name && metadata.namespace !== namespace,
    )
  }

  private complain({ apiVersion, kind, name, uid }: OwnerReference, dependent: KubeObject): void {
    const { namespace = '', uid: about = '', name: who = '' } = dependent.metadata
    if (this.reported.has(`${about} ${uid}`)) return
    this.reported.add(`${about} ${uid}`)
    const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`
    const involved = {
      kind: dependent.kind,
      namespace,
      name: who,
      uid: about,
      apiVersion: dependent.apiVersion,
    }
    this.recorder.event(
      involved,
      'Warning',
      'OwnerRefInvalidNamespace',
      `ownerRef ${owner} does not exist in namespace ${JSON.stringify(namespace)}`,
    )
  }

  /** Breaks cycles of foreground deletion. */
  private async unblock(object: KubeObject): Promise<void> {
    const { ownerReferences = [], resourceVersion } = object.metadata
    const freed = ownerReferences.map((reference) =>
      reference.blockOwnerDeletion ? { ...reference, blockOwnerDeletion: false } : reference,
    )
    await this.patch(object, { resourceVersion, ownerReferences: freed })
  }

  private async setOwners(object: KubeObject, keeps: (uid: string) => boolean): Promise<void> {
    const { ownerReferences = [], resourceVersion } = object.metadata
    const left = ownerReferences.filter(({ uid }) => keeps(uid))
    await this.patch(object, { resourceVersion, ownerReferences: left.length > 0 ? left : null })
  }

  private async removeFinalizer(object: KubeObject, finalizer: string): Promise<void> {
    const { finalizers = [], resourceVersion } = object.metadata
    const left = finalizers.filter((other) => other !== finalizer)
    await this.patch(object, { resourceVersion, finalizers: left.length > 0 ? left : null })
  }

  private async patch(object: KubeObject, metadata: object): Promise<void> {
    try {
      await this.client.merge(object, { metadata })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  private async remove(
    object: KubeObject,
    propagationPolicy: DeleteOptions['propagationPolicy'] & string,
  ): Promise<void> {
    const { uid, resourceVersion } = object.metadata
    try {
      await this.client.delete(object, {
        propagationPolicy,
        preconditions: { uid, resourceVersion },
      })
    } catch (error) {
      // That change queues it again.
      if (!isConflict(error)) throw error
    }
  }

  private keyOf({ apiVersion, kind, name }: OwnerReference, namespace = ''): string | undefined {
    const { group, version } = parseApiVersion(apiVersion)
    const resource = this.manager.engine.resources.byKind(group, version, kind)
    return resource && storageKey(resource, namespace, name)
  }
}

/** Foreground deletion waits for dependents. */
const isWaiting = ({ metadata }: KubeObject): boolean =>
  Boolean(metadata.deletionTimestamp) && (metadata.finalizers?.includes(FOREGROUND) ?? false)

const startsWaiting = (object: KubeObject, before: KubeObject | undefined): boolean =>
  isWaiting(object) && !(before !== undefined && isWaiting(before))
