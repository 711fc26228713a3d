/** Creates and deletes the Pods of a DaemonSet. Recorded from kube-controller-manager 1.31. */

import type { DaemonSet, DaemonSetStatus } from 'kubernetes-types/apps/v1'
import type { Node, Pod } from 'kubernetes-types/core/v1'
import { append } from '../../core/lists'
import { draftOf, equalJson } from '../../core/object'
import { alreadyExists, type Client, isNotFound } from '../runtime/client'
import type { Recorder } from '../runtime/events'
import type { Informer } from '../runtime/informer'
import type { Manager } from '../runtime/manager'
import { keyOf, type Stored } from '../runtime/stored'
import { resolved } from '../shared/int-or-percent'
import { claimed } from '../shared/ownership'
import { each, makePod, removePod, slowStartBatch } from '../shared/pod-control'
import { hasEnded, isAvailable, isReady, nextAvailable } from '../shared/pods'
import {
  inOrder,
  newRevision,
  nextRevision,
  type Revision,
  revisionData,
  sameData,
} from '../shared/revisions'
import { requirementsOf } from '../shared/selectors'
import { templateHash } from '../shared/template-hash'
import type { Backoff } from './backoff'
import {
  daemonPod,
  type Fit,
  fitsOf,
  GENERATION,
  GENERATION_LABEL,
  HASH_LABEL,
  nodeOf,
} from './pods'

export interface Context {
  manager: Manager
  client: Client
  recorder: Recorder
  sets: Informer<DaemonSet>
  pods: Informer<Pod>
  nodes: Informer<Node>
  revisions: Informer<Revision>
  backoff: Backoff
}

/** Pods created or deleted per step. */
const BURST = 250

export class DaemonSetControl {
  private hash = ''
  private later: number | undefined
  /** Each node with its fit at the start of the sync. */
  private fits: Map<Stored<Node>, Fit> = new Map()
  /** Pods that may run in addition while they replace others. */
  private surge = 0

  constructor(
    private readonly context: Context,
    private set: Stored<DaemonSet>,
  ) {}

  /** @returns milliseconds until the next sync; undefined: on changes only */
  async run(): Promise<number | undefined> {
    const selector = requirementsOf(this.set.spec?.selector)
    if (selector === undefined || selector.length === 0 || this.set.metadata.deletionTimestamp)
      return undefined
    const { client, nodes, revisions } = this.context
    this.fits = fitsOf(this.set, nodes.list())
    const { maxSurge } = this.set.spec?.updateStrategy?.rollingUpdate ?? {}
    this.surge = resolved(maxSurge, this.eligible().length, 'up')
    const known = inOrder(
      await claimed({ client, owner: this.set, selector }, [
        ...revisions.list(this.set.metadata.namespace),
      ]),
    )
    const current = await this.currentRevision(known)
    this.hash = current.metadata.labels?.[HASH_LABEL] ?? ''
    // Runs even after a failure, to update the status.
    const failure = await this.arrange().catch((error: unknown) => ({ error }))
    const pods = await this.ownPods()
    if (failure === undefined) await this.cleanUp(known, pods)
    await this.writeStatus(pods)
    if (failure !== undefined) throw failure.error
    const available = nextAvailable(
      [...pods.values()].flat(),
      this.set.spec?.minReadySeconds ?? 0,
      this.now(),
    )
    return available === undefined ? this.later : Math.min(available, this.later ?? available)
  }

  private async arrange(): Promise<undefined> {
    await this.manage(await this.ownPods())
    if (this.set.spec?.updateStrategy?.type === 'RollingUpdate')
      await this.roll(await this.ownPods())
    return undefined
  }

  private now(): number {
    return this.context.manager.now()
  }

  private available(pod: Stored<Pod>): boolean {
    return isAvailable(pod, this.set.spec?.minReadySeconds ?? 0, this.now())
  }

  private async currentRevision(known: Revision[]): Promise<Revision> {
    const { client } = this.context
    const template = this.set.spec?.template
    const present = sameData(known, template).at(-1)
    const others = known.filter((revision) => revision !== present)
    const revision = nextRevision(others)
    if (present)
      return present.revision < revision
        ? client.update({ ...draftOf(present), revision })
        : present
    const collisionCount = this.set.status?.collisionCount
    const given = newRevision({
      owner: this.set,
      template,
      revision,
      hash: templateHash(template, collisionCount),
      hashLabel: HASH_LABEL,
    })
    try {
      return await client.create(given)
    } catch (error) {
      if (!alreadyExists(error)) throw error
      const there = await client.get<Revision>(given)
      if (equalJson(there.data, revisionData(template))) return there
      const status = {
        ...(this.set.status as DaemonSetStatus),
        collisionCount: (collisionCount ?? 0) + 1,
      }
      await client.update({ ...draftOf(this.set), status }, 'status')
      throw error
    }
  }

