/**
 * Assigns pods to nodes in order of priority, each to the feasible node with the best score. An
 * unschedulable pod gets a condition and waits for a change. Recorded from kube-scheduler 1.31.
 */
import type { Pod } from 'kubernetes-types/core/v1'
import { timestamp } from '../../core/environment'
import { equalJson } from '../../core/object'
import { ApiError } from '../../http/status'
import { type Client, isNotFound } from '../runtime/client'
import type { Controller, Manager } from '../runtime/manager'
import { keyOf, type Stored } from '../runtime/stored'
import { nodesNamed } from '../shared/node-affinity'
import { condition, hasEnded, noteDisruption } from '../shared/pods'
import { Cluster, type NodeState, stateWith } from './cluster'
import { schedulerEvents } from './events'
import { runFilters } from './filters'
import { type Candidate, preempt, priorityOf } from './preemption'
import { type Change, changeOf, isWorthRequeuing, nodeChanges } from './queueing-hints'
import { ReadyPods } from './ready-pods'
import { newScheduling } from './scheduling'
import { bestOf } from './scores'
import type { FilterStatus, Plugin, Scheduling } from './types'
import { volumePlan } from './volumes'

const NAME = 'default-scheduler'
const PREEMPTED = 'PreemptionByScheduler'
const FIRST_BACKOFF = 1000
const LONGEST_BACKOFF = 10_000
/**
 * Maximum time in the unschedulable queue (kube-scheduler,
 * `--pod-max-in-unschedulable-pods-duration`).
 */
const LEFT_OVER = 300_000

export const scheduler: Controller = {
  name: 'scheduler',
  run(manager) {
    const running = new Scheduler(manager)
    return () => running.stop()
  },
}

interface Waiting {
  attempts: number
  /** Time of the last attempt. */
  last: number
  /** Whether an event since the last attempt may make the pod schedulable. */
  woken: boolean
  /** Whether a node is selected, and the claims of the pod are being bound for it. */
  binding: boolean
  /** The plugins that rejected nodes; undefined if no node was filtered. */
  rejectors?: ReadonlySet<Plugin>
}

class Scheduler {
  private readonly client: Client
  private readonly cluster: Cluster
  private readonly recordEvent: ReturnType<typeof schedulerEvents>
  private readonly ready = new ReadyPods()
  private readonly waiting = new Map<string, Waiting>()
  private open = false
  private working = false

  constructor(private readonly manager: Manager) {
    const groups = ['system:authenticated']
    this.client = manager.clientOf(
      { name: 'system:kube-scheduler', groups },
      'kube-scheduler',
      '/scheduler',
    )
    this.recordEvent = schedulerEvents({
      client: this.client,
      clock: manager.engine.clock,
      due: manager.due,
      manager,
    })
    this.cluster = new Cluster(manager)
    const { pods, nodes, claims, volumes, classes, drivers, capacities } = this.cluster
    pods.onChange(({ type, key, object, previous }) => {
      if (
        type === 'MODIFIED' &&
        previous &&
        this.isOurs(previous) &&
        object.metadata.deletionTimestamp
      )
        this.passOver(object)
      if (type === 'DELETED') this.dropPod(key)
      else if (this.isOurs(object) && !(previous && onlyStatusDiffers(object, previous)))
        this.add(key, priorityOf(object))
      else if (!this.isOurs(object)) this.dropPod(key)
      // Changes of assigned pods can make waiting pods schedulable.
      if (
        object.spec?.nodeName &&
        (type === 'DELETED' ||
          !(
            previous?.spec?.nodeName &&
            onlyStatusDiffers(object, previous) &&
            hasEnded(object) === hasEnded(previous)
          ))
      )
        this.wake(changeOf(type, object, previous))
    })
    nodes.onChange(({ type, object, previous }) => {
      const news = type === 'DELETED' ? [] : nodeChanges(object, previous)
      if (news.length > 0 && this.waiting.size > 0)
        this.wake({ node: this.cluster.stateOf(object), news })
    })
    claims.onChange(() => this.wake({ news: ['claims'] }))
    for (const informer of [volumes, classes, drivers, capacities])
      (informer as typeof claims).onChange(() => this.wake({ news: ['storage'] }))
    manager.onStart(() => {
      this.open = true
      this.work()
    })
  }

