/** The scheduler: its queue, and the binding of Pods. Recorded from kube-scheduler 1.31. */
import type { Pod } from 'kubernetes-types/core/v1'
import { equalJson } from '../../core/object'
import { ApiError } from '../../http/status'
import type { Client } from '../runtime/client'
import type { Controller, Manager } from '../runtime/manager'
import { keyOf, type Stored } from '../runtime/stored'
import { nodesNamed } from '../shared/node-affinity'
import { hasEnded } from '../shared/pods'
import { Cluster, type NodeState, stateWith } from './cluster'
import { type RecordEvent, SCHEDULER_NAME, schedulerEvents } from './events'
import { FailureReports, histogram } from './failure-reports'
import { runFilters } from './filters'
import { priorityOf } from './preemption'
import { type Change, changeOf, isWorthRequeuing, nodeChanges } from './queueing-hints'
import { ReadyPods } from './ready-pods'
import { Room } from './room'
import { newScheduling } from './scheduling'
import { bestOf } from './scores'
import type { FilterStatus, Plugin, Scheduling } from './types'
import { volumePlan } from './volumes'

const FIRST_BACKOFF = 1000
const LONGEST_BACKOFF = 10_000
/** kube-scheduler `--pod-max-in-unschedulable-pods-duration`. */
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
  last: number
  /** An event since the last attempt may make the pod schedulable. */
  woken: boolean
  /** Claims are being bound for a node. */
  binding: boolean
  /** Undefined if no node was filtered. */
  rejectors?: ReadonlySet<Plugin>
}

class Scheduler {
  private readonly client: Client
  private readonly cluster: Cluster
  private readonly recordEvent: RecordEvent
  private readonly reports: FailureReports
  private readonly room: Room
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
    const now = () => manager.now()
    this.reports = new FailureReports(this.client, this.recordEvent, now)
    this.room = new Room({
      cluster: this.cluster,
      client: this.client,
      reports: this.reports,
      recordEvent: this.recordEvent,
      now,
      isWaiting: (key) => this.waiting.has(key),
    })
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
      // Changes of assigned pods may make others schedulable.
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
      (spec?.schedulerName ?? SCHEDULER_NAME) === SCHEDULER_NAME &&
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

  /** Requeues pods after their backoff. @param change undefined helps no pod */
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

  /** Requeues the pod, unless another attempt starts before. */
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
    if (nodes.length === 0) return this.reports.fail(pod, 'no nodes available to schedule pods')
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
    await this.room.make(scheduling, nodeToStatus, message)
  }

  private readonly labelsOfNamespace = (name: string): Record<string, string> =>
    this.cluster.namespaces.get(name)?.metadata.labels ?? {}

  /** Adds nominated pods of the same or higher priority. */
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
    // Binding the claims requeues the pod.
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
      return this.reports.fail(pod, `running Bind plugin "DefaultBinder": ${error.message}`, {
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
}

/** Nodes that node affinity does not name report no reason. */
function overlooked(
  named: ReadonlySet<string> | undefined,
  { node }: NodeState,
): FilterStatus | undefined {
  return named === undefined || named.has(node.metadata.name ?? '')
    ? undefined
    : { reasons: [], final: true, by: 'NodeAffinity' }
}

/** Doubles with each attempt. */
const afterBackoff = ({ last, attempts }: Waiting): number =>
  last + Math.min(FIRST_BACKOFF * 2 ** (attempts - 1), LONGEST_BACKOFF)

const onlyStatusDiffers = (a: Stored<Pod>, b: Stored<Pod>): boolean =>
  equalJson(a.spec, b.spec) &&
  equalJson(a.metadata.labels, b.metadata.labels) &&
  a.metadata.deletionTimestamp === b.metadata.deletionTimestamp
