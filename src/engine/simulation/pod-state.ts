/**
 * What the programs and the kubelet of running pods have done, as far as their specifications do
 * not determine it. The state is in memory: after a restart of the server, programs are simulated
 * from their specifications again.
 */
import { append } from '../core/lists'
import { Journal, print } from './network/journal'
import { NetworkState } from './network/network-state'
import { type SeenPod, statusOf } from './pod'
import type { Write } from './script/entries'
import type { ContainerProcess } from './simulated-process'
import { HOST_PREFIX, type VolumeRevision } from './volume-contents'

/** The time of `at` is in milliseconds since the epoch. */
export type TimedWrite = Write

export interface ContainerRecord {
  /** The restart count of the recorded run. */
  restarts: number
  /** The program as it began: a later change of its environment does not count. */
  process: ContainerProcess | undefined
  /** Writes to the root file system by commands in the container. */
  writes: TimedWrite[]
  /** Whether the writes of earlier runs to volumes are recorded. */
  isComplete: boolean
  /** Whether the run has ended, and its writes to volumes are recorded. */
  isSettled: boolean
}

/** The result of a lifecycle hook. */
export interface HookRun {
  /** When it began, in milliseconds. */
  at: number
  /** Its duration; infinite if it never ends. */
  seconds: number
  isFailed: boolean
  /** Whether an event has reported the failure. */
  isReported?: boolean
}

export class PodState {
  /** Writes to volumes of the pod. */
  readonly writes: TimedWrite[] = []
  /** Contents of the volumes that the kubelet writes, oldest first. */
  readonly volumes = new Map<string, VolumeRevision[]>()
  readonly containers = new Map<string, ContainerRecord>()
  /** What programs have done in the network, by container and restart count. */
  private readonly journals = new Map<string, Journal>()
  /** Lifecycle hooks that ran, by container, restart count and hook. */
  readonly hooks = new Map<string, HookRun>()
  /** Tokens by request. */
  readonly tokens = new Map<string, string>()
  /** Requests of tokens that a program has read and the kubelet has not issued yet. */
  readonly wantedTokens = new Set<string>()
  private readonly waiting: (() => void)[] = []

  /** The journal of a run. The last two runs of a container have one. */
  journalOf(container: string, restarts: number): Journal {
    const key = `${container} ${restarts}`
    const journal = this.journals.get(key) ?? new Journal()
    this.journals.set(key, journal)
    this.journals.delete(`${container} ${restarts - 2}`)
    return journal
  }

  /** @param run runs when the kubelet has issued the wanted tokens, or cannot */
  whenIssued(run: () => void): void {
    this.waiting.push(run)
  }

  endWait(): void {
    this.wantedTokens.clear()
    for (const run of this.waiting.splice(0)) run()
  }

  /** The record of a run; undefined if another run or none is recorded. */
  recordOf(container: string, restarts: number): ContainerRecord | undefined {
    const record = this.containers.get(container)
    return record?.restarts === restarts ? record : undefined
  }

  begin(container: string, restarts: number, process?: ContainerProcess): ContainerRecord {
    const before = this.containers.get(container)
    const isComplete = restarts === 0 || (before?.restarts === restarts - 1 && before.isSettled)
    const record = { restarts, process, writes: [], isComplete, isSettled: false }
    this.containers.set(container, record)
    return record
  }
}

export class SimulatedState {
  private readonly pods = new Map<string, PodState>()
  private readonly listeners: ((key: string) => void)[] = []
  /** Endpoints that clients of services were led to. */
  readonly network = new NetworkState()
  constructor() {
    this.network.log = (pod, container, at, text) => {
      const status = statusOf(pod, container)
      print(this.of(pod).journalOf(container, status?.restartCount ?? 0), at, text)
    }
    this.network.memoryOf = (pod, container) =>
      this.of(pod).journalOf(container, statusOf(pod, container)?.restartCount ?? 0).memory
  }

  /** Writes to directories of nodes. */
  readonly hosts: TimedWrite[] = []

  of({ metadata: { uid = '' } }: SeenPod): PodState {
    const found = this.pods.get(uid) ?? new PodState()
    this.pods.set(uid, found)
    return found
  }

  delete(uid: string): void {
    this.pods.delete(uid)
  }

  /** @param listener gets the key of a pod that its kubelet has to sync */
  onChange(listener: (key: string) => void): void {
    this.listeners.push(listener)
  }

  /** Records the writes of a command in a container. */
  recordWrites(
    pod: SeenPod,
    container: string,
    restarts: number,
    writes: readonly TimedWrite[],
  ): void {
    if (writes.length === 0) return
    const state = this.of(pod)
    const record = state.recordOf(container, restarts) ?? state.begin(container, restarts)
    append(
      record.writes,
      writes.filter(({ isMounted }) => !isMounted),
    )
    this.recordMounted(pod, writes)
    this.sync(pod)
  }

  /** Lets the kubelet sync a pod. */
  sync({ metadata: { namespace, name } }: SeenPod): void {
    for (const listener of this.listeners) listener(`${namespace}/${name}`)
  }

  /** Records the writes to volumes. */
  recordMounted(pod: SeenPod, writes: readonly TimedWrite[]): void {
    for (const write of writes)
      if (write.isMounted)
        (write.name.startsWith(HOST_PREFIX) ? this.hosts : this.of(pod).writes).push(write)
  }
}