  private async ownPods(): Promise<Map<string, Stored<Pod>[]>> {
    const { client, pods } = this.context
    const selector = requirementsOf(this.set.spec?.selector) ?? []
    const mine = await claimed<Pod>({ client, owner: this.set, selector }, [
      ...pods.list(this.set.metadata.namespace),
    ])
    const byNode = new Map<string, Stored<Pod>[]>()
    for (const pod of mine) {
      const node = nodeOf(pod)
      // A finished pod whose deletion is blocked does not occupy its node.
      if (node === undefined || (hasEnded(pod) && pod.metadata.deletionTimestamp)) continue
      const there = byNode.get(node)
      if (there) there.push(pod)
      else byNode.set(node, [pod])
    }
    return byNode
  }

  /** @returns the names of nodes that should run a pod */
  private eligible(): string[] {
    return [...this.fits]
      .filter(([, { shouldRun }]) => shouldRun)
      .map(([{ metadata }]) => metadata.name ?? '')
  }

  private async manage(pods: Map<string, Stored<Pod>[]>): Promise<void> {
    const create: string[] = []
    const remove: Stored<Pod>[] = []
    for (const [node, { shouldRun, mayStay }] of this.fits) {
      const name = node.metadata.name ?? ''
      const here = pods.get(name)
      if (here === undefined) {
        if (shouldRun) create.push(name)
      } else append(remove, mayStay ? this.superfluous(here, name) : here)
    }
    // Pods bound to a deleted node would wait forever.
    for (const [name, here] of pods) {
      if (this.context.nodes.get(name) === undefined)
        append(
          remove,
          here.filter(({ spec }) => !spec?.nodeName),
        )
    }
    await this.change({ create, remove })
  }

  /** With maxSurge, the old pod stays until it is unready or the new one is available. */
  private superfluous(here: Stored<Pod>[], node: string): Stored<Pod>[] {
    const present = here.filter(({ metadata }) => !metadata.deletionTimestamp)
    const ended = present.filter(
      (pod) => hasEnded(pod) && !(pod.status?.phase === 'Failed' && this.isTooEarly(node)),
    )
    for (const pod of ended) this.recordEnded(pod, node)
    const running = byAge(present.filter((pod) => !hasEnded(pod)))
    if (this.surge > 0) {
      const [current, ...otherCurrent] = running.filter((pod) => this.isCurrent(pod))
      const [old, ...otherOld] = running.filter((pod) => !this.isCurrent(pod))
      const replaced = current && old && (!isReady(old) || this.available(current)) ? [old] : []
      return [...ended, ...otherCurrent, ...otherOld, ...replaced]
    }
    return [...ended, ...running.slice(1)]
  }

  private isTooEarly(node: string): boolean {
    const wait = this.context.backoff.next(`${this.set.metadata.uid} ${node}`, this.now())
    if (wait > 0) this.later = Math.min(this.later ?? Number.POSITIVE_INFINITY, wait)
    return wait > 0
  }

  private recordEnded(pod: Stored<Pod>, node: string): void {
    const { namespace, name } = pod.metadata
    if (pod.status?.phase === 'Failed') {
      this.context.recorder.event(
        this.set,
        'Warning',
        'FailedDaemonPod',
        `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`,
      )
    } else {
      this.context.recorder.event(
        this.set,
        'Normal',
        'SucceededDaemonPod',
        `Found succeeded daemon pod ${namespace}/${name} on node ${node}, will try to delete it`,
      )
    }
  }

  private isCurrent({ metadata }: Stored<Pod>): boolean {
    const generation = this.set.metadata.annotations?.[GENERATION]
    return (
      (generation !== undefined && metadata.labels?.[GENERATION_LABEL] === generation) ||
      (this.hash !== '' && metadata.labels?.[HASH_LABEL] === this.hash)
    )
  }

  private async roll(pods: Map<string, Stored<Pod>[]>): Promise<void> {
    const wanted = this.eligible()
    const generationsOn = (nodes: Iterable<string>) =>
      [...nodes].map((node) => ({ node, ...this.generations(pods.get(node) ?? []) }))
    if (this.surge > 0) return this.rollBySurge(generationsOn(wanted))
    const most = resolved(
      this.set.spec?.updateStrategy?.rollingUpdate?.maxUnavailable,
      wanted.length,
      'up',
    )
    let unavailable = 0
    const broken: Stored<Pod>[] = []
    const candidates: Stored<Pod>[] = []
    // Includes nodes that should not run a pod.
    for (const { current, old, clear } of generationsOn(new Set([...wanted, ...pods.keys()]))) {
      if (!clear || (current === undefined) === (old === undefined)) unavailable++
      else if (current) unavailable += this.available(current) ? 0 : 1
      else if (old && !this.available(old)) {
        // Replaces unavailable old pods first and counts them (Kubernetes 1.31 release notes).
        broken.push(old)
        unavailable++
      } else if (old) candidates.push(old)
    }
    await this.change({
      remove: [...broken, ...candidates.slice(0, Math.max(0, most - unavailable))],
    })
  }

