/**
 * See kubernetes.io, "API-initiated Eviction". Pods that do not run need no budget. Recorded from
 * kube-apiserver 1.31.
 */

import { timestamp } from '../../core/environment'
import type { KubeObject } from '../../core/object'
import { ApiError, failure, forbidden, type Status, SUCCESS, serverError } from '../../http/status'
import { checkPreconditions, type DeleteOptions, deleteObject } from '../../registry/delete'
import { keyOf, type RequestContext } from '../../registry/request-context'
import { storageRange } from '../../registry/resource'
import { writeStatus } from '../../registry/server-writes'
import type { Changes } from '../../release-tables/changes'
import { canonicalize } from '../../schema/canonical'
import { matchesLabels, selectorOf } from '../../selectors/labels'
import { withCondition } from './pod-conditions'
import type { Pod } from './pod-types'

interface Condition {
  type: string
  status: string
  reason?: string
  message?: string
  observedGeneration?: number
  lastTransitionTime?: string
}

interface Budget extends KubeObject {
  spec?: { selector?: Parameters<typeof selectorOf>[0]; unhealthyPodEvictionPolicy?: string }
  status?: {
    observedGeneration?: number
    disruptionsAllowed?: number
    currentHealthy?: number
    desiredHealthy?: number
    disruptedPods?: Record<string, string>
    conditions?: Condition[]
  }
}

/** By kind, not by resource. */
const BUDGET = { group: 'policy', resource: 'poddisruptionbudget' }
const RETRY_SECONDS = 10
const MAX_DISRUPTED = 2000

/**
 * @param check validates options after the budget; throws ApiError
 * @throws ApiError 404 missing, 409 precondition, 429 budget, 500 two budgets
 */
export async function evictPod(
  context: RequestContext,
  wanted: DeleteOptions,
  check: () => DeleteOptions,
): Promise<Status> {
  const { engine } = context
  const stored = await engine.storage.get(keyOf(context))
  const pod = stored?.object as Pod | undefined
  const asUnhealthy =
    pod !== undefined && !goesFreely(pod) ? await consumeBudget(context, pod) : undefined
  try {
    const marked = context.dryRun ? undefined : await markEvicted(context, wanted)
    const options = pod === undefined ? wanted : check()
    await deleteObject(
      { ...context, subresource: '' },
      marked === undefined ? options : onVersion(marked, options),
      'passed',
    )
  } catch (error) {
    // Retry: the pod may have become ready.
    const changed =
      error instanceof ApiError &&
      error.code === 409 &&
      wanted.preconditions?.resourceVersion === undefined
    if (asUnhealthy !== undefined && changed) throw stillProcessed(asUnhealthy)
    throw error
  }
  return SUCCESS
}

/** Moves a precondition to the version with the new condition. */
function onVersion(resourceVersion: string, options: DeleteOptions): DeleteOptions {
  const { preconditions } = options
  return preconditions?.resourceVersion === undefined
    ? options
    : { ...options, preconditions: { ...preconditions, resourceVersion } }
}

const DISRUPTED = 'DisruptionTarget'
const EVICTED = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' }

/**
 * Not in dry runs. @throws ApiError 409 for a precondition
 * @returns undefined if the pod is gone or had the condition
 */
async function markEvicted(
  context: RequestContext,
  options: DeleteOptions,
): Promise<string | undefined> {
  const { engine, resource } = context
  const key = keyOf(context)
  for (;;) {
    const stored = await engine.storage.get(key)
    if (stored === undefined) return undefined
    checkPreconditions(context, stored.object, options.preconditions ?? {})
    const pod = stored.object as Pod
    const before = pod.status?.conditions ?? []
    if (
      before.some(
        ({ type, status, reason }) =>
          type === DISRUPTED && status === 'True' && reason === EVICTED.reason,
      )
    )
      return undefined
    const conditions = withCondition(before, DISRUPTED, timestamp(engine.clock.now()), EVICTED)
    const object = canonicalize(
      resource.storedType,
      { ...pod, status: { ...pod.status, conditions } },
      'stored',
    )
    const result = await engine.storage.transaction(
      [{ key, revision: stored.revision }],
      [{ type: 'put', key, object }],
    )
    if (result.succeeded) return result.stored[0]?.object.metadata.resourceVersion
  }
}

