/**
 * Only simulated nodes have usage; elsewhere the metrics API counts as missing. Recorded from
 * kube-controller-manager 1.31.
 */
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  MetricSpec,
  MetricStatus,
} from 'kubernetes-types/autoscaling/v2'
import type { Node, Pod } from 'kubernetes-types/core/v1'
import { timestamp } from '../../core/environment'
import { SIMULATED_RUNTIME, SIMULATION } from '../../core/names'
import { draftOf, equalJson } from '../../core/object'
import { ApiError } from '../../http/status'
import { matchesLabels } from '../../selectors/labels'
import { podUsage } from '../../simulation/usage'
import { type Client, isNotFound, type Reference } from '../runtime/client'
import type { Recorder } from '../runtime/events'
import type { Informer } from '../runtime/informer'
import type { Controller, Manager } from '../runtime/manager'
import { keyOf, type Stored } from '../runtime/stored'
import { isActive, isReady } from '../shared/pods'
import { computeReplicas, type MeasuredPod, type Proposal } from './replica-calculator'
import { begun, normalizeReplicas, type Past } from './scaling-behavior'
import { readSelector, type SelectorProblem, Selectors } from './selector'
import { targetOf } from './target'
import { type Unavailable, unavailable } from './unavailable'

const NAME = 'horizontal-pod-autoscaler-controller'
const COMPONENT = 'horizontal-pod-autoscaler'
const PERIOD_MILLISECONDS = 15_000
const NOT_HAD: MetricStatus = { type: '' }

interface Scale {
  spec?: { replicas?: number }
  status?: { selector?: string }
}

export const horizontalPodAutoscaler: Controller = {
  name: NAME,
  run(manager) {
    const autoscalers = manager.informer<HorizontalPodAutoscaler>(
      'autoscaling',
      'horizontalpodautoscalers',
    )
    const client = manager.client(COMPONENT)
    const recorder = manager.recorder(client, COMPONENT)
    const pods = manager.informer<Pod>('', 'pods')
    const nodes = manager.informer<Node>('', 'nodes')
    const pasts = new Map<string, Past>()
    const selectors = new Selectors()
    const queue = manager.queue(NAME, async (key) => {
      const autoscaler = autoscalers.get(key)
      if (autoscaler === undefined) return
      queue.addAfter(key, PERIOD_MILLISECONDS)
      const past = pasts.get(key) ?? { proposals: [], changes: [] }
      pasts.set(key, past)
      await new Autoscaling(
        { manager, client, recorder, pods, nodes, past, selectors },
        autoscaler,
      ).run()
    })
    autoscalers.onChange(({ type, key }) => {
      if (type === 'DELETED') {
        pasts.delete(key)
        selectors.delete(key)
      } else queue.addAfter(key, PERIOD_MILLISECONDS)
    })
  },
}

interface Context {
  manager: Manager
  client: Client
  recorder: Recorder
  pods: Informer<Pod>
  nodes: Informer<Node>
  past: Past
  selectors: Selectors
}

class Autoscaling {
  private conditions: HorizontalPodAutoscalerCondition[]
  private status: Record<string, unknown>

  constructor(
    private readonly context: Context,
    private readonly autoscaler: Stored<HorizontalPodAutoscaler>,
  ) {
    this.conditions = autoscaler.status?.conditions ?? []
    this.status = { ...autoscaler.status }
  }

