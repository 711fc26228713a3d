/** A request updates two numbers; reading computes the families. */

import { memoizeByIdentity } from '../core/identity-memo'
import { entryOf } from '../core/object'
import type { Tally } from '../flow-control/flows'
import { REQUEST_SECONDS } from './families/family'
import { FLOW_SECONDS } from './families/flow-control'
import { RESPONSE_BYTES } from './families/requests'
import { type Cell, Distribution, type Labels } from './instruments'
import type { MetricRegistry } from './registry'
import { labelsOf, namelessLabels, scopeOf } from './request-labels'
import type { RequestAttributes, Trace } from './trace'

/** Clients can choose names of unserved resources freely. */
const MOST_NAMES = 1000
/** Missing paths, and requests rejected before routing. */
const UNANSWERED = new Set([401, 403, 404])
const NO_NAME = ''

/** Bodies of these verbs are measured. */
const BODY_VERBS: Record<string, string> = {
  create: 'create',
  update: 'update',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete_collection',
}

/** Of all families that are computed from groups. */
const SECONDS = Float64Array.from(new Set([...REQUEST_SECONDS, ...FLOW_SECONDS])).sort()
const BYTES = Float64Array.from(RESPONSE_BYTES)

export class RequestKind {
  requests = 0
  /** Streams last until their end. */
  readonly seconds = new Distribution(SECONDS)
  readonly bytes = new Distribution(BYTES)
  begins: Distribution | undefined
  /** Corrections of `seconds` for requests that waited. */
  withoutWebhooks: Distribution | undefined
  executing: Distribution | undefined

  constructor(
    readonly status: number,
    readonly method: string,
    readonly verb: string,
    readonly subresource: string,
    readonly scope: string,
    readonly dryRun: boolean,
    readonly apply: boolean,
    readonly flow: Tally | undefined,
    private readonly series: Series,
  ) {}

  responded(
    { took, waits, flow, bodyBytes }: Trace,
    bytes: number | undefined,
    streams: boolean,
  ): void {
    this.requests++
    if (bodyBytes !== undefined) this.series.bodies?.observe(bodyBytes)
    const seconds = took / 1000
    if (streams) {
      if (flow === undefined) return
      this.begins ??= new Distribution(SECONDS)
      this.begins.observe(seconds - (waits?.execution ?? 0) / 1000)
      return
    }
    this.seconds.observe(seconds)
    if (bytes !== undefined) this.bytes.observe(bytes)
    if (waits === undefined) return
    this.withoutWebhooks = corrected(
      this.withoutWebhooks,
      seconds,
      (waits.mutatingWebhooks + waits.validatingWebhooks) / 1000,
    )
    this.executing = corrected(this.executing, seconds, waits.execution / 1000)
  }

  read(): void {
    const { requests, durations, levels, sizes, execution } = this.series
    requests.value += this.requests
    durations.add(this.seconds)
    levels.add(this.seconds)
    if (this.withoutWebhooks) levels.add(this.withoutWebhooks)
    sizes.add(this.bytes)
    if (execution === undefined) return
    execution.add(this.begins ?? this.seconds)
    if (this.executing) execution.add(this.executing)
  }
}

/** Replaces an observation by one without a part of its duration. */
function corrected(
  correction: Distribution | undefined,
  seconds: number,
  part: number,
): Distribution | undefined {
  if (part === 0) return correction
  const moved = correction ?? new Distribution(SECONDS)
  moved.observeTimes(seconds, -1)
  moved.observe(seconds - part)
  return moved
}

interface Series {
  requests: Cell
  durations: Distribution
  levels: Distribution
  sizes: Distribution
  execution: Distribution | undefined
  bodies: Distribution | undefined
}

export class RequestKinds {
  private readonly requests
  private readonly durations
  private readonly levels
  private readonly sizes
  private readonly execution
  private readonly bodies
  private readonly all = new Map<string, RequestKind>()
  private readonly ofResource = memoizeByIdentity((_: object): RequestKind[] => [])
  /** By name, at most MOST_NAMES. */
  private readonly others = new Map<string, RequestKind[]>()

