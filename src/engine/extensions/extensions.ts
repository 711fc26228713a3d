/**
 * Serves custom resources as soon as their definitions are established. See
 * k8s.io/apiextensions-apiserver, pkg/controller.
 */

import { timestamp } from '../core/environment'
import { equalJson } from '../core/object'
import {
  CLEANUP_FINALIZER,
  DEFINITIONS,
  type Definition,
  isConditionTrue,
  storageVersionOf,
  withCondition,
} from '../kinds/apiextensions/definition'
import type { Engine } from '../registry/engine'
import { customStoragePrefix } from '../registry/resource'
import { deleteOwn, removeFinalizer, writeStatus } from '../registry/server-writes'
import type { StorageEvent } from '../storage/storage'
import { retryUntilDone } from '../time/retries'
import { RetryQueue } from '../time/retry-queue'
import { API_SERVICES, groupOf, registerVersions } from './api-services'
import type { Definitions } from './definitions'
import { statusAfterNaming, statusOfApproval, statusWhenEstablished } from './names'
import { WatchCaches } from './watch-caches'

/** @returns a function that stops it */
export async function startExtensions(
  engine: Engine,
  definitions: Definitions,
): Promise<() => void> {
  const extensions = new Extensions(engine, definitions)
  await extensions.start()
  return () => extensions.stop()
}

class Extensions {
  private stopped = false
  private readonly stops = new Map<string, () => void>()
  /** One at a time: names depend on each other. */
  private readonly settling: RetryQueue
  private readonly caches: WatchCaches

  constructor(
    private readonly engine: Engine,
    private readonly definitions: Definitions,
  ) {
    this.caches = new WatchCaches(engine)
    this.settling = new RetryQueue(engine, async (name) => {
      const definition = this.definitions.get(name)
      if (definition !== undefined) await this.settle(definition)
    })
  }

  async start(): Promise<void> {
    const { storage, log } = this.engine
    const { items, revision } = await storage.range(DEFINITIONS)
    if (this.stopped) return
    const present = new Set(items.map(({ object }) => object.metadata.name ?? ''))
    for (const { metadata } of [...this.definitions.all()])
      if (!present.has(metadata.name ?? '')) this.definitions.delete(metadata.name ?? '')
    for (const { object } of items) {
      // One definition must not prevent others.
      try {
        this.changed(object as Definition)
      } catch (error) {
        log.error(`the definition ${object.metadata.name} cannot be served`, error)
      }
    }
    const watcher = storage.watch(DEFINITIONS, revision, {
      event: (event) => this.event(event),
      end: (reason) => {
        if (reason === 'gone' && !this.stopped) this.startAgain()
      },
    })
    this.stops.set(DEFINITIONS, () => watcher.stop())
    this.followServices(revision)
  }

  private startAgain(): void {
    void retryUntilDone(
      this.engine,
      'following definitions',
      () => this.start(),
      () => this.stopped,
    )
  }

  /** Requeues definitions of changed APIServices. @param after the last handled revision */
  private followServices(after: number): void {
    const { storage } = this.engine
    this.stops.get(API_SERVICES)?.()
    const watcher = storage.watch(API_SERVICES, after, {
      event: ({ current: { object } }) => this.lookAtGroup(groupOf(object)),
      end: (reason) => {
        if (reason !== 'gone' || this.stopped) return
        const lookAtAll = async () => {
          const { revision } = await storage.range(API_SERVICES)
          for (const { spec } of this.definitions.all()) this.lookAtGroup(spec.group)
          if (!this.stopped) this.followServices(revision)
        }
        void retryUntilDone(this.engine, 'following APIServices', lookAtAll, () => this.stopped)
      },
    })
    this.stops.set(API_SERVICES, () => watcher.stop())
  }

  private lookAtGroup(group: string | undefined): void {
    for (const { spec, metadata } of this.definitions.all())
      if (spec.group === group) this.lookAt(metadata.name ?? '')
  }

  stop(): void {
    this.stopped = true
    this.settling.stop()
    this.caches.stopAll()
    for (const stop of this.stops.values()) stop()
    this.stops.clear()
  }

  private event({ type, current }: StorageEvent): void {
    const definition = current.object as Definition
    if (type !== 'DELETED') {
      this.changed(definition)
      return
    }
    const name = definition.metadata.name ?? ''
    this.definitions.delete(name)
    this.caches.stop(name)
    this.endWatches(definition)
    this.stops.get(name)?.()
    this.stops.delete(name)
    registerVersions(this.engine, definition, this.definitions.all()).catch((error: unknown) =>
      this.engine.log.error(`the versions of ${name} are still registered`, error),
    )
    this.lookAtOthers(definition)
  }