const FREE_PHASES = new Set(['Pending', 'Succeeded', 'Failed'])

const goesFreely = ({ metadata, status }: Pod): boolean =>
  Boolean(metadata.deletionTimestamp) || FREE_PHASES.has(status?.phase ?? '')

const isReady = ({ status }: Pod): boolean =>
  (status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True')

/** @returns the budget if the pod may go because it is unready */
async function consumeBudget(context: RequestContext, pod: Pod): Promise<string | undefined> {
  for (;;) {
    const [budget, second] = await budgetsOf(context, pod)
    if (budget === undefined) return undefined
    if (second !== undefined)
      throw serverError(
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      )
    if (!isReady(pod) && unhealthyMayGo(budget)) return budget.metadata.name
    checkRoom(budget, context.engine.tables.changes)
    if (context.dryRun || (await takeRoom(context, budget, pod))) return undefined
  }
}

async function budgetsOf({ engine }: RequestContext, pod: Pod): Promise<Budget[]> {
  const resource = engine.resources.findInside('policy', 'v1', 'poddisruptionbudgets')
  if (resource === undefined) return []
  const { items } = await engine.storage.range(storageRange(resource, pod.metadata.namespace ?? ''))
  return items
    .map(({ object }) => object as Budget)
    .filter(({ spec }) => {
      const selector = selectorOf(spec?.selector)
      return selector !== undefined && matchesLabels(selector, pod.metadata.labels)
    })
}

/** By policy, or if enough others are healthy. */
function unhealthyMayGo({ spec, status }: Budget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const [current, desired] = [status?.currentHealthy ?? 0, status?.desiredHealthy ?? 0]
  return desired > 0 && current >= desired
}

function checkRoom({ metadata, status = {} }: Budget, changes: Changes): void {
  const { name = '', generation = 0 } = metadata
  const allowed = status.disruptionsAllowed ?? 0
  if ((status.observedGeneration ?? 0) < generation) throw stillProcessed(name)
  if (allowed < 0) throw forbidden(BUDGET, name, 'pdb disruptions allowed is negative')
  if (Object.keys(status.disruptedPods ?? {}).length > MAX_DISRUPTED)
    throw forbidden(
      BUDGET,
      name,
      'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
    )
  if (allowed === 0) {
    const [desired, current] = [status.desiredHealthy ?? 0, status.currentHealthy ?? 0]
    const isHealthy = current > desired && changes.has('HealthyBudgetsNamed')
    const why = isHealthy
      ? 'does not allow evicting pods currently'
      : `needs ${desired} healthy pods and has ${current} currently`
    throw noRoom(`The disruption budget ${name} ${why}`, 0)
  }
}

const stillProcessed = (budget: string) =>
  noRoom(`The disruption budget ${budget} is still being processed by the server.`, RETRY_SECONDS)

const noRoom = (cause: string, retryAfterSeconds: number) =>
  failure(
    429,
    'TooManyRequests',
    "Cannot evict pod as it would violate the pod's disruption budget.",
    {
      causes: [{ reason: 'DisruptionBudget', message: cause }],
      ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
    },
  )

/** @returns false after a conflict */
function takeRoom({ engine }: RequestContext, budget: Budget, pod: Pod): Promise<boolean> {
  const now = timestamp(engine.clock.now())
  const status = budget.status ?? {}
  const disruptionsAllowed = (status.disruptionsAllowed ?? 0) - 1
  const disruptedPods = { ...status.disruptedPods, [pod.metadata.name ?? '']: now }
  const conditions =
    disruptionsAllowed === 0
      ? withoutRoom(status.conditions ?? [], status.observedGeneration ?? 0, now)
      : status.conditions
  return writeStatus(engine, budget, {
    ...status,
    disruptionsAllowed,
    disruptedPods,
    ...(conditions ? { conditions } : {}),
  })
}

function withoutRoom(
  conditions: Condition[],
  observedGeneration: number,
  now: string,
): Condition[] {
  const before = conditions.find(({ type }) => type === 'DisruptionAllowed')
  const lastTransitionTime = before?.status === 'False' ? (before.lastTransitionTime ?? now) : now
  const condition: Condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration,
    lastTransitionTime,
    reason: 'InsufficientPods',
    message: '',
  }
  return before
    ? conditions.map((other) => (other === before ? condition : other))
    : [...conditions, condition]
}
