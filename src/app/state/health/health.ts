/** One line about the state of an object, in the words and numbers that kubectl prints. */
import type { KubeObject } from '../../../engine/core/object'
import { HEALTH } from './texts'

/** As kstatus names them; `None` for objects without a state of interest. */
export type Level = 'Current' | 'InProgress' | 'Failed' | 'Terminating' | 'None'

export interface Health {
  level: Level
  /** `3/3 ready`, `0/1 CrashLoopBackOff`; empty if there is nothing to print. */
  text: string
  /** Why it is not current; empty if unknown. */
  reason: string
}

export const current = (text: string, reason = ''): Health => ({ level: 'Current', text, reason })
export const inProgress = (text: string, reason = ''): Health => ({
  level: 'InProgress',
  text,
  reason,
})
export const failed = (text: string, reason = ''): Health => ({ level: 'Failed', text, reason })
export const none = (text = '', reason = ''): Health => ({ level: 'None', text, reason })

/** Of every kind. */
export const terminating = (finalizers: readonly string[]): Health => ({
  level: 'Terminating',
  text: 'Terminating',
  reason: finalizers.length === 0 ? '' : HEALTH.finalizers(finalizers.join(', ')),
})

export interface Condition {
  type: string
  status: string
  reason?: string
  message?: string
  lastTransitionTime?: string
  observedGeneration?: number
}

/** Status members that many kinds share. */
export interface WithConditions {
  status?: { conditions?: Condition[]; observedGeneration?: number; phase?: unknown }
}

export function conditionsOf(object: KubeObject): readonly Condition[] {
  const { conditions } = (object as KubeObject & WithConditions).status ?? {}
  // Custom resources may have any value there.
  return Array.isArray(conditions)
    ? conditions.filter((one) => typeof one === 'object' && one !== null)
    : []
}

export const conditionOf = (object: KubeObject, type: string): Condition | undefined =>
  conditionsOf(object).find((condition) => condition.type === type)

export const isTrue = (object: KubeObject, type: string): boolean =>
  conditionOf(object, type)?.status === 'True'

/** `FailedCreate: exceeded quota` */
export function reasonOf(condition: Condition | undefined): string {
  const { reason = '', message = '' } = condition ?? {}
  return [reason, message].filter((part) => part !== '').join(': ')
}

/** The controller has not seen the latest spec. */
export function isStale(object: KubeObject): boolean {
  const { generation } = object.metadata
  const observed = (object as KubeObject & WithConditions).status?.observedGeneration
  return (
    typeof generation === 'number' && typeof observed === 'number' && observed < (generation ?? 0)
  )
}
