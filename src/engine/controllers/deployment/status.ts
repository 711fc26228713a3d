import type {
  Deployment,
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSet,
} from 'kubernetes-types/apps/v1'
import { timestamp } from '../../core/environment'
import type { Stored } from '../runtime/stored'
import { actual, available, maxUnavailable, ready, type Sets, total, wanted } from './replicas'

/** Also means no deadline. */
const NO_DEADLINE = 2 ** 31 - 1

export const hasDeadline = ({ spec }: Deployment): boolean =>
  spec?.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== NO_DEADLINE

export const conditionOf = (
  status: DeploymentStatus | undefined,
  type: string,
): DeploymentCondition | undefined =>
  status?.conditions?.find((condition) => condition.type === type)

type Given = Pick<DeploymentCondition, 'type' | 'status' | 'reason' | 'message'>

/** Keeps an unchanged condition. */
export function withCondition(
  conditions: DeploymentCondition[],
  given: Given,
  now: number,
): DeploymentCondition[] {
  const before = conditions.find(({ type }) => type === given.type)
  if (before?.status === given.status && before.reason === given.reason) return conditions
  const time = timestamp(now)
  const lastTransitionTime = before?.status === given.status ? before.lastTransitionTime : time
  const { type, status, reason, message } = given
  const changed: DeploymentCondition = {
    type,
    status,
    lastUpdateTime: time,
    lastTransitionTime,
    reason,
    message,
  } as DeploymentCondition
  return [...conditions.filter((other) => other.type !== type), changed]
}

const without = (conditions: DeploymentCondition[], type: string) =>
  conditions.filter((condition) => condition.type !== type)

export function countedStatus(
  deployment: Stored<Deployment>,
  all: Sets,
  newest: Stored<ReplicaSet> | undefined,
  now: number,
): DeploymentStatus {
  const up = available(all)
  const enough = up >= wanted(deployment) - maxUnavailable(deployment)
  const { collisionCount, conditions = [] } = deployment.status ?? {}
  const counts = {
    replicas: actual(all),
    updatedReplicas: newest ? actual([newest]) : 0,
    readyReplicas: ready(all),
    availableReplicas: up,
    unavailableReplicas: Math.max(0, total(all) - up),
  }
  return {
    ...(deployment.metadata.generation && { observedGeneration: deployment.metadata.generation }),
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    conditions: withCondition(conditions, enough ? AVAILABLE : UNAVAILABLE, now),
    ...(collisionCount !== undefined && { collisionCount }),
  }
}

const AVAILABLE: Given = {
  type: 'Available',
  status: 'True',
  reason: 'MinimumReplicasAvailable',
  message: 'Deployment has minimum availability.',
}
const UNAVAILABLE: Given = {
  type: 'Available',
  status: 'False',
  reason: 'MinimumReplicasUnavailable',
  message: 'Deployment does not have minimum availability.',
}

export function rolloutStatus(
  deployment: Stored<Deployment>,
  all: Sets,
  newest: Stored<ReplicaSet> | undefined,
  now: number,
): DeploymentStatus {
  const status = countedStatus(deployment, all, newest, now)
  let conditions = status.conditions ?? []
  const progressing = conditionOf(deployment.status, 'Progressing')
  if (!hasDeadline(deployment)) conditions = without(conditions, 'Progressing')
  const wasComplete =
    (status.replicas ?? 0) === (status.updatedReplicas ?? 0) &&
    progressing?.reason === 'NewReplicaSetAvailable'
  if (hasDeadline(deployment) && !wasComplete)
    conditions = withProgress(deployment, status, conditions, newest, now)
  const failure = [...(newest ? [newest] : []), ...all]
    .flatMap(({ status: own }) => own?.conditions ?? [])
    .find(({ type }) => type === 'ReplicaFailure')
  const since = Date.parse(String(failure?.lastTransitionTime))
  conditions = failure
    ? withCondition(conditions, failure as Given, since)
    : without(conditions, 'ReplicaFailure')
  return { ...status, conditions }
}

function withProgress(
  deployment: Stored<Deployment>,
  status: DeploymentStatus,
  conditions: DeploymentCondition[],
  newest: Stored<ReplicaSet> | undefined,
  now: number,
): DeploymentCondition[] {
  const what = newest
    ? `ReplicaSet ${JSON.stringify(newest.metadata.name)}`
    : `Deployment ${JSON.stringify(deployment.metadata.name)}`
  const type = 'Progressing'
  if (isComplete(deployment, status)) {
    return withCondition(
      conditions,
      {
        type,
        status: 'True',
        reason: 'NewReplicaSetAvailable',
        message: `${what} has successfully progressed.`,
      },
      now,
    )
  }
  if (hasProgressed(deployment.status ?? {}, status)) {
    const going: Given = {
      type,
      status: 'True',
      reason: 'ReplicaSetUpdated',
      message: `${what} is progressing.`,
    }
    const before = conditionOf({ conditions }, type)
    const fresh = withCondition(without(conditions, type), going, now)
    if (before?.status !== 'True') return fresh
    return fresh.map((condition) =>
      condition.type === type
        ? { ...condition, lastTransitionTime: before.lastTransitionTime }
        : condition,
    ) as DeploymentCondition[]
  }
  if (hasTimedOut(deployment, now)) {
    return withCondition(
      conditions,
      {
        type,
        status: 'False',
        reason: 'ProgressDeadlineExceeded',
        message: `${what} has timed out progressing.`,
      },
      now,
    )
  }
  return conditions
}

export function isComplete(deployment: Stored<Deployment>, status: DeploymentStatus): boolean {
  const {
    updatedReplicas = 0,
    replicas = 0,
    availableReplicas = 0,
    observedGeneration = 0,
  } = status
  const all = wanted(deployment)
  return (
    updatedReplicas === all &&
    replicas === all &&
    availableReplicas === all &&
    observedGeneration >= (deployment.metadata.generation ?? 0)
  )
}

function hasProgressed(before: DeploymentStatus, now: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) =>
    replicas - updatedReplicas
  return (
    (now.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(now) < old(before) ||
    (now.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (now.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  )
}

/** @returns milliseconds since the epoch; undefined without a deadline */
export function deadlineOf(deployment: Deployment): number | undefined {
  const progressing = conditionOf(deployment.status, 'Progressing')
  if (!hasDeadline(deployment) || progressing === undefined) return undefined
  if (
    progressing.reason === 'NewReplicaSetAvailable' ||
    progressing.reason === 'ProgressDeadlineExceeded'
  )
    return undefined
  return (
    Date.parse(progressing.lastUpdateTime ?? '') +
    (deployment.spec?.progressDeadlineSeconds ?? 0) * 1000
  )
}

function hasTimedOut(deployment: Deployment, now: number): boolean {
  if (conditionOf(deployment.status, 'Progressing')?.reason === 'ProgressDeadlineExceeded')
    return true
  const deadline = deadlineOf(deployment)
  return deadline !== undefined && now > deadline
}
