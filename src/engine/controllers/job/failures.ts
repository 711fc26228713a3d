/**
 * Applies the Pod failure policy of a Job.
 * https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-failure-policy
 */

import type { Job, PodFailurePolicyRule } from 'kubernetes-types/batch/v1'
import type { ContainerStatus, Pod } from 'kubernetes-types/core/v1'
import { largest } from '../../core/lists'
import type { Stored } from '../runtime/stored'

export interface Verdict {
  action: string | undefined
  counts: boolean
  message: string
}

const PLAIN: Verdict = { action: undefined, counts: true, message: '' }

/** The first matching rule decides. */
export function verdictOn(job: Job, pod: Stored<Pod>): Verdict {
  for (const [i, rule] of (job.spec?.podFailurePolicy?.rules ?? []).entries()) {
    const match = matchOf(rule, pod)
    if (match === undefined) continue
    const message = `${match} matching ${rule.action} rule at index ${i}`
    return { action: rule.action, counts: rule.action !== 'Ignore', message }
  }
  return PLAIN
}

function matchOf(
  { onExitCodes, onPodConditions }: PodFailurePolicyRule,
  pod: Stored<Pod>,
): string | undefined {
  const name = `${pod.metadata.namespace}/${pod.metadata.name}`
  if (onExitCodes) {
    const { containerName, operator, values } = onExitCodes
    const failed = [
      ...(pod.status?.containerStatuses ?? []),
      ...(pod.status?.initContainerStatuses ?? []),
    ].find((container) => {
      const code = exitCodeOf(container)
      if (!code || (containerName && container.name !== containerName)) return false
      return values.includes(code) === (operator === 'In')
    })
    if (failed)
      return `Container ${failed.name} for pod ${name} failed with exit code ${exitCodeOf(failed)}`
  }
  for (const { type, status } of onPodConditions ?? []) {
    if (
      pod.status?.conditions?.some(
        (condition) => condition.type === type && condition.status === (status || 'True'),
      )
    ) {
      return `Pod ${name} has condition ${type}`
    }
  }
  return undefined
}

const exitCodeOf = ({ state }: ContainerStatus): number | undefined => state?.terminated?.exitCode

/** Replaces a terminating pod only when it has finished. */
export const replacesEndedOnly = ({ spec }: Job): boolean => spec?.podReplacementPolicy === 'Failed'

export function hasFailed(job: Job, { status, metadata }: Stored<Pod>): boolean {
  if (status?.phase === 'Failed') return true
  return (
    !replacesEndedOnly(job) && Boolean(metadata.deletionTimestamp) && status?.phase !== 'Succeeded'
  )
}

const FIRST_WAIT = 10_000
const LONGEST_WAIT = 600_000

/** @returns milliseconds to the next attempt */
export const waitAfter = (failures: number): number =>
  Math.min(FIRST_WAIT * 2 ** (failures - 1), LONGEST_WAIT)

/** Failures since the last success. */
export class Backoff {
  private readonly records = new Map<string, { failures: number; last: number }>()

  note(key: string, succeeded: Stored<Pod>[], failed: Stored<Pod>[]): void {
    if (succeeded.length === 0 && failed.length === 0) return
    const lastSuccess = largest(
      succeeded.map((pod) => endOf(pod)),
      0,
    )
    const after = failed.map((pod) => endOf(pod)).filter((time) => time > lastSuccess)
    const known = succeeded.length > 0 ? undefined : this.records.get(key)
    if (after.length === 0) this.records.delete(key)
    else
      this.records.set(key, {
        failures: (known?.failures ?? 0) + after.length,
        last: largest(after, known?.last ?? 0),
      })
  }

  delete(key: string): void {
    this.records.delete(key)
  }

  remaining(key: string, now: number): number {
    const record = this.records.get(key)
    if (record === undefined) return 0
    return Math.max(0, record.last + waitAfter(record.failures) - now)
  }
}

/** When the last container ended, or else the pod became unready, was deleted or created. */
export function endOf({ status, metadata }: Stored<Pod>): number {
  const containers = status?.containerStatuses ?? []
  const ends = containers.flatMap(({ state }) => state?.terminated?.finishedAt ?? [])
  if (ends.length > 0 && ends.length === containers.length)
    return largest(ends.map((time) => Date.parse(time)))
  const unready = status?.conditions?.find(
    ({ type, status: state }) => type === 'Ready' && state === 'False',
  )
  if (unready?.lastTransitionTime) return Date.parse(unready.lastTransitionTime)
  if (metadata.deletionTimestamp)
    return (
      Date.parse(metadata.deletionTimestamp) - (metadata.deletionGracePeriodSeconds ?? 0) * 1000
    )
  return Date.parse(metadata.creationTimestamp ?? '')
}