  private async rollBySurge(onNodes: ({ node: string } & Generations)[]): Promise<void> {
    let surging = 0
    const remove: Stored<Pod>[] = []
    const broken: string[] = []
    const candidates: string[] = []
    for (const { node, current, old, clear } of onNodes) {
      if (!clear) surging++
      if (!clear || old === undefined) continue
      if (current === undefined) (this.available(old) ? candidates : broken).push(node)
      else if (this.available(current)) remove.push(old)
      else surging++
    }
    await this.change({
      create: [...broken, ...candidates.slice(0, Math.max(0, this.surge - surging))],
      remove,
    })
  }

  /** `clear`: at most one current and one old pod. */
  private generations(here: Stored<Pod>[]): Generations {
    const running = here.filter(({ metadata }) => !metadata.deletionTimestamp)
    const current = running.filter((pod) => this.isCurrent(pod))
    const old = running.filter((pod) => !this.isCurrent(pod))
    return { current: current[0], old: old[0], clear: current.length < 2 && old.length < 2 }
  }

  /** Attempts all changes. @throws the first failure */
  private async change({
    create = [],
    remove = [],
  }: {
    create?: string[]
    remove?: Stored<Pod>[]
  }): Promise<void> {
    const made = slowStartBatch(create.slice(0, BURST), (node) =>
      makePod(this.context, this.set, daemonPod(this.set, node, this.hash)),
    )
    const failure = await made.then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    const present = remove.filter(({ metadata }) => !metadata.deletionTimestamp)
    await each(present.slice(0, BURST), (pod) => removePod(this.context, this.set, pod))
    if (failure !== undefined) throw failure.error
  }

  /** Keeps revisions that pods use. */
  private async cleanUp(known: Revision[], pods: Map<string, Stored<Pod>[]>): Promise<void> {
    const used = new Set(
      [...pods.values()].flat().map(({ metadata }) => metadata.labels?.[HASH_LABEL]),
    )
    const old = known.filter(({ metadata }) => metadata.labels?.[HASH_LABEL] !== this.hash)
    const limit = this.set.spec?.revisionHistoryLimit ?? 10
    let tooMany = old.length - limit
    for (const revision of old) {
      if (tooMany <= 0) return
      if (used.has(revision.metadata.labels?.[HASH_LABEL])) continue
      await this.context.client.delete(revision)
      tooMany--
    }
  }

  private async writeStatus(pods: Map<string, Stored<Pod>[]>): Promise<void> {
    const set = this.context.sets.get(keyOf(this.set)) ?? this.set
    const count = { desired: 0, current: 0, misplaced: 0, ready: 0, updated: 0, available: 0 }
    for (const [node, { shouldRun }] of this.fits) {
      const [first] = byAge(pods.get(node.metadata.name ?? '') ?? [])
      if (!shouldRun) count.misplaced += first ? 1 : 0
      else {
        count.desired++
        if (first === undefined) continue
        count.current++
        if (isReady(first)) count.ready++
        if (this.available(first)) count.available++
        if (this.isCurrent(first)) count.updated++
      }
    }
    const status: DaemonSetStatus = {
      currentNumberScheduled: count.current,
      numberMisscheduled: count.misplaced,
      desiredNumberScheduled: count.desired,
      numberReady: count.ready,
      ...(this.set.metadata.generation && { observedGeneration: this.set.metadata.generation }),
      ...(count.updated > 0 && { updatedNumberScheduled: count.updated }),
      ...(count.available > 0 && { numberAvailable: count.available }),
      ...(count.desired > count.available && {
        numberUnavailable: count.desired - count.available,
      }),
      ...(set.status?.collisionCount !== undefined && {
        collisionCount: set.status.collisionCount,
      }),
    }
    if (equalJson(status, set.status)) return
    try {
      await this.context.client.update({ ...draftOf(set), status }, 'status')
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}

interface Generations {
  current: Stored<Pod> | undefined
  old: Stored<Pod> | undefined
  clear: boolean
}

/** Assigned pods first. */
const byAge = (pods: Stored<Pod>[]): Stored<Pod>[] => {
  const key = ({ spec, metadata }: Stored<Pod>) =>
    [spec?.nodeName ? 0 : 1, metadata.creationTimestamp, metadata.name].join(' ')
  return [...pods].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}
