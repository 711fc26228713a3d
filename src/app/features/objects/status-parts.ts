/** The parts of a status that have a view of their own, and its other scalar members. */
import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1'
import { isJsonObject, type JsonObject, type KubeObject } from '../../../engine/core/object'
import { type Condition, conditionsOf } from '../../state/health/health'

export interface ContainerState {
  name: string
  image: string
  init: boolean
  ready: boolean
  restarts: number
  /** `Running`, `Waiting: CrashLoopBackOff`, `Terminated: Error (1)` */
  state: string
  /** How it ended before its last restart; empty if it never did. */
  last: string
  message: string
}

export interface StatusParts {
  members: [name: string, value: string][]
  conditions: readonly Condition[]
  containers: ContainerState[]
}

export function statusPartsOf(object: KubeObject): StatusParts {
  const { status } = object as KubeObject & { status?: JsonObject }
  const members = Object.entries(isJsonObject(status) ? status : {}).flatMap(
    ([name, value]): [string, string][] =>
      typeof value === 'object' ? [] : [[name, String(value)]],
  )
  return { members, conditions: conditionsOf(object), containers: containersOf(object) }
}

function containersOf(object: KubeObject): ContainerState[] {
  if (object.kind !== 'Pod') return []
  const { status } = object as KubeObject & Pod
  return [
    ...(status?.initContainerStatuses ?? []).map((one) => containerState(one, true)),
    ...(status?.containerStatuses ?? []).map((one) => containerState(one, false)),
  ]
}

function containerState(status: ContainerStatus, init: boolean): ContainerState {
  const { name, image, ready, restartCount, state, lastState } = status
  return {
    name,
    image,
    init,
    ready,
    restarts: restartCount,
    state: stateText(state),
    last: lastState?.terminated ? stateText(lastState) : '',
    message: state?.waiting?.message ?? state?.terminated?.message ?? '',
  }
}

function stateText(state: ContainerStatus['state']): string {
  const { waiting, terminated, running } = state ?? {}
  if (terminated) return `Terminated: ${terminated.reason ?? 'Error'} (${terminated.exitCode})`
  if (waiting) return `Waiting: ${waiting.reason ?? ''}`
  return running ? 'Running' : ''
}
