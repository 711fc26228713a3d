/**
 * The disruption controller, which keeps the status of PodDisruptionBudgets. Recorded from
 * kube-controller-manager 1.31.
 */

import type { Pod } from 'kubernetes-types/core/v1'
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1'
import { timestamp } from '../../core/environment'
import { draftOf, entryOf, equalJson, setMember } from '../../core/object'
import { selectorDump } from '../../schema/go-text'
import { matchesLabels } from '../../selectors/labels'
import { isNotFound } from '../runtime/client'
import type { Controller } from '../runtime/manager'
import { keyOf, type Stored } from '../runtime/stored'
import { resolved } from '../shared/int-or-percent'
import { condition, hasEnded, isReady } from '../shared/pods'
import { requirementsOf } from '../shared/selectors'
import { ExpectedScale } from './expected-scale'

const NAME = 'disruption-controller'
/** Evicted pods that still exist count as disrupted for this time. */
const PATIENCE_MILLISECONDS = 120_000
const DISRUPTED = 'DisruptionTarget'

export const disruption: Controller = {
  name: NAME,
  run(manager) {
    const budgets = manager.informer<PodDisruptionBudget>('policy', 'poddisruptionbudgets')
    const pods = manager.informer<Pod>('', 'pods')
    const client = manager.client(NAME)
    const sizes = new ExpectedScale(manager, client)
    const recorder = manager.recorder(client, 'controllermanager')
    const queue = manager.queue(NAME, async (key) => {
      const budget = budgets.get(key)
      if (budget === undefined) return
      const own = selected(budget, [...pods.list(budget.metadata.namespace)])
      if (own.length === 0) recorder.event(budget, 'Normal', 'NoPods', 'No matching pods found')
      const expected = await expectation(budget, own, sizes)
      if ('problem' in expected) {
        const message = `Failed to calculate the number of expected pods: ${expected.problem}`
        recorder.event(budget, 'Warning', 'CalculateExpectedPodCountFailed', message)
        return write(budget, stuckStatus(budget, expected.problem, manager.now()))
      }
      if (expected.unmanaged)
        recorder.event(budget, 'Warning', 'UnmanagedPods', unmanagedText(budget))
      const disrupted = stillDisrupted(budget, own, manager.now())
      for (const pod of disrupted.stayed) {
        // kube-controller-manager prints the namespace instead of the name.
        const { namespace } = budget.metadata
        recorder.event(
          pod,
          'Warning',
          'NotDeleted',
          `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`,
        )
      }
      if (disrupted.recheck !== undefined) queue.addAfter(key, disrupted.recheck)
      await write(
        budget,
        statusOf(budget, own, { disrupted: disrupted.pods, expected, now: manager.now() }),
      )
    })
    async function write(
      budget: Stored<PodDisruptionBudget>,
      status: PodDisruptionBudgetStatus,
    ): Promise<void> {
      if (equalJson(status, budget.status)) return
      try {
        await client.update({ ...draftOf(budget), status }, 'status')
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    }
    const addSelecting = (pod: Stored<Pod>): Stored<PodDisruptionBudget>[] => {
      const selecting = [...budgets.list(pod.metadata.namespace)].filter(
        (budget) => selected(budget, [pod]).length > 0,
      )
      for (const budget of selecting) queue.add(keyOf(budget))
      return selecting
    }
    /** Warns at each change, and names one budget. */
    const warnOfSeveral = (
      pod: Stored<Pod>,
      [chosen, ...others]: Stored<PodDisruptionBudget>[],
    ) => {
      if (chosen === undefined || others.length === 0) return
      const { namespace, name } = pod.metadata
      const message = `Pod "${namespace}"/"${name}" matches multiple PodDisruptionBudgets.  Chose "${chosen.metadata.name}" arbitrarily.`
      recorder.event(pod, 'Warning', 'MultiplePodDisruptionBudgets', message)
    }
    const stale = manager.queue(`${NAME} conditions`, async (key) => {
      const pod = pods.get(key)
      const left = pod && untilStale(pod, manager.now())
      if (pod === undefined || left === undefined) return
      if (left > 0) return stale.addAfter(key, left)
      const cleared = {
        type: DISRUPTED,
        status: 'False',
        lastTransitionTime: timestamp(manager.now()),
      }
      const conditions = (pod.status?.conditions ?? []).map((known) =>
        known.type === DISRUPTED ? cleared : known,
      )
      try {
        await client.update({ ...draftOf(pod), status: { ...pod.status, conditions } }, 'status')
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    })
    pods.onChange(({ type, key, object }) => {
      if (type !== 'DELETED' && untilStale(object, manager.now()) !== undefined) stale.add(key)
    })
    budgets.onChange(({ type, key }) => type !== 'DELETED' && queue.add(key))
    pods.onChange(({ object, previous }) => {
      warnOfSeveral(object, addSelecting(object))
      if (previous && !equalJson(previous.metadata.labels, object.metadata.labels))
        addSelecting(previous)
    })
    sizes.onChange((namespace) => {
      for (const budget of budgets.list(namespace)) queue.add(keyOf(budget))
    })
  },
}

/**
 * Milliseconds; undefined without the condition or while terminating (kubernetes.io, "Pod
 * disruption conditions").
 */
function untilStale(pod: Stored<Pod>, now: number): number | undefined {
  const mark = condition(pod, DISRUPTED)
  if (
    mark?.status !== 'True' ||
    pod.metadata.deletionTimestamp ||
    hasEnded(pod) ||
    mark.reason === 'TerminationByKubelet'
  )
    return undefined
  return Math.max(0, Date.parse(String(mark.lastTransitionTime)) + PATIENCE_MILLISECONDS - now)
}

function selected(budget: Stored<PodDisruptionBudget>, pods: Stored<Pod>[]): Stored<Pod>[] {
  const selector = requirementsOf(budget.spec?.selector)
  return selector === undefined
    ? []
    : pods.filter(({ metadata }) => matchesLabels(selector, metadata.labels))
}

/** Evicted pods that still exist. */
function stillDisrupted(
  budget: Stored<PodDisruptionBudget>,
  pods: Stored<Pod>[],
  now: number,
): { pods: Record<string, string>; stayed: Stored<Pod>[]; recheck?: number } {
  const left: Record<string, string> = {}
  const stayed: Stored<Pod>[] = []
  let recheck: number | undefined
  for (const [name, time] of Object.entries(budget.status?.disruptedPods ?? {})) {
    const pod = pods.find(({ metadata }) => metadata.name === name)
    const wait = Date.parse(time) + PATIENCE_MILLISECONDS - now
    if (pod === undefined || pod.metadata.deletionTimestamp) continue
    if (wait <= 0) {
      stayed.push(pod)
      continue
    }
    setMember(left, name, time)
    recheck = Math.min(recheck ?? wait, wait)
  }
  return { pods: left, stayed, ...(recheck !== undefined && { recheck }) }
}

interface Expectation {
  expectedPods: number
  desiredHealthy: number
  unmanaged: boolean
}

async function expectation(
  { spec }: Stored<PodDisruptionBudget>,
  pods: Stored<Pod>[],
  sizes: ExpectedScale,
): Promise<Expectation | { problem: string }> {
  const { minAvailable, maxUnavailable } = spec ?? {}
  if (maxUnavailable === undefined && typeof minAvailable !== 'string')
    return { expectedPods: pods.length, desiredHealthy: minAvailable ?? 1, unmanaged: false }
  const total = await sizes.ofAll(pods)
  if ('problem' in total) return total
  const { size, unmanaged } = total
  const desiredHealthy =
    maxUnavailable === undefined
      ? resolved(minAvailable, size, 'up')
      : Math.max(0, size - resolved(maxUnavailable, size, 'up'))
  return { expectedPods: size, desiredHealthy, unmanaged }
}

const unmanagedText = ({ spec }: Stored<PodDisruptionBudget>): string =>
  `Pods selected by this PodDisruptionBudget (selector: ${selectorDump(spec?.selector ?? {})}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`

function statusOf(
  budget: Stored<PodDisruptionBudget>,
  pods: Stored<Pod>[],
  {
    disrupted,
    expected,
    now,
  }: { disrupted: Record<string, string>; expected: Expectation; now: number },
): PodDisruptionBudgetStatus {
  const { expectedPods, desiredHealthy } = expected
  const healthy = pods.filter(
    (pod) =>
      !pod.metadata.deletionTimestamp &&
      !entryOf(disrupted, pod.metadata.name ?? '') &&
      isReady(pod),
  )
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, healthy.length - desiredHealthy)
  const observedGeneration = budget.metadata.generation ?? 0
  return {
    ...(observedGeneration > 0 && { observedGeneration }),
    ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
    disruptionsAllowed,
    currentHealthy: healthy.length,
    desiredHealthy,
    expectedPods,
    conditions: [
      allowedCondition(
        budget,
        {
          status: disruptionsAllowed > 0 ? 'True' : 'False',
          reason: disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
        },
        { observedGeneration, now },
      ),
    ],
  }
}

/** An error allows no disruption. */
function stuckStatus(
  budget: Stored<PodDisruptionBudget>,
  problem: string,
  now: number,
): PodDisruptionBudgetStatus {
  const {
    currentHealthy = 0,
    desiredHealthy = 0,
    expectedPods = 0,
    observedGeneration = 0,
    ...rest
  } = budget.status ?? {}
  const failed = { status: 'False', reason: 'SyncFailed', message: problem }
  return {
    ...rest,
    ...(observedGeneration > 0 && { observedGeneration }),
    disruptionsAllowed: 0,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    conditions: [allowedCondition(budget, failed, { observedGeneration, now })],
  }
}

function allowedCondition(
  budget: Stored<PodDisruptionBudget>,
  { status, reason, message = '' }: { status: string; reason: string; message?: string },
  { observedGeneration, now }: { observedGeneration: number; now: number },
) {
  const before = budget.status?.conditions?.find(({ type }) => type === 'DisruptionAllowed')
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : timestamp(now)
  return {
    type: 'DisruptionAllowed',
    status,
    ...(observedGeneration > 0 && { observedGeneration }),
    lastTransitionTime,
    reason,
    message,
  }
}
