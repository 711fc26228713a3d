/**
 * The node lifecycle controller, which taints Nodes that report nothing. Recorded from
 * kube-controller-manager 1.31.
 */
import type { Lease } from 'kubernetes-types/coordination/v1'
import type { Node, NodeCondition, Pod, Taint } from 'kubernetes-types/core/v1'
import { timestamp } from '../../core/environment'
import { draftOf, entryOf, setMember } from '../../core/object'
import { type Client, isNotFound } from '../runtime/client'
import type { Recorder } from '../runtime/events'
import type { Informer } from '../runtime/informer'
import type { Controller, Manager } from '../runtime/manager'
import type { Queue } from '../runtime/queue'
import type { Stored } from '../runtime/stored'
import { taintsOf } from '../shared/taints'
import { executeTaints, scheduleTaints } from './taints'
import { Zones } from './zones'

const NAME = 'node-lifecycle-controller'
const LEASES = 'kube-node-lease'
/** node-monitor-grace-period */
const GRACE_MILLISECONDS = 40_000
/** node-startup-grace-period */
const STARTUP_MILLISECONDS = 60_000
/** node-monitor-period */
const MONITOR_MILLISECONDS = 5_000
const CONDITIONS = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']
/** Labels, and deprecated labels with the same values. */
const LABELS: Record<string, string> = {
  'kubernetes.io/os': 'beta.kubernetes.io/os',
  'kubernetes.io/arch': 'beta.kubernetes.io/arch',
}

const conditionOf = ({ status }: Node, type: string): NodeCondition | undefined =>
  status?.conditions?.find((condition) => condition.type === type)

export const nodeLifecycle: Controller = {
  name: NAME,
  run(manager) {
    new NodeLifecycle(manager)
  },
}

class NodeLifecycle {
  private readonly client: Client
  private readonly recorder: Recorder
  private readonly nodes: Informer<Node>
  private readonly pods: Informer<Pod>
  private readonly podsOn: { of(node: string): Stored<Pod>[] }
  private readonly queue: Queue
  private readonly heard = new Map<string, number>()
  /** Ready nodes without heartbeats whose pods are still ready. */
  private readonly silent = new Set<string>()
  private readonly zones = new Zones()
  private monitoring = false

  constructor(private readonly manager: Manager) {
    this.client = manager.client('node-controller')
    this.recorder = manager.recorder(this.client, 'node-controller')
    this.nodes = manager.informer<Node>('', 'nodes')
    this.pods = manager.informer<Pod>('', 'pods')
    this.podsOn = this.pods.groupedBy(({ spec }) => spec?.nodeName)
    this.queue = manager.queue(NAME, (name) => this.sync(name))
    this.nodes.onChange(({ type, key, object, previous }) => {
      if (type === 'DELETED') {
        this.heard.delete(key)
        this.silent.delete(key)
        this.event(object, 'RemovingNode', `Removing Node ${key} from Controller`)
        return
      }
      if (previous === undefined)
        this.event(object, 'RegisteredNode', `Registered Node ${key} in Controller`)
      const [now, before] = [
        conditionOf(object, 'Ready'),
        previous && conditionOf(previous, 'Ready'),
      ]
      if (previous === undefined || now?.lastHeartbeatTime !== before?.lastHeartbeatTime)
        this.heard.set(key, this.manager.now())
      this.queue.add(key)
    })
    manager.heartbeats.onChange((node) => this.queue.add(node))
    manager
      .informer<Lease>('coordination.k8s.io', 'leases')
      .onChange(({ type, object: { metadata } }) => {
        if (
          type === 'DELETED' ||
          metadata.namespace !== LEASES ||
          !this.heard.has(metadata.name ?? '')
        )
          return
        this.heard.set(metadata.name ?? '', this.manager.now())
      })
  }

  private event(node: Stored<Node>, reason: string, message: string): void {
    const { name = '', uid } = node.metadata
    const about = { kind: 'Node', apiVersion: 'v1', name, ...(uid && { uid }) }
    this.recorder.event(about, 'Normal', reason, `Node ${name} event: ${message}`)
  }

  private async sync(name: string): Promise<void> {
    const node = this.nodes.get(name)
    if (node === undefined) return
    await this.setLabels(node)
    await this.setTaints(name, (present, time) => scheduleTaints(present, time))
    await this.checkHealth(name)
    await this.markPodsNotReady(name)
    this.monitor()
  }

