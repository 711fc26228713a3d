/** Named after kube-controller-manager's queues. */
import { largest } from '../core/lists'
import { entryOf } from '../core/object'
import type { QueueMeter, QueueMeters } from '../time/queue-meter'
import type { Cell, Distribution } from './instruments'
import type { MetricRegistry } from './registry'

/** The metrics' name by the queue's own. */
const NAMES: Record<string, string> = {
  'bootstrap-signer-controller': 'bootstrap_signer_queue',
  'clusterrole-aggregation-controller': 'ClusterRoleAggregator',
  'cronjob-controller': 'cronjob',
  'daemonset-controller': 'daemonset',
  'deployment-controller': 'deployment',
  'disruption-controller': 'disruption',
  'disruption-controller conditions': 'disruption-stale-pod-disruption',
  'endpoints-controller': 'endpoint',
  'endpointslice-controller': 'endpoint_slice',
  'endpointslice-mirroring-controller': 'endpoint_slice_mirroring',
  'ephemeral-volume-controller': 'ephemeral_volume',
  'garbage-collector-controller': 'garbage_collector_attempt_to_delete',
  'horizontal-pod-autoscaler-controller': 'horizontalpodautoscaler',
  'job-controller': 'job',
  'job-controller orphans': 'job_orphan_pod',
  'namespace-controller': 'namespace',
  'node-lifecycle-controller': 'node_lifecycle_controller',
  'persistentvolume-binder-controller': 'claims',
  'persistentvolume-binder-controller volumes': 'volumes',
  'persistentvolume-expander-controller': 'volume_expand',
  'persistentvolume-protection-controller': 'pvprotection',
  'persistentvolumeclaim-protection-controller': 'pvcprotection',
  'replicaset-controller': 'replicaset',
  'replicationcontroller-controller': 'replicationmanager',
  'resourcequota-controller': 'resourcequota_primary',
  'root-ca-certificate-publisher-controller': 'root_ca_cert_publisher',
  'serviceaccount-controller': 'serviceaccount',
  'serviceaccount-token-controller': 'serviceaccount_tokens_secret',
  'serviceaccount-token-controller references': 'serviceaccount_tokens_service',
  'statefulset-controller': 'statefulset',
  'token-cleaner-controller': 'token_cleaner',
  'ttl-after-finished-controller': 'ttl_jobs_to_delete',
  'ttl-controller': 'ttlcontroller',
  'validatingadmissionpolicy-status-controller': 'validating_admission_policy_status',
}

export class WorkQueueMetrics implements QueueMeters {
  private readonly meters = new Map<string, WorkQueueMeter>()

  constructor(
    private readonly registry: MetricRegistry,
    private readonly stopwatch: () => number,
  ) {}

  of(queue: string): WorkQueueMeter {
    const name = entryOf(NAMES, queue) ?? queue
    let found = this.meters.get(name)
    if (found === undefined)
      this.meters.set(name, (found = new WorkQueueMeter(name, this.registry, this.stopwatch)))
    return found
  }

  read(): void {
    const now = this.stopwatch()
    for (const [name, meter] of this.meters) {
      const [unfinished, longest] = meter.underWay(now)
      this.registry.numbers('workqueue_unfinished_work_seconds').at({ name }).value = unfinished
      this.registry.numbers('workqueue_longest_running_processor_seconds').at({ name }).value =
        longest
    }
  }
}

class WorkQueueMeter implements QueueMeter {
  private readonly adds: Cell
  private readonly depth: Cell
  private readonly retries: Cell
  private readonly waits: Distribution
  private readonly works: Distribution
  private readonly begun = new Set<{ at: number }>()

  constructor(
    name: string,
    registry: MetricRegistry,
    private readonly stopwatch: () => number,
  ) {
    this.adds = registry.numbers('workqueue_adds_total').at({ name })
    this.depth = registry.numbers('workqueue_depth').at({ name })
    this.retries = registry.numbers('workqueue_retries_total').at({ name })
    this.waits = registry.histogram('workqueue_queue_duration_seconds').at({ name })
    this.works = registry.histogram('workqueue_work_duration_seconds').at({ name })
  }

  added(): number {
    this.adds.value++
    this.depth.value++
    return this.stopwatch()
  }

  begin(added: number): () => void {
    const work = { at: this.stopwatch() }
    this.depth.value--
    this.waits.observe((work.at - added) / 1000)
    this.begun.add(work)
    return () => {
      this.begun.delete(work)
      this.works.observe((this.stopwatch() - work.at) / 1000)
    }
  }

  retried(): void {
    this.retries.value++
  }

  dropped(items: number): void {
    this.depth.value -= items
  }

  /** In seconds. */
  underWay(now: number): [sum: number, longest: number] {
    const seconds = [...this.begun].map(({ at }) => (now - at) / 1000)
    return [seconds.reduce((all, one) => all + one, 0), largest(seconds, 0)]
  }
}
