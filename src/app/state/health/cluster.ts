import type {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Service,
} from 'kubernetes-types/core/v1'
import type { EndpointSlice } from 'kubernetes-types/discovery/v1'
import type { KubeObject } from '../../../engine/core/object'
import { nodeStatus } from '../../../engine/encoding/tables/core'
import { progressOf } from '../../../engine/encoding/tables/pods'
import {
  conditionOf,
  conditionsOf,
  current,
  failed,
  type Health,
  inProgress,
  isTrue,
  none,
  reasonOf,
} from './health'
import { HEALTH } from './texts'

/** Printed words of containers and pods that do not recover without a fix. */
const STUCK =
  /BackOff$|^(Init:)?Err|Error$|InvalidImageName$|OOMKilled$|^(Init:)?(Signal|ExitCode):|^Evicted$|^Unknown$/

export function pod(object: KubeObject): Health {
  const value = object as KubeObject & Pod
  const { ready, total, reason: word, restarts } = progressOf(value)
  const text = `${ready}/${total} ${word}${restarts > 0 ? `, ${HEALTH.restarts(restarts)}` : ''}`
  const phase = value.status?.phase
  if (object.metadata.deletionTimestamp !== undefined)
    return { level: 'Terminating', text, reason: '' }
  if (phase === 'Succeeded') return current(text)
  if (phase === 'Failed' || STUCK.test(word)) return failed(text, causeOf(value))
  const scheduled = conditionOf(object, 'PodScheduled')
  if (scheduled?.status === 'False' && scheduled.reason === 'Unschedulable')
    return failed(text, reasonOf(scheduled))
  if (word === 'Running' && isTrue(object, 'Ready')) return current(text)
  return inProgress(text, causeOf(value) || reasonOf(conditionOf(object, 'Ready')))
}

/** The message of the first container that has one. */
function causeOf({ status }: Pod): string {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  const { message = '' } =
    all
      .flatMap(({ state, lastState }) => [state?.waiting, state?.terminated, lastState?.terminated])
      .find((state) => state?.message) ?? {}
  if (message !== '') return message
  const ended = all.map(({ lastState }) => lastState?.terminated).find((last) => last !== undefined)
  if (status?.message) return status.message
  return ended === undefined ? '' : HEALTH.exited(ended.reason ?? '', ended.exitCode)
}

const PRESSURES = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable']

export function node(object: KubeObject): Health {
  const text = nodeStatus(object as KubeObject & Node)
  if (!isTrue(object, 'Ready')) return failed(text, reasonOf(conditionOf(object, 'Ready')))
  const pressure = PRESSURES.find((type) => isTrue(object, type))
  if (pressure !== undefined)
    return failed(`${text}, ${pressure}`, reasonOf(conditionOf(object, pressure)))
  return current(text)
}

export function namespace(object: KubeObject): Health {
  const { phase = 'Active' } = (object as KubeObject & Namespace).status ?? {}
  if (phase !== 'Terminating') return current(phase)
  const waits = conditionsOf(object).filter(({ status }) => status === 'True')
  return {
    level: 'Terminating',
    text: phase,
    reason: waits.map(({ message = '' }) => message).join(' '),
  }
}

export function claim(object: KubeObject): Health {
  const { phase = 'Pending' } = (object as KubeObject & PersistentVolumeClaim).status ?? {}
  if (phase === 'Lost') return failed(phase)
  return phase === 'Bound' ? current(phase) : inProgress(phase)
}

export function volume(object: KubeObject): Health {
  const { phase = 'Pending', message = '' } = (object as KubeObject & PersistentVolume).status ?? {}
  if (phase === 'Failed') return failed(phase, message)
  return phase === 'Bound' || phase === 'Available' ? current(phase) : inProgress(phase, message)
}

export function service(object: KubeObject): Health {
  const { spec, status } = object as KubeObject & Service
  const type = spec?.type ?? 'ClusterIP'
  if (type !== 'LoadBalancer') return none(type)
  return (status?.loadBalancer?.ingress ?? []).length > 0
    ? current(type)
    : inProgress(type, HEALTH.noExternalIp)
}

export function endpointSlice(object: KubeObject): Health {
  const list = (object as unknown as EndpointSlice).endpoints ?? []
  const ready = list.filter(({ conditions }) => conditions?.ready !== false).length
  if (list.length === 0) return inProgress(HEALTH.noEndpoints, HEALTH.noPods)
  const text = HEALTH.ready(ready, list.length)
  return ready === list.length ? current(text) : inProgress(text)
}

export function definition(object: KubeObject): Health {
  const names = conditionOf(object, 'NamesAccepted')
  if (names?.status === 'False') return failed(HEALTH.notAccepted, reasonOf(names))
  const established = conditionOf(object, 'Established')
  return established?.status === 'True'
    ? current('Established')
    : inProgress(HEALTH.notEstablished, reasonOf(established))
}

/** kubectl prints `False (MissingEndpoints)`. */
export function apiService(object: KubeObject): Health {
  const available = conditionOf(object, 'Available')
  if (available === undefined) return inProgress(HEALTH.unknown)
  if (available.status === 'True') return current('Available')
  return failed(HEALTH.unavailable, reasonOf(available))
}

/** kubectl prints `Approved,Issued`. */
export function signingRequest(object: KubeObject): Health {
  const types = conditionsOf(object).map(({ type }) => type)
  const issued = (object as { status?: { certificate?: string } }).status?.certificate
  if (types.length === 0) return inProgress('Pending')
  const text = [...types, ...(issued ? ['Issued'] : [])].join(',')
  return types.includes('Denied') || types.includes('Failed') ? failed(text) : current(text)
}