  private async setLabels({ metadata, apiVersion, kind }: Stored<Node>): Promise<void> {
    const labels: Record<string, string> = {}
    for (const [name, old] of Object.entries(LABELS)) {
      const value = entryOf(metadata.labels, name)
      if (value !== undefined && entryOf(metadata.labels, old) !== value)
        setMember(labels, old, value)
    }
    if (Object.keys(labels).length > 0)
      await this.client.strategicMerge({ apiVersion, kind, metadata }, { metadata: { labels } })
  }

  private async setTaints(
    name: string,
    wanted: (node: Node, time: string) => Taint[] | undefined,
  ): Promise<void> {
    const node = this.nodes.get(name)
    const taints = node && wanted(node, timestamp(this.manager.now()))
    if (node === undefined || taints === undefined) return
    const { resourceVersion } = node.metadata
    await this.client.merge(node, {
      metadata: { resourceVersion },
      spec: { taints: taints.length > 0 ? taints : null },
    })
  }

  private async checkHealth(name: string): Promise<void> {
    const node = this.nodes.get(name)
    if (node === undefined) return
    const ready = conditionOf(node, 'Ready')
    const now = this.manager.now()
    const heart = this.manager.heartbeats.of(name)
    if (heart === 'alive') return
    const due =
      (heart ?? this.heard.get(name) ?? 0) + (ready ? GRACE_MILLISECONDS : STARTUP_MILLISECONDS)
    if (now < due) return this.queue.addAfter(name, due - now)
    const missing = CONDITIONS.filter((type) => conditionOf(node, type)?.status !== 'Unknown')
    if (missing.length === 0) return
    const status = { ...node.status, conditions: unknownConditions(node, timestamp(now)) }
    await this.client.update({ ...draftOf(node), status }, 'status')
    if (ready?.status === 'True') this.silent.add(name)
  }

  /** Leaves pods of a node that reports itself not ready unchanged. */
  private async markPodsNotReady(name: string): Promise<void> {
    const node = this.nodes.get(name)
    const status = node && conditionOf(node, 'Ready')?.status
    if (node === undefined || status === undefined) return
    if (!this.silent.delete(name) || status === 'True') return
    this.event(node, 'NodeNotReady', `Node ${name} status is now: NodeNotReady`)
    for (const pod of this.podsOn.of(name)) {
      const conditions = pod.status?.conditions ?? []
      if (
        !conditions.some((condition) => condition.type === 'Ready' && condition.status !== 'False')
      )
        continue
      const lastTransitionTime = timestamp(this.manager.now())
      const changed = conditions.map((condition) =>
        condition.type === 'Ready'
          ? { ...condition, status: 'False', lastTransitionTime }
          : condition,
      )
      try {
        await this.client.update(
          { ...draftOf(pod), status: { ...pod.status, conditions: changed } },
          'status',
        )
        this.recorder.event(pod, 'Warning', 'NodeNotReady', 'Node is not ready')
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    }
  }

  /** Repeats while any node needs a change of NoExecute taints. */
  private monitor(): void {
    const nodes = () => [...this.nodes.list()]
    const before = this.zones.look(this.manager.now(), nodes())
    if (
      this.monitoring ||
      !nodes().some((node) => executeTaints(node, '', before.of(node, false)) !== undefined)
    )
      return
    this.monitoring = true
    const now = this.manager.now()
    const next = Math.floor(now / MONITOR_MILLISECONDS + 1) * MONITOR_MILLISECONDS
    this.manager.due.at(next, () => {
      this.monitoring = false
      const outlook = this.zones.look(next, nodes())
      for (const node of nodes()) {
        const evictions = outlook.of(node, true)
        const taints = executeTaints(node, '', evictions)
        if (taints === undefined) continue
        if (evictions === 'granted' && taints.length > taintsOf(node).length) outlook.took(node)
        const name = node.metadata.name ?? ''
        this.setTaints(name, (present, time) => executeTaints(present, time, evictions)).catch(() =>
          this.queue.add(name),
        )
      }
      // Nodes may wait for the eviction rate limit.
      this.monitor()
    })
  }
}

function unknownConditions(node: Stored<Node>, now: string): NodeCondition[] {
  const present = node.status?.conditions ?? []
  const changed = present.map((condition) =>
    CONDITIONS.includes(condition.type) && condition.status !== 'Unknown'
      ? {
          ...condition,
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastTransitionTime: now,
        }
      : condition,
  )
  const missing = CONDITIONS.filter(
    (type) => !present.some((condition) => condition.type === type),
  ).map(
    (type): NodeCondition => ({
      type,
      status: 'Unknown',
      lastHeartbeatTime: node.metadata.creationTimestamp ?? now,
      lastTransitionTime: now,
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
    }),
  )
  return [...changed, ...missing]
}
