import type { Deployment, ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1'
import type { Job } from 'kubernetes-types/batch/v1'
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1'
import type { EndpointSlice } from 'kubernetes-types/discovery/v1'
import type { KubeObject } from '../../../engine/core/object'
import { type PodState, podStateOf } from '../../state/pod-state'

export type Tone = 'good' | 'wait' | 'bad'

export interface Health {
  tone: Tone
  /** Empty if the object has no status of interest. */
  text: string
}

const good = (text: string): Health => ({ tone: 'good', text })
const wait = (text: string): Health => ({ tone: 'wait', text })
const bad = (text: string): Health => ({ tone: 'bad', text })

/** Reasons of waiting containers that need a fix. */
const STUCK = /BackOff|^Err|^CreateContainer.*Error$|^InvalidImageName$/

const BROKEN: ReadonlySet<PodState> = new Set(['crashing', 'no image', 'failed'])

function replicas(object: KubeObject): Health {
  const { spec, status } = object as KubeObject & (Deployment | ReplicaSet | StatefulSet)
  const wanted = spec?.replicas ?? 1
  const ready = status?.readyReplicas ?? 0
  const text = `${ready}/${wanted} ready`
  return ready === wanted && status?.replicas === wanted ? good(text) : wait(text)
}

function pod(object: KubeObject): Health {
  const { state, detail } = podStateOf(object as KubeObject & Pod)
  const { phase = 'Pending', conditions = [] } = (object as KubeObject & Pod).status ?? {}
  if (state === 'ready') return good('Ready')
  if (state === 'done') return good('Completed')
  if (BROKEN.has(state) || STUCK.test(detail)) return bad(detail || phase)
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled')
  if (scheduled?.reason === 'Unschedulable' && scheduled.status === 'False')
    return bad('Unschedulable')
  return wait(phase)
}

function endpoints(object: KubeObject): Health {
  const list = (object as unknown as EndpointSlice).endpoints ?? []
  const ready = list.filter(({ conditions }) => conditions?.ready !== false).length
  const text = `${ready}/${list.length} ready`
  return ready === list.length ? good(text) : wait(text)
}

function job(object: KubeObject): Health {
  const { spec, status } = object as KubeObject & Job
  const failed = status?.conditions?.find(
    (condition) => condition.type === 'Failed' && condition.status === 'True',
  )
  if (failed) return bad(failed.reason ?? 'Failed')
  const text = `${status?.succeeded ?? 0}/${spec?.completions ?? 1} completed`
  return status?.completionTime === undefined ? wait(text) : good(text)
}

function claim(object: KubeObject): Health {
  const phase = (object as KubeObject & PersistentVolumeClaim).status?.phase ?? 'Pending'
  return phase === 'Bound' ? good(phase) : wait(phase)
}

const OF_KIND: ReadonlyMap<string, (object: KubeObject) => Health> = new Map([
  ['Deployment', replicas],
  ['ReplicaSet', replicas],
  ['StatefulSet', replicas],
  ['ReplicationController', replicas],
  ['Pod', pod],
  ['EndpointSlice', endpoints],
  ['Job', job],
  ['PersistentVolumeClaim', claim],
])

/** @param deleted `object` is the last state of a deleted object */
export function healthOf(object: KubeObject, deleted: boolean): Health {
  if (deleted) return good('deleted')
  const { deletionTimestamp, finalizers = [] } = object.metadata
  if (deletionTimestamp !== undefined)
    return wait(
      finalizers.length === 0 ? 'terminating' : `terminating, waits for ${finalizers.join(', ')}`,
    )
  return OF_KIND.get(object.kind)?.(object) ?? good('')
}