  async run(): Promise<void> {
    const { client, manager } = this.context
    const { minReplicas = 1, maxReplicas = 1 } = this.autoscaler.spec ?? {}
    const target = targetOf(manager, this.autoscaler)
    if ('problem' in target) return this.withoutScale(target.problem)
    let scale: Scale
    try {
      scale = await client.get<Scale>(target, 'scale')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return this.withoutScale(error.message)
    }
    this.set(
      'AbleToScale',
      'True',
      'SucceededGetScale',
      "the HPA controller was able to get the target's current scale",
    )
    const current = scale.spec?.replicas ?? 0
    begun(this.context.past, current, this.context.manager.now())
    if (current === 0 && minReplicas !== 0) {
      this.set(
        'ScalingActive',
        'False',
        'ScalingDisabled',
        'scaling is disabled since the replica count of the target is zero',
      )
      return this.finish(current, 0, null)
    }
    if (current > maxReplicas)
      return this.rescale(
        target,
        scale,
        maxReplicas,
        'Current number of replicas above Spec.MaxReplicas',
      )
    if (current < minReplicas)
      return this.rescale(
        target,
        scale,
        minReplicas,
        'Current number of replicas below Spec.MinReplicas',
      )
    const text = scale.status?.selector ?? ''
    const selector = readSelector(text)
    if ('reason' in selector) return this.withoutPods(current, selector)
    const pods = [...this.context.pods.list(target.metadata.namespace)].filter((pod) =>
      matchesLabels(selector.requirements, pod.metadata.labels),
    )
    const ambiguous = this.context.selectors.register(
      keyOf(this.autoscaler),
      { ...selector, text },
      pods,
    )
    if (ambiguous !== undefined) return this.withoutPods(current, ambiguous)
    const measured = this.measured(pods)
    if (measured !== undefined) return this.byMetrics(target, scale, measured)
    const { metrics = [] } = this.autoscaler.spec ?? {}
    const problems = metrics.map((metric) =>
      unavailable(metric, this.autoscaler.metadata.namespace ?? ''),
    )
    return this.withoutMetrics(
      current,
      problems,
      metrics.map(() => NOT_HAD),
    )
  }

  private async withoutScale(why: string): Promise<void> {
    this.context.recorder.event(this.autoscaler, 'Warning', 'FailedGetScale', why)
    this.set(
      'AbleToScale',
      'False',
      'FailedGetScale',
      `the HPA controller was unable to get the target's current scale: ${why}`,
    )
    await this.write()
  }

  /** Handles missing and invalid selectors, and pods of other autoscalers. */
  private async withoutPods(
    current: number,
    { reason, condition, error, message }: SelectorProblem,
  ): Promise<void> {
    const { recorder } = this.context
    recorder.event(this.autoscaler, 'Warning', reason, error)
    this.set('ScalingActive', 'False', condition, message)
    recorder.event(this.autoscaler, 'Warning', 'FailedComputeMetricsReplicas', error)
    Object.assign(this.status, { currentReplicas: current, currentMetrics: null })
    await this.write()
  }

  /** Undefined if no pod is on a simulated node. */
  private measured(pods: Stored<Pod>[]): MeasuredPod[] | undefined {
    const { nodes } = this.context
    const isSimulated = ({ spec }: Stored<Pod>) =>
      nodes.get(spec?.nodeName ?? '')?.status?.nodeInfo?.containerRuntimeVersion ===
      SIMULATED_RUNTIME
    if (!pods.some((pod) => isActive(pod) && isSimulated(pod))) return undefined
    const load = this.autoscaler.metadata.annotations?.[SIMULATION.load]
    const sharers = pods.filter((pod) => isActive(pod) && isReady(pod)).length
    return pods.map((pod) => {
      const runs = isActive(pod) && pod.status?.phase === 'Running' && isSimulated(pod)
      // Only ready pods share the load.
      const usage = runs
        ? podUsage(
            pod.metadata.annotations?.[SIMULATION.usage],
            isReady(pod) ? load : undefined,
            sharers,
          )
        : undefined
      return { pod, usage }
    })
  }

  private async byMetrics(target: Reference, scale: Scale, measured: MeasuredPod[]): Promise<void> {
    const { recorder, manager, past } = this.context
    const { minReplicas = 1, maxReplicas = 1, metrics = [], behavior } = this.autoscaler.spec ?? {}
    const current = scale.spec?.replicas ?? 0
    const proposals = metrics.map((metric) => this.computeReplicas(metric, measured, current))
    const problems = proposals.filter((proposal) => 'whole' in proposal)
    const good = proposals.filter((proposal) => 'replicas' in proposal)
    const best = good.reduce<Proposal | undefined>(
      (most, one) => (most === undefined || one.replicas > most.replicas ? one : most),
      undefined,
    )
    const currentMetrics = proposals.map((proposal) =>
      'status' in proposal ? proposal.status : NOT_HAD,
    )
    if (best === undefined || (problems.length > 0 && best.replicas < current))
      return this.withoutMetrics(current, problems, currentMetrics)
    for (const { reason, message } of problems)
      recorder.event(this.autoscaler, 'Warning', reason, message)
    this.set(
      'ScalingActive',
      'True',
      'ValidMetricFound',
      `the HPA was able to successfully calculate a replica count from ${best.name}`,
    )
    const bounds = { current, min: minReplicas, max: maxReplicas, behavior, now: manager.now() }
    const { replicas, able, limited } = normalizeReplicas(best.replicas, past, bounds)
    this.set('AbleToScale', 'True', ...able)
    this.set('ScalingLimited', ...limited)
    if (replicas === current) return this.finish(current, current, currentMetrics)
    await this.rescale(
      target,
      scale,
      replicas,
      replicas > current ? `${best.name} above target` : 'All metrics below target',
      currentMetrics,
    )
  }

