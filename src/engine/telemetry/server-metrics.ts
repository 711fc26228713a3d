/**
 * Metrics of the server, with the names, labels and buckets of kube-apiserver (kubernetes.io,
 * "Kubernetes Metrics Reference").
 */

import type { Flows } from '../flow-control/flows'
import type { PriorityLevel } from '../flow-control/limits'
import { AccessMetrics } from './access-metrics'
import { AdmissionInstruments } from './admission-metrics'
import { AdmissionSteps } from './admission-steps'
import { AggregationInstruments } from './aggregation-metrics'
import { AllocationMetrics } from './allocation-metrics'
import { AuthenticationInstruments } from './authentication-metrics'
import { AuthorizationInstruments } from './authorization-metrics'
import { DefinitionMetrics } from './definition-metrics'
import { ElectionMetrics } from './election-metrics'
import { EventMetrics } from './event-metrics'
import { ExpressionInstruments } from './expression-metrics'
import { FlowControlMetrics } from './flow-control-metrics'
import type { Labels } from './instruments'
import { ListMetrics } from './list-metrics'
import { OutboundMetrics } from './outbound-metrics'
import { PodSecurityInstruments } from './pod-security-metrics'
import { type Exposition, MetricRegistry } from './registry'
import { RequestMetrics } from './request-metrics'
import { SigningMetrics } from './signing-metrics'
import type { Trace } from './trace'
import { WebhookInstruments } from './webhook-metrics'
import { WorkQueueMetrics } from './work-queue-metrics'

/** Values that are read with the metrics. */
export interface Readings extends Exposition {
  /** By `pods`, `deployments.apps`. */
  objects: ReadonlyMap<string, number>
  /**
   * Bytes of the current versions of all objects; undefined if other servers write to the same
   * storage.
   */
  bytes: number | undefined
  gates: readonly { name: string; stage: string; enabled: boolean }[]
  /** Availability by the name of the APIService. */
  aggregated: ReadonlyMap<string, boolean>
  build: Labels
}

/** The storage_cluster_id label of kube-apiserver. */
const FIRST_STORAGE = { storage_cluster_id: 'etcd-0' }

export class ServerMetrics {
  readonly registry = new MetricRegistry()
  readonly requests: RequestMetrics
  readonly expressions: ExpressionInstruments
  readonly authentication = new AuthenticationInstruments(this.registry)
  readonly authorization = new AuthorizationInstruments(this.registry)
  readonly webhooks = new WebhookInstruments(this.registry)
  readonly admissionCalls = new AdmissionInstruments(this.registry)
  readonly podSecurity = new PodSecurityInstruments(this.registry)
  readonly aggregation = new AggregationInstruments(this.registry)
  readonly allocations: AllocationMetrics
  readonly definitions = new DefinitionMetrics(this.registry)
  readonly election = new ElectionMetrics(this.registry)
  readonly events = new EventMetrics(this.registry)
  readonly signing = new SigningMetrics(this.registry)
  readonly lists = new ListMetrics(this.registry)
  readonly workQueues: WorkQueueMetrics
  readonly outbound: OutboundMetrics
  private readonly access = new AccessMetrics(this.registry)
  private readonly admission = new AdmissionSteps(this.registry)
  private readonly flowControl = new FlowControlMetrics(this.registry)
  private readonly auditEvents = this.registry.numbers('apiserver_audit_event_total').at({})

  /** @param stopwatch milliseconds from any start */
  constructor(private readonly stopwatch: () => number) {
    this.requests = new RequestMetrics(this.registry, stopwatch())
    this.allocations = new AllocationMetrics(this.registry, stopwatch)
    this.expressions = new ExpressionInstruments(this.registry, stopwatch)
    this.workQueues = new WorkQueueMetrics(this.registry, stopwatch)
    this.outbound = new OutboundMetrics(this.registry, stopwatch)
    this.registry
      .numbers('etcd_object_counts')
      .mirror(this.registry.numbers('apiserver_storage_objects'))
  }

  begin(trace: Trace): void {
    this.requests.begin(trace)
  }

  /**
   * Called when a response is ready or a stream starts. @param bytes length of the body, if known
   */
  responded(trace: Trace, bytes: number | undefined, streams: boolean): void {
    this.requests.responded(trace, bytes, streams)
    this.access.responded(trace)
    if (trace.spans.length > 0) this.admission.responded(trace)
  }

  audited(): void {
    this.auditEvents.value++
  }

  auditFailed(): void {
    this.registry.numbers('apiserver_audit_error_total').at({ plugin: 'log' }).value++
  }

  auditedAt(level: string): void {
    this.registry.numbers('apiserver_audit_level_total').at({ level }).value++
  }

  /** @param levels the stored priority levels */
  readFlows(flows: Flows, levels: readonly PriorityLevel[]): void {
    this.flowControl.read(flows, levels, this.requests.loads, this.stopwatch())
  }

  text({ objects, bytes, gates, build, aggregated, release, showsHidden }: Readings): string {
    const { registry } = this
    this.aggregation.set(aggregated)
    this.requests.read(this.stopwatch())
    this.access.read()
    this.workQueues.read()
    const stored = registry.numbers('apiserver_storage_objects')
    stored.clear()
    for (const [resource, count] of objects) stored.at({ resource }).value = count
    if (bytes !== undefined)
      registry.numbers('apiserver_storage_size_bytes').at(FIRST_STORAGE).value = bytes
    for (const { name, stage, enabled } of gates)
      registry.numbers('kubernetes_feature_enabled').at({ name, stage }).value = enabled ? 1 : 0
    registry.numbers('kubernetes_build_info').at(build).value = 1
    return registry.text({ release, showsHidden })
  }
}
