/** Derives one word for a pod from all its containers. */
import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1'
import { entryOf, type JsonObject } from '../../core/object'
import { since } from '../duration'
import { NONE, type ResourceTables, table } from './resource-table'

export interface PodProgress {
  reason: string
  ready: number
  /** Containers that can be ready: main containers and sidecars. */
  total: number
  restarts: number
  /** When the container that restarted last ended; RFC 3339, empty if unknown. */
  lastRestart: string
}

/** Runs next to the main containers. */
function isSidecar(pod: Pod, name: string): boolean {
  return (
    pod.spec?.initContainers?.some(
      (container) => container.name === name && container.restartPolicy === 'Always',
    ) ?? false
  )
}

function hasCondition(pod: Pod, type: string): boolean {
  return (
    pod.status?.conditions?.some(
      (condition) => condition.type === type && condition.status === 'True',
    ) ?? false
  )
}

function countRestarts(progress: PodProgress, container: ContainerStatus): void {
  progress.restarts += container.restartCount
  const ended = container.lastState?.terminated?.finishedAt
  if (ended && ended > progress.lastRestart) progress.lastRestart = ended
}

function howItEnded(terminated: { signal?: number; exitCode: number; reason?: string }): string {
  if (terminated.reason) return terminated.reason
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`
}

/** undefined if this container is done, or a started sidecar. */
function initReason(pod: Pod, container: ContainerStatus, index: number): string | undefined {
  const { terminated, waiting } = container.state ?? {}
  if (terminated?.exitCode === 0) return undefined
  if (isSidecar(pod, container.name) && container.started) return undefined
  if (terminated) return `Init:${howItEnded(terminated)}`
  if (waiting?.reason && waiting.reason !== 'PodInitializing') return `Init:${waiting.reason}`
  return `Init:${index}/${pod.spec?.initContainers?.length ?? 0}`
}

/** Stops at the first unfinished container. @returns whether all are done */
function readInitContainers(pod: Pod, all: PodProgress, sidecars: PodProgress): boolean {
  for (const [index, container] of (pod.status?.initContainerStatuses ?? []).entries()) {
    countRestarts(all, container)
    const sidecar = isSidecar(pod, container.name)
    if (sidecar) countRestarts(sidecars, container)
    const reason = initReason(pod, container, index)
    if (reason !== undefined) {
      all.reason = reason
      return false
    }
    if (sidecar && container.ready && container.state?.terminated?.exitCode !== 0) all.ready++
  }
  return true
}

/** The last container in the list determines the word. */
function readContainers(pod: Pod, progress: PodProgress): void {
  let running = false
  for (const container of [...(pod.status?.containerStatuses ?? [])].reverse()) {
    countRestarts(progress, container)
    const { waiting, terminated, running: runs } = container.state ?? {}
    if (waiting?.reason) progress.reason = waiting.reason
    else if (terminated) progress.reason = howItEnded(terminated)
    else if (container.ready && runs) {
      running = true
      progress.ready++
    }
  }
  if (progress.reason === 'Completed' && running)
    progress.reason = hasCondition(pod, 'Ready') ? 'Running' : 'NotReady'
}

function containerCount({ spec }: Pod): number {
  const sidecars = (spec?.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  )
  return (spec?.containers?.length ?? 0) + sidecars.length
}

/** As kubectl prints READY, STATUS and RESTARTS. */
export function progressOf(pod: Pod): PodProgress {
  const { status } = pod
  const progress: PodProgress = {
    reason: status?.reason || status?.phase || '',
    ready: 0,
    total: containerCount(pod),
    restarts: 0,
    lastRestart: '',
  }
  if (
    status?.conditions?.some(
      ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
    )
  ) {
    progress.reason = 'SchedulingGated'
  }
  const sidecars: PodProgress = { reason: '', ready: 0, total: 0, restarts: 0, lastRestart: '' }
  if (readInitContainers(pod, progress, sidecars) || hasCondition(pod, 'Initialized')) {
    progress.restarts = sidecars.restarts
    progress.lastRestart = sidecars.lastRestart
    readContainers(pod, progress)
  }
  if (pod.metadata?.deletionTimestamp) {
    if (status?.reason === 'NodeLost') progress.reason = 'Unknown'
    else if (status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
      progress.reason = 'Terminating'
  }
  return progress
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec?.readinessGates ?? []
  if (gates.length === 0) return NONE
  return `${gates.filter((gate) => hasCondition(pod, gate.conditionType)).length}/${gates.length}`
}

const ENDED: Record<string, JsonObject[]> = {
  Succeeded: [
    {
      type: 'Completed',
      status: 'True',
      reason: 'Succeeded',
      message: 'The pod has completed successfully.',
    },
  ],
  Failed: [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }],
}

export const podTables: ResourceTables = {
  pods: table<Pod>(
    (pod, now) => {
      const { reason, ready, total, restarts, lastRestart } = progressOf(pod)
      return {
        Ready: `${ready}/${total}`,
        Status: reason,
        Restarts:
          restarts > 0 && lastRestart !== ''
            ? `${restarts} (${since(lastRestart, now)} ago)`
            : String(restarts),
        IP: pod.status?.podIPs?.[0]?.ip || NONE,
        Node: pod.spec?.nodeName || NONE,
        'Nominated Node': pod.status?.nominatedNodeName || NONE,
        'Readiness Gates': readinessGates(pod),
      }
    },
    { conditions: (pod) => entryOf(ENDED, (pod as unknown as Pod).status?.phase ?? '') },
  ),
}
