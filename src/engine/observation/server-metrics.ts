/** The metrics of the server, by the names, labels and buckets of the real one (public documentation, "Kubernetes metrics reference"). */

import { entryOf } from '../object'
import { AdmissionInstruments } from './admission-metrics'
import { AggregationInstruments } from './aggregation-metrics'
import { AuthenticationInstruments } from './authentication-metrics'
import { AuthorizationInstruments } from './authorization-metrics'
import { ExpressionInstruments } from './expression-metrics'
import { FlowControlInstruments } from './flow-control-metrics'
import { type Cell, type Distribution, Histogram, type Instrument, type Labels, Numbers } from './instruments'
import { PodSecurityInstruments } from './pod-security-metrics'
import { countsSize, labelsOf, namelessLabels, scopeOf } from './request-labels'
import type { Asked, Span, Trace } from './trace'
import { WebhookInstruments } from './webhook-metrics'

const SECONDS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60]
const ADMISSION_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30]
const BYTES = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

/**
 * So many resources and paths are told apart of those that nothing is known to serve: clients make their names up, and each would
 * be counted for as long as the server lives.
 */
const MOST_NAMES = 1000
/** Answers to requests for paths that are not there, or were refused before anything looked. */
const UNANSWERED = new Set([401, 403, 404])
/** The name of what is asked for and not told apart. */
const NO_NAME = ''

/** Requests that are alike to the metrics, and what they count into. */
interface RequestKind {
  status: number
  method: string
  verb: string
  subresource: string
  scope: string
  dryRun: boolean
  apply: boolean
  requests: Cell
  durations: Distribution
  sizes: Distribution
}

/** What is read when somebody asks. */
export interface Readings {
  /** Stored objects by `pods`, `deployments.apps`. */
  objects: Map<string, number>
  gates: { name: string; stage: string; enabled: boolean }[]
  /** Whether an aggregated version can be asked, by the name of its APIService. */
  aggregated: Map<string, boolean>
  build: Labels
  /** The release that the server is, and whether it shows what it would hide. */
  release: string
  showsHidden: boolean
}

const OBJECT_COUNTS_DEPRECATED = '1.22'
/** So many releases after its deprecation a metric is hidden; one later it is gone (document 1, "Deprecation rules"). */
const HIDDEN_AFTER = 3

/** Whether a deprecated metric is still there to be seen. */
function isExposed(deprecated: string, release: string, showsHidden: boolean): boolean {
  const [since, now] = [deprecated, release].map((text) => Number(text.split('.')[1])) as [number, number]
  return now < since + HIDDEN_AFTER || (now === since + HIDDEN_AFTER && showsHidden)
}

export class ServerMetrics {
  readonly authentication = new AuthenticationInstruments()
  readonly authorization = new AuthorizationInstruments()
  readonly webhooks = new WebhookInstruments()
  readonly admissionCalls = new AdmissionInstruments()
  readonly podSecurity = new PodSecurityInstruments()
  readonly expressions: ExpressionInstruments
  readonly aggregation = new AggregationInstruments()
  readonly flowControl = new FlowControlInstruments()
  private readonly requests = new Numbers(
    {
      name: 'apiserver_request_total',
      stability: 'STABLE',
      help: 'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
    },
    'counter',
  )
  private readonly durations = new Histogram(
    {
      name: 'apiserver_request_duration_seconds',
      stability: 'STABLE',
      help: 'Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
    },
    SECONDS,
  )
  private readonly sizes = new Histogram(
    {
      name: 'apiserver_response_sizes',
      stability: 'STABLE',
      help: 'Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.',
    },
    BYTES,
  )
  private readonly inFlight = new Numbers(
    {
      name: 'apiserver_current_inflight_requests',
      stability: 'STABLE',
      help: 'Maximal number of currently used inflight request limit of this apiserver per request kind in last second.',
    },
    'gauge',
  )
  private readonly longRunning = new Numbers(
    {
      name: 'apiserver_longrunning_requests',
      stability: 'STABLE',
      help: 'Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component. Not all requests are tracked this way.',
    },
    'gauge',
  )
  private readonly watchEvents = new Numbers(
    { name: 'apiserver_watch_events_total', stability: 'ALPHA', help: 'Number of events sent in watch clients' },
    'counter',
  )
  private readonly deprecated = new Numbers(
    {
      name: 'apiserver_requested_deprecated_apis',
      stability: 'STABLE',
      help: 'Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.',
    },
    'gauge',
  )
  private readonly admissionPlugins = new Histogram(
    {
      name: 'apiserver_admission_controller_admission_duration_seconds',
      stability: 'STABLE',
      help: 'Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
    },
    ADMISSION_SECONDS,
  )
  private readonly admissionSteps = new Histogram(
    {
      name: 'apiserver_admission_step_admission_duration_seconds',
      stability: 'STABLE',
      help: 'Admission sub-step latency histogram in seconds, broken out for each operation and API resource and step type (validate or admit).',
    },
    ADMISSION_SECONDS,
  )
  private readonly storage = new Numbers(
    {
      name: 'apiserver_storage_objects',
      stability: 'STABLE',
      help: 'Number of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
    },
    'gauge',
  )
  /** What counted stored objects before `apiserver_storage_objects` did. */
  private readonly objectCounts = new Numbers(
    {
      name: 'etcd_object_counts',
      stability: 'ALPHA',
      help: 'Number of stored objects at the time of last check split by kind.',
      deprecated: OBJECT_COUNTS_DEPRECATED,
    },
    'gauge',
  )
  private readonly auditEvents = new Numbers(
    { name: 'apiserver_audit_event_total', stability: 'ALPHA', help: 'Counter of audit events generated and sent to the audit backend.' },
    'counter',
  )
  private readonly gates = new Numbers(
    {
      name: 'kubernetes_feature_enabled',
      stability: 'BETA',
      help: 'This metric records the data about the stage and enablement of a k8s feature.',
    },
    'gauge',
  )
  private readonly build = new Numbers(
    {
      name: 'kubernetes_build_info',
      stability: 'ALPHA',
      help: "A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.",
    },
    'gauge',
  )

