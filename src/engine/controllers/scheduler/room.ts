import type { Pod } from 'kubernetes-types/core/v1'
import { timestamp } from '../../core/environment'
import { type Client, isNotFound } from '../runtime/client'
import { keyOf, type Stored } from '../runtime/stored'
import { condition, noteDisruption } from '../shared/pods'
import type { Cluster, NodeState } from './cluster'
import { type RecordEvent, SCHEDULER_NAME } from './events'
import { type FailureReports, histogram } from './failure-reports'
import { type Candidate, preempt, priorityOf } from './preemption'
import type { FilterStatus, Scheduling } from './types'

const PREEMPTED = 'PreemptionByScheduler'

export interface RoomContext {
  cluster: Cluster
  client: Client
  reports: FailureReports
  recordEvent: RecordEvent
  /** Milliseconds. */
  now(): number
  isWaiting(key: string): boolean
}

export class Room {
  constructor(private readonly context: RoomContext) {}

  /** @param message why the pod fits no node */
  async make(
    scheduling: Scheduling,
    nodeToStatus: Map<NodeState, FilterStatus>,
    message: string,
  ): Promise<void> {
    const { cluster, reports, now } = this.context
    const { pod, nodes } = scheduling
    const of = `0/${nodes.length} nodes are available:`
    if (pod.spec?.preemptionPolicy === 'Never')
      return reports.fail(pod, `${message} preemption: not eligible due to preemptionPolicy=Never.`)
    if (this.victimsAreGoing(pod, nodeToStatus))
      return reports.fail(
        pod,
        `${message} preemption: not eligible due to a terminating pod on the nominated node.`,
      )
    const found = preempt(cluster, scheduling, { nodeToStatus, now: now() })
    if (Array.isArray(found))
      return reports.fail(pod, `${message} preemption: ${of} ${histogram(found)}.`, {
        nominatedNodeName: null,
      })
    await this.evict(pod, found)
    await this.takeFromOthers(pod, found.state.node.metadata.name)
    const { name = null } = found.state.node.metadata
    await reports.fail(pod, message, { nominatedNodeName: name })
  }

  /** Whether the pod waits for victims; a final rejection of the node ends the wait. */
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
    const { client, recordEvent, now } = this.context
    for (const victim of victims) {
      if (victim.metadata.deletionTimestamp) continue
      const message = `${SCHEDULER_NAME}: preempting to accommodate a higher priority pod`
      try {
        await noteDisruption(client, victim, {
          reason: PREEMPTED,
          message,
          time: timestamp(now()),
        })
        await client.delete(victim)
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
      const note = `Preempted by pod ${pod.metadata.uid} on node ${state.node.metadata.name}`
      recordEvent(victim, {
        type: 'Normal',
        reason: 'Preempted',
        action: 'Preempting',
        note,
        related: pod,
      })
    }
  }

  /** Clears nominations of lower priority, as kube-scheduler does. */
  private async takeFromOthers(pod: Stored<Pod>, node = ''): Promise<void> {
    const { cluster, reports, isWaiting } = this.context
    for (const other of cluster.nominatedTo(node)) {
      if (!isWaiting(keyOf(other)) || priorityOf(other) >= priorityOf(pod)) continue
      await reports.patchStatus(other, { nominatedNodeName: null })
    }
  }
}

function isGoingForOthers(pod: Stored<Pod>): boolean {
  const why = condition(pod, 'DisruptionTarget')
  return (
    Boolean(pod.metadata.deletionTimestamp) && why?.status === 'True' && why.reason === PREEMPTED
  )
}
