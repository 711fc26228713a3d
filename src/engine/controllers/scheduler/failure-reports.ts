import type { Pod } from 'kubernetes-types/core/v1'
import { timestamp } from '../../core/environment'
import { type Client, isNotFound } from '../runtime/client'
import type { Stored } from '../runtime/stored'
import { condition } from '../shared/pods'
import type { RecordEvent } from './events'

export class FailureReports {
  constructor(
    private readonly client: Client,
    private readonly recordEvent: RecordEvent,
    private readonly now: () => number,
  ) {}

  /** @param nominatedNodeName null: clear, undefined: keep */
  async fail(
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
      before?.status === 'False' ? before.lastTransitionTime : timestamp(this.now())
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

  async patchStatus(pod: Stored<Pod>, status: object): Promise<void> {
    try {
      await this.client.strategicMerge(pod, { status }, 'status')
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}

/** `2 Insufficient cpu, 1 node(s) were unschedulable` */
export function histogram(reasons: string[]): string {
  const counts = new Map<string, number>()
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ')
}