  /** What requests of one kind count into, found once: every request passes here. */
  private readonly kinds = new WeakMap<object, RequestKind[]>()
  /** Of requests for what is no resource, or is served elsewhere or not at all, by what it is called: at most so many. */
  private readonly otherKinds = new Map<string, RequestKind[]>()

  /** @param stopwatch milliseconds from any start */
  constructor(stopwatch: () => number) {
    this.expressions = new ExpressionInstruments(stopwatch)
  }

  begin(trace: Trace): void {
    this.inFlightOf(trace).value++
  }

  /** A request was answered; a stream only begins then. @param bytes length of the body, where it is known */
  answered(trace: Trace, bytes: number | undefined, streams: boolean): void {
    this.inFlightOf(trace).value--
    const { requests, durations, sizes } = this.kindOf(trace)
    requests.value++
    if (!streams) durations.observe(trace.elapsed() / 1000)
    if (bytes !== undefined && countsSize(trace)) sizes.observe(bytes)
    if (trace.spans.length > 0) this.admission(trace)
  }

  streamBegins(trace: Trace): void {
    this.longRunning.at(labelsOf(trace)).value++
  }

  streamEnds(trace: Trace): void {
    this.longRunning.at(labelsOf(trace)).value--
    this.kindOf(trace).durations.observe(trace.elapsed() / 1000)
  }

  /** @param labels of the kind of the objects that are watched @returns what its events count into */
  watchEventsOf(labels: { group: string; version: string; kind: string }): Cell {
    return this.watchEvents.at(labels)
  }

  deprecatedUse({ group, version, resource, subresource }: Asked, removedRelease: string): void {
    this.deprecated.at({ group, version, resource, subresource, removed_release: removedRelease }).value = 1
  }

  audited(): void {
    this.auditEvents.at({}).value++
  }

  private readonly inFlightByKind = {
    mutating: this.inFlight.at({ request_kind: 'mutating' }),
    readOnly: this.inFlight.at({ request_kind: 'readOnly' }),
  }

  private inFlightOf({ method }: Trace): Cell {
    return isMutating(method) ? this.inFlightByKind.mutating : this.inFlightByKind.readOnly
  }

  private kindOf(trace: Trace): RequestKind {
    const { asked, status, method, dryRun, apply } = trace
    const name = trace.resource === undefined ? this.nameOf(trace) : undefined
    const named = name === NO_NAME ? undefined : asked
    const verb = named?.verb ?? ''
    const subresource = named?.subresource ?? ''
    const scope = named?.isResource ? scopeOf(named) : ''
    const kinds = this.kindsOf(trace, name)
    // A resource is asked for in few ways, the usual ones from the beginning on.
    for (const kind of kinds) {
      const isSo = kind.status === status && kind.method === method && kind.verb === verb && kind.scope === scope
      if (isSo && kind.subresource === subresource && kind.dryRun === dryRun && kind.apply === apply) return kind
    }
    const labels = name === NO_NAME ? namelessLabels(trace) : labelsOf(trace)
    const dry = { ...labels, dry_run: dryRun ? 'All' : '' }
    const counted = {
      requests: this.requests.at({ ...dry, code: String(status) }),
      durations: this.durations.at(dry),
      sizes: this.sizes.at(labels),
    }
    const found: RequestKind = { status, method, verb, subresource, scope, dryRun, apply, ...counted }
    kinds.push(found)
    return found
  }

  /** What is asked for, as requests for it are told from others. */
  private nameOf({ asked, status, unserved }: Trace): string {
    if (asked === undefined || unserved || (!asked.isResource && UNANSWERED.has(status))) return NO_NAME
    const name = asked.isResource ? `${asked.group} ${asked.version} ${asked.resource} ${asked.subresource}` : asked.path
    return this.otherKinds.size < MOST_NAMES || this.otherKinds.has(name) ? name : NO_NAME
  }