  stop(): void {
    this.open = false
  }

  private isOurs({ spec, metadata, status }: Stored<Pod>): boolean {
    const gated = (spec?.schedulingGates ?? []).length > 0
    const ended = status?.phase === 'Failed' || status?.phase === 'Succeeded'
    return (
      !spec?.nodeName &&
      (spec?.schedulerName ?? NAME) === NAME &&
      !metadata.deletionTimestamp &&
      !gated &&
      !ended
    )
  }

  /** A terminating pod with finalizers is not scheduled. */
  private passOver(pod: Stored<Pod>): void {
    const note = `skip schedule deleting pod: ${keyOf(pod)}`
    this.recordEvent(pod, {
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      note,
    })
  }

  private add(key: string, priority: number): void {
    this.waiting.delete(key)
    this.ready.add(key, priority)
    this.work()
  }

  private dropPod(key: string): void {
    this.waiting.delete(key)
    this.ready.delete(key)
  }

  /**
   * Requeues pods that the event may help, not before their backoff ends.
   * @param change undefined if the event helps no pod
   */
  private wake(change: Change | undefined): void {
    for (const [key, entry] of change ? this.waiting : []) {
      if (change === undefined || (entry.woken && !entry.binding)) continue
      const pod = this.cluster.pods.get(key)
      if (
        !entry.binding &&
        pod &&
        !isWorthRequeuing(change, pod, entry.rejectors, this.labelsOfNamespace)
      )
        continue
      entry.woken = true
      this.again(key, entry, entry.binding ? 0 : afterBackoff(entry))
    }
  }

  /** Requeues a pod at a time, unless another attempt starts before. */
  private again(key: string, entry: Waiting, due: number): void {
    const run = () => {
      const pod = this.cluster.pods.get(key)
      if (this.waiting.get(key) !== entry || pod === undefined) return
      this.ready.add(key, priorityOf(pod))
      this.work()
    }
    if (due <= this.manager.now()) run()
    else this.manager.due.at(due, run)
  }

  private work(): void {
    if (!this.open || this.working || this.ready.size === 0) return
    this.working = true
    this.manager.defer(() => void this.run())
  }

  private async run(): Promise<void> {
    this.manager.work.begin()
    while (this.open) {
      const key = this.ready.take()
      if (key === undefined) break
      const pod = this.cluster.pods.get(key)
      if (pod === undefined || !this.isOurs(pod)) continue
      const before = this.waiting.get(key)
      const now = this.manager.now()
      const entry: Waiting = {
        attempts: (before?.attempts ?? 0) + 1,
        last: now,
        woken: false,
        binding: false,
      }
      this.waiting.set(key, entry)
      try {
        await this.schedule(pod)
        if (!entry.binding && this.waiting.get(key) === entry)
          this.again(key, entry, now + LEFT_OVER)
      } catch (error) {
        if (!(error instanceof ApiError))
          this.manager.engine.log.error(`scheduling ${key} failed`, error)
        this.again(key, entry, afterBackoff(entry))
      }
    }
    this.working = false
    this.work()
    this.manager.work.end()
  }

  private async schedule(pod: Stored<Pod>): Promise<void> {
    const nodes = this.cluster.all().map((state) => this.withNominated(state, pod))
    const volumes = volumePlan(this.cluster, pod)
    const { labelsOfNamespace } = this
    const kin = this.cluster.kinOf(pod)
    const scheduling = newScheduling({ pod, nodes, volumes, labelsOfNamespace, kin })
    if (nodes.length === 0) return this.fail(pod, 'no nodes available to schedule pods')
    const named = nodesNamed(pod)
    const problem = named?.size === 0 ? 'pod affinity terms conflict' : volumes.problem
    const by = named?.size === 0 ? 'NodeAffinity' : volumes.problemBy
    const against: FilterStatus | undefined =
      problem === undefined ? undefined : { reasons: [problem], final: true, by }
    const nodeToStatus = new Map<NodeState, FilterStatus>()
    const feasible: NodeState[] = []
    for (const state of nodes) {
      const status = against ?? overlooked(named, state) ?? runFilters(scheduling, state)
      if (status === undefined) feasible.push(state)
      else nodeToStatus.set(state, status)
    }
    const nominated = feasible.find(
      ({ node }) => node.metadata.name === pod.status?.nominatedNodeName,
    )
    const best = nominated ?? bestOf(scheduling, feasible)
    if (best !== undefined) return this.bind(scheduling, best)
    const entry = this.waiting.get(keyOf(pod))
    if (entry) entry.rejectors = new Set([...nodeToStatus.values()].flatMap(({ by }) => by ?? []))
    const why = problem ?? histogram([...nodeToStatus.values()].flatMap(({ reasons }) => reasons))
    const message = `0/${nodes.length} nodes are available:${why && ` ${why}.`}`
    await this.makeRoom(scheduling, nodeToStatus, message)
  }