  private changed(definition: Definition): void {
    const before = this.definitions.get(definition.metadata.name ?? '')
    this.definitions.set(definition)
    if (before === undefined || !describesTheSame(before, definition)) this.caches.look(definition)
    if (before !== undefined && !describesTheSame(before, definition)) this.endWatches(definition)
    this.lookAt(definition.metadata.name ?? '')
  }

  /** As in kube-apiserver, clients watch again and get the current definition, or a 404. */
  private endWatches({ spec }: Definition): void {
    const { watches, wallClock } = this.engine
    const prefix = customStoragePrefix(spec.group, spec.names.plural)
    const ends = [...watches.open].flatMap(([end, { resource }]) =>
      resource.prefix === prefix ? [end] : [],
    )
    if (ends.length === 0) return
    wallClock.after(WATCHES_END_MILLISECONDS, () => {
      for (const end of ends) if (watches.open.has(end)) end()
    })
  }

  /** Other definitions may want the released names. */
  private lookAtOthers({ spec, metadata }: Definition): void {
    for (const other of this.definitions.all()) {
      if (other.spec.group === spec.group && other.metadata.name !== metadata.name)
        this.lookAt(other.metadata.name ?? '')
    }
  }

  private lookAt(name: string): void {
    this.settling.add(name)
  }

  /** The write triggers the next step. */
  private async settle(definition: Definition): Promise<void> {
    const now = timestamp(this.engine.clock.now())
    await registerVersions(this.engine, definition, this.definitions.all())
    if (definition.metadata.deletionTimestamp) {
      await this.clearAway(definition, now)
      return
    }
    const approved = statusOfApproval(definition, now)
    if (approved !== undefined) {
      await writeStatus(this.engine, definition, approved)
      return
    }
    const named = statusAfterNaming(definition, this.definitions.all(), now)
    if (named !== undefined) {
      if (await writeStatus(this.engine, definition, named)) this.lookAtOthers(definition)
      return
    }
    const established = statusWhenEstablished(definition, now)
    if (established !== undefined) await writeStatus(this.engine, definition, established)
  }

  /** Recording `crd-def-cleanup`. */
  private async clearAway(definition: Definition, now: string): Promise<void> {
    const { engine } = this
    if (!definition.metadata.finalizers?.includes(CLEANUP_FINALIZER)) return
    const going = withCondition(
      definition.status,
      { type: 'Terminating', status: 'True', ...IN_PROGRESS },
      now,
    )
    const condition = definition.status.conditions?.find(({ type }) => type === 'Terminating')
    if (condition?.reason !== IN_PROGRESS.reason) {
      await writeStatus(engine, definition, going)
      return
    }
    const established = isConditionTrue(definition, 'Established')
    if (established && !(await this.withoutObjects(definition))) return
    const done = withCondition(
      definition.status,
      { type: 'Terminating', status: 'False', ...(established ? COMPLETED : NEVER_ESTABLISHED) },
      now,
    )
    await removeFinalizer(engine, definition, CLEANUP_FINALIZER, done)
  }

  /** False: retry some seconds later, as in kube-apiserver (recording `crd-basics`). */
  private async withoutObjects({ spec, metadata }: Definition): Promise<boolean> {
    const { engine } = this
    const { storage, clock } = engine
    const prefix = customStoragePrefix(spec.group, spec.names.plural)
    const name = metadata.name ?? ''
    // The stored version needs no conversion.
    const served = engine.resources.anyVersion(spec.group, spec.names.plural)
    const resource = served?.versions?.get(storageVersionOf({ spec })) ?? served
    const { items } = await storage.range(prefix)
    for (const { object } of items)
      if (resource !== undefined && !object.metadata.deletionTimestamp)
        await deleteOwn(engine, resource, object)
    if ((await storage.count(prefix)) === 0) return true
    this.stops.get(name)?.()
    this.stops.set(
      name,
      clock.after(CLEANUP_MILLISECONDS, () => this.lookAt(name)),
    )
    return false
  }
}

const CLEANUP_MILLISECONDS = 5000
const WATCHES_END_MILLISECONDS = 1000

const describesTheSame = (before: Definition, after: Definition): boolean =>
  equalJson(before.spec, after.spec) &&
  equalJson(before.status?.acceptedNames, after.status?.acceptedNames)

/** See k8s.io/apiextensions-apiserver, pkg/controller/finalizer. */
const COMPLETED = { reason: 'InstanceDeletionCompleted', message: 'removed all instances' }
const NEVER_ESTABLISHED = { reason: 'NeverEstablished', message: 'resource was never established' }
const IN_PROGRESS = {
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
}