  /** The kinds of requests so far for what a request asks for. */
  private kindsOf({ resource }: Trace, name = NO_NAME): RequestKind[] {
    if (resource !== undefined) {
      let kinds = this.kinds.get(resource)
      if (kinds === undefined) this.kinds.set(resource, (kinds = []))
      return kinds
    }
    let kinds = this.otherKinds.get(name)
    if (kinds === undefined) this.otherKinds.set(name, (kinds = []))
    return kinds
  }

  /** The metrics as text. */
  text({ objects, gates, build, aggregated, release, showsHidden }: Readings): string {
    this.aggregation.set(aggregated)
    this.storage.clear()
    this.objectCounts.clear()
    const counted = [this.storage, ...(isExposed(OBJECT_COUNTS_DEPRECATED, release, showsHidden) ? [this.objectCounts] : [])]
    for (const [resource, count] of objects) for (const instrument of counted) instrument.at({ resource }).value = count
    for (const { name, stage, enabled } of gates) this.gates.at({ name, stage }).value = enabled ? 1 : 0
    this.build.at(build).value = 1
    const instruments: Instrument[] = [
      this.admissionPlugins,
      this.admissionSteps,
      this.auditEvents,
      this.authentication,
      this.authorization,
      this.webhooks,
      this.admissionCalls,
      this.podSecurity,
      this.expressions,
      this.aggregation,
      this.flowControl,
      this.inFlight,
      this.longRunning,
      this.durations,
      this.requests,
      this.deprecated,
      this.sizes,
      this.storage,
      this.objectCounts,
      this.watchEvents,
      this.build,
      this.gates,
    ]
    const lines: string[] = []
    for (const instrument of instruments) instrument.write(lines, release)
    return `${lines.join('\n')}\n`
  }

  private admission({ spans, asked, failure, current }: Trace): void {
    const operation = entryOf(OPERATIONS, asked?.verb ?? '')
    if (operation === undefined) return
    const { passed, rejected } = this.admissionSeries(operation)
    const seconds = { admit: 0, validate: 0 }
    let stopped: keyof typeof seconds | undefined
    for (const span of spans) {
      const type = admissionType(span)
      if (type === undefined) continue
      const isRejected = failure !== undefined && span === current
      if (isRejected) stopped = type
      seconds[type] += span.duration / 1000
      if (span.part === undefined) continue
      const series = isRejected ? rejected : passed
      series[type].ofPlugin(span.part).observe(span.duration / 1000)
    }
    for (const type of ADMISSION_TYPES) {
      if (stopped === type) rejected[type].step.observe(seconds[type])
      else if (seconds[type] > 0) passed[type].step.observe(seconds[type])
    }
  }

  private readonly admissionByOperation = new Map<string, Record<'passed' | 'rejected', Record<AdmissionType, AdmissionSeries>>>()

  private admissionSeries(operation: string): Record<'passed' | 'rejected', Record<AdmissionType, AdmissionSeries>> {
    let found = this.admissionByOperation.get(operation)
    if (found === undefined) {
      const series = (type: AdmissionType, rejected: boolean) =>
        new AdmissionSeries({ operation, type, rejected: String(rejected) }, this.admissionSteps, this.admissionPlugins)
      const both = (rejected: boolean) => ({ admit: series('admit', rejected), validate: series('validate', rejected) })
      this.admissionByOperation.set(operation, (found = { passed: both(false), rejected: both(true) }))
    }
    return found
  }
}

/** What one kind of step counts into: the step as a whole, and each of its plugins, found once. */
class AdmissionSeries {
  private readonly plugins = new Map<string, Distribution>()
  private whole: Distribution | undefined

  constructor(
    private readonly labels: Labels,
    private readonly steps: Histogram,
    private readonly all: Histogram,
  ) {}

  get step(): Distribution {
    this.whole ??= this.steps.at(this.labels)
    return this.whole
  }

  ofPlugin(name: string): Distribution {
    let found = this.plugins.get(name)
    if (found === undefined) this.plugins.set(name, (found = this.all.at({ ...this.labels, name })))
    return found
  }
}

const ADMISSION_TYPES = ['admit', 'validate'] as const
type AdmissionType = (typeof ADMISSION_TYPES)[number]

function admissionType({ stage }: Span): AdmissionType | undefined {
  if (stage === 'mutating admission') return 'admit'
  return stage === 'validating admission' ? 'validate' : undefined
}

const OPERATIONS: Record<string, string> = {
  create: 'CREATE',
  update: 'UPDATE',
  patch: 'UPDATE',
  delete: 'DELETE',
  deletecollection: 'DELETE',
}
const isMutating = (method: string): boolean => method === 'POST' || method === 'PUT' || method === 'PATCH' || method === 'DELETE'