  constructor(registry: MetricRegistry) {
    this.requests = registry.numbers('apiserver_request_total')
    this.durations = registry.histogram('apiserver_request_duration_seconds')
    this.levels = registry.histogram('apiserver_request_sli_duration_seconds')
    registry.histogram('apiserver_request_slo_duration_seconds').mirror(this.levels)
    this.sizes = registry.histogram('apiserver_response_sizes')
    this.execution = registry.histogram('apiserver_flowcontrol_request_execution_seconds')
    this.bodies = registry.histogram('apiserver_request_body_size_bytes')
  }

  of(trace: Trace): RequestKind {
    const { attributes, status, method, dryRun, apply, flow } = trace
    const name = trace.resource === undefined ? this.nameOf(trace) : undefined
    const named = name === NO_NAME ? undefined : attributes
    const verb = named?.verb ?? ''
    const subresource = named?.subresource ?? ''
    const scope = named?.isResource ? scopeOf(named) : ''
    const kinds = this.kindsOf(trace, name)
    // Few groups: a linear search is fast.
    for (const kind of kinds) {
      const isSame =
        kind.status === status &&
        kind.method === method &&
        kind.verb === verb &&
        kind.scope === scope &&
        kind.flow === flow
      if (
        isSame &&
        kind.subresource === subresource &&
        kind.dryRun === dryRun &&
        kind.apply === apply
      )
        return kind
    }
    const labels = name === NO_NAME ? namelessLabels(trace) : labelsOf(trace)
    const key = [
      status,
      method,
      verb,
      dryRun,
      apply,
      flow?.schema,
      flow?.level,
      ...Object.values(labels),
    ].join(' ')
    let found = this.all.get(key)
    if (found === undefined) {
      const series = this.seriesOf(labels, trace, verb)
      this.all.set(
        key,
        (found = new RequestKind(
          status,
          method,
          verb,
          subresource,
          scope,
          dryRun,
          apply,
          flow,
          series,
        )),
      )
    }
    kinds.push(found)
    return found
  }

  labelsOf(trace: Trace): Labels {
    return trace.resource === undefined && this.nameOf(trace) === NO_NAME
      ? namelessLabels(trace)
      : labelsOf(trace)
  }

  read(): void {
    this.requests.reset()
    for (const histogram of [this.durations, this.levels, this.sizes, this.execution])
      histogram.reset()
    for (const kind of this.all.values()) kind.read()
  }

  private seriesOf(
    labels: Labels,
    { dryRun, status, flow, resource }: Trace,
    verb: string,
  ): Series {
    const dry = { ...labels, dry_run: dryRun ? 'All' : '' }
    const type = verb === 'watch' ? 'watch' : 'regular'
    const bodyVerb = entryOf(BODY_VERBS, verb)
    return {
      requests: this.requests.at({ ...dry, code: String(status) }),
      durations: this.durations.at(dry),
      levels: this.levels.at(labels),
      sizes: this.sizes.at(labels),
      execution:
        flow && this.execution.at({ priority_level: flow.level, flow_schema: flow.schema, type }),
      bodies:
        resource && bodyVerb
          ? this.bodies.at({ resource: resourceName(labels), verb: bodyVerb })
          : undefined,
    }
  }

  private nameOf({ attributes, status, unserved }: Trace): string {
    if (attributes === undefined || unserved || (!attributes.isResource && UNANSWERED.has(status)))
      return NO_NAME
    const name = nameIn(attributes)
    return this.others.size < MOST_NAMES || this.others.has(name) ? name : NO_NAME
  }

  private kindsOf({ resource }: Trace, name = NO_NAME): RequestKind[] {
    if (resource !== undefined) return this.ofResource(resource)
    let kinds = this.others.get(name)
    if (kinds === undefined) this.others.set(name, (kinds = []))
    return kinds
  }
}

const resourceName = ({ group = '', resource = '' }: Labels): string =>
  group === '' ? resource : `${resource}.${group}`

const nameIn = ({
  isResource,
  group,
  version,
  resource,
  subresource,
  path,
}: RequestAttributes): string =>
  isResource ? `${group} ${version} ${resource} ${subresource}` : path