  private readonly labelsOfNamespace = (name: string): Record<string, string> =>
    this.cluster.namespaces.get(name)?.metadata.labels ?? {}

  /** Adds pods of the same or higher priority that are nominated for the node. */
  private withNominated(state: NodeState, pod: Stored<Pod>): NodeState {
    const coming = this.cluster
      .nominatedTo(state.node.metadata.name ?? '')
      .filter(
        (other) =>
          other.metadata.uid !== pod.metadata.uid &&
          this.waiting.has(keyOf(other)) &&
          priorityOf(other) >= priorityOf(pod),
      )
    return coming.length === 0 ? state : stateWith(state.node, [...state.pods, ...coming])
  }

  private async bind({ pod, volumes }: Scheduling, state: NodeState): Promise<void> {
    // If claims are unbound, their controller binds them, and the change requeues the pod.
    const entry = this.waiting.get(keyOf(pod))
    if (entry) entry.binding = true
    if (!(await volumes.bind(this.client, state))) return
    const { namespace = '', name = '', uid = '' } = pod.metadata
    const node = state.node.metadata.name ?? ''
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { namespace, name, uid },
      target: { kind: 'Node', name: node },
    }
    try {
      await this.client.post(pod, 'binding', binding)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (entry) {
        entry.binding = false
        this.again(keyOf(pod), entry, afterBackoff(entry))
      }
      return this.fail(pod, `running Bind plugin "DefaultBinder": ${error.message}`, {
        nominatedNodeName: null,
        reason: 'SchedulerError',
      })
    }
    this.waiting.delete(keyOf(pod))
    this.recordEvent(pod, {
      type: 'Normal',
      reason: 'Scheduled',
      action: 'Binding',
      note: `Successfully assigned ${namespace}/${name} to ${node}`,
    })
  }

  private async makeRoom(
    scheduling: Scheduling,
    nodeToStatus: Map<NodeState, FilterStatus>,
    message: string,
  ): Promise<void> {
    const { pod, nodes } = scheduling
    const of = `0/${nodes.length} nodes are available:`
    if (pod.spec?.preemptionPolicy === 'Never')
      return this.fail(pod, `${message} preemption: not eligible due to preemptionPolicy=Never.`)
    if (this.victimsAreGoing(pod, nodeToStatus))
      return this.fail(
        pod,
        `${message} preemption: not eligible due to a terminating pod on the nominated node.`,
      )
    const found = preempt(this.cluster, scheduling, { nodeToStatus, now: this.manager.now() })
    if (Array.isArray(found))
      return this.fail(pod, `${message} preemption: ${of} ${histogram(found)}.`, {
        nominatedNodeName: null,
      })
    await this.evict(pod, found)
    await this.takeFromOthers(pod, found.state.node.metadata.name)
    const { name = null } = found.state.node.metadata
    await this.fail(pod, message, { nominatedNodeName: name })
  }

  /**
   * Whether victims of an earlier preemption still terminate on the nominated node. A final
   * rejection of the node means that the pod no longer waits for them.
   */
  private victimsAreGoing(pod: Stored<Pod>, nodeToStatus: Map<NodeState, FilterStatus>): boolean {
    const [state, status] =
      [...nodeToStatus].find(
        ([{ node }]) => node.metadata.name === pod.status?.nominatedNodeName,
      ) ?? []
    if (state === undefined || status?.final) return false
    return state.pods.some(
      (other) => isGoingForOthers(other) && priorityOf(other) < priorityOf(pod),
    )
  }

  private async evict(pod: Stored<Pod>, { state, victims }: Candidate): Promise<void> {
    for (const victim of victims) {
      if (victim.metadata.deletionTimestamp) continue
      const message = `${NAME}: preempting to accommodate a higher priority pod`
      try {
        await noteDisruption(this.client, victim, {
          reason: PREEMPTED,
          message,
          time: timestamp(this.manager.now()),
        })
        await this.client.delete(victim)
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
      const note = `Preempted by pod ${pod.metadata.uid} on node ${state.node.metadata.name}`
      this.recordEvent(victim, {
        type: 'Normal',
        reason: 'Preempted',
        action: 'Preempting',
        note,
        related: pod,
      })
    }
  }

  /**
   * Clears the nomination of pods with lower priority for the node, as kube-scheduler does after
   * preemption.
   */
  private async takeFromOthers(pod: Stored<Pod>, node = ''): Promise<void> {
    for (const other of this.cluster.nominatedTo(node)) {
      if (!this.waiting.has(keyOf(other)) || priorityOf(other) >= priorityOf(pod)) continue
      await this.patchStatus(other, { nominatedNodeName: null })
    }
  }

  /** @param nominatedNodeName the node of preemption; null clears it, undefined keeps it */
  private async fail(
    pod: Stored<Pod>,
    message: string,
    {
      nominatedNodeName,
      reason = 'Unschedulable',
    }: { nominatedNodeName?: string | null; reason?: string } = {},
  ): Promise<void> {
    this.recordEvent(pod, {
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      note: message,
    })
    const before = condition(pod, 'PodScheduled')
    const nominated =
      nominatedNodeName !== undefined &&
      nominatedNodeName !== (pod.status?.nominatedNodeName ?? null)
    if (
      before?.status === 'False' &&
      before.reason === reason &&
      before.message === message &&
      !nominated
    )
      return
    const lastTransitionTime =
      before?.status === 'False' ? before.lastTransitionTime : timestamp(this.manager.now())
    const scheduled = {
      type: 'PodScheduled',
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime,
      reason,
      message,
    }
    const order = [
      ...new Set([...(pod.status?.conditions ?? []).map(({ type }) => type), 'PodScheduled']),
    ].map((type) => ({ type }))
    await this.patchStatus(pod, {
      '$setElementOrder/conditions': order,
      conditions: [scheduled],
      ...(nominated && { nominatedNodeName }),
    })
  }

  private async patchStatus(pod: Stored<Pod>, status: object): Promise<void> {
    try {
      await this.client.strategicMerge(pod, { status }, 'status')
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}

/**
 * If node affinity names nodes, other nodes report no reason. Recorded from kube-scheduler 1.31.
 */
function overlooked(
  named: ReadonlySet<string> | undefined,
  { node }: NodeState,
): FilterStatus | undefined {
  return named === undefined || named.has(node.metadata.name ?? '')
    ? undefined
    : { reasons: [], final: true, by: 'NodeAffinity' }
}

/** @returns the end of a pod's backoff, which doubles with each attempt up to a limit */
const afterBackoff = ({ last, attempts }: Waiting): number =>
  last + Math.min(FIRST_BACKOFF * 2 ** (attempts - 1), LONGEST_BACKOFF)

/** Whether the pod is being preempted. */
function isGoingForOthers(pod: Stored<Pod>): boolean {
  const why = condition(pod, 'DisruptionTarget')
  return (
    Boolean(pod.metadata.deletionTimestamp) && why?.status === 'True' && why.reason === PREEMPTED
  )
}

/** `2 Insufficient cpu, 1 node(s) were unschedulable` */
function histogram(reasons: string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ')
}

const onlyStatusDiffers = (a: Stored<Pod>, b: Stored<Pod>): boolean =>
  equalJson(a.spec, b.spec) &&
  equalJson(a.metadata.labels, b.metadata.labels) &&
  a.metadata.deletionTimestamp === b.metadata.deletionTimestamp