  private computeReplicas(
    metric: MetricSpec,
    measured: MeasuredPod[],
    current: number,
  ): Proposal | Unavailable {
    const { namespace = '' } = this.autoscaler.metadata
    if (metric.type !== 'Resource' && metric.type !== 'ContainerResource')
      return unavailable(metric, namespace)
    const proposal = computeReplicas(metric, measured, current, this.context.manager.now())
    return 'problem' in proposal ? unavailable(metric, namespace, proposal.problem) : proposal
  }

  private async rescale(
    target: Reference,
    scale: Scale,
    size: number,
    reason: string,
    metrics: MetricStatus[] | null = null,
  ): Promise<void> {
    const { client, recorder, manager, past } = this.context
    const current = scale.spec?.replicas ?? 0
    try {
      await client.update(
        { ...(scale as Stored<Scale>), spec: { ...scale.spec, replicas: size } },
        { of: target, subresource: 'scale' },
      )
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      recorder.event(
        this.autoscaler,
        'Warning',
        'FailedRescale',
        `New size: ${size}; reason: ${reason}; error: ${error.message}`,
      )
      this.set(
        'AbleToScale',
        'False',
        'FailedUpdateScale',
        `the HPA controller was unable to update the target scale: ${error.message}`,
      )
      Object.assign(this.status, { currentReplicas: current, currentMetrics: metrics })
      return this.write()
    }
    past.changes.push({ at: manager.now(), by: size - current })
    this.set(
      'AbleToScale',
      'True',
      'SucceededRescale',
      `the HPA controller was able to update the target scale to ${size}`,
    )
    recorder.event(
      this.autoscaler,
      'Normal',
      'SuccessfulRescale',
      `New size: ${size}; reason: ${reason}`,
    )
    this.status.lastScaleTime = timestamp(manager.now())
    await this.finish(current, size, metrics)
  }

  private async withoutMetrics(
    current: number,
    problems: Unavailable[],
    currentMetrics: MetricStatus[],
  ): Promise<void> {
    const { recorder } = this.context
    const [first] = problems
    if (first === undefined) return this.finish(current, current, null)
    for (const { reason, message } of problems)
      recorder.event(this.autoscaler, 'Warning', reason, message)
    this.set(
      'ScalingActive',
      'False',
      first.reason,
      `the HPA was unable to compute the replica count: ${first.message}`,
    )
    const invalid = `invalid metrics (${problems.length} invalid out of ${currentMetrics.length}), first error is: ${first.whole}`
    recorder.event(this.autoscaler, 'Warning', 'FailedComputeMetricsReplicas', invalid)
    this.status.currentReplicas = current
    this.status.currentMetrics = currentMetrics
    await this.write()
  }

  private finish(
    currentReplicas: number,
    desiredReplicas: number,
    currentMetrics: MetricStatus[] | null,
  ): Promise<void> {
    Object.assign(this.status, { currentReplicas, desiredReplicas, currentMetrics })
    return this.write()
  }

  private set(type: string, status: string, reason: string, message: string): void {
    const before = this.conditions.find((condition) => condition.type === type)
    const lastTransitionTime =
      before?.status === status ? before.lastTransitionTime : timestamp(this.context.manager.now())
    const condition = {
      type,
      status,
      lastTransitionTime,
      reason,
      message,
    } as HorizontalPodAutoscalerCondition
    this.conditions = before
      ? this.conditions.map((other) => (other === before ? condition : other))
      : [...this.conditions, condition]
  }

  private async write(): Promise<void> {
    const status = { ...this.status, conditions: this.conditions }
    if (equalJson(status, this.autoscaler.status ?? {})) return
    try {
      await this.context.client.update({ ...draftOf(this.autoscaler), status }, 'status')
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}
