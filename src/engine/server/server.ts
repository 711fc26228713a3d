/**
 * The API server as one function: `createApiServer(options).fetch(request)`. This file connects all
 * components.
 */

import { AdmissionChain } from '../admission/admission'
import { type PluginSelection, selectionProblems } from '../admission/plugins'
import { withRemoteGroups } from '../aggregation/discovery'
import { RemoteVersions } from '../aggregation/remote-versions'
import type { ServiceClient } from '../aggregation/service-client'
import type { Authenticator, UserInfo } from '../authentication/authenticator'
import { accessQueries } from '../authorization/access-queries/access'
import type { Access } from '../authorization/access-queries/types'
import { alwaysDeny } from '../authorization/always'
import { RoleIndex } from '../authorization/rbac/role-index'
import { type ControllerWrite, WriteCauses } from '../causality/controller-writes'
import { SERVER_LOOPS, startControllers } from '../controllers'
import { clusterAuthenticationTrust } from '../controllers/cluster-authentication-trust'
import { EVENT_TTL, eventExpiry } from '../controllers/event-expiry'
import { kubernetesEndpoints } from '../controllers/kubernetes-endpoints'
import { runLeaderElection } from '../controllers/leader-election'
import { sharedLease } from '../controllers/server-leases'
import { keepLeases } from '../controllers/simulated-nodes/leases'
import { aggregateMessage } from '../core/aggregate-message'
import type { Clock } from '../core/environment'
import { memoizeByArguments } from '../core/identity-memo'
import type { ServedGroup } from '../encoding/discovery'
import { type CustomResource, notSelectable, selectableIfAny } from '../encoding/openapi/custom'
import { Definitions } from '../extensions/definitions'
import { DocumentedDefinitions } from '../extensions/documented-definitions'
import { startExtensions } from '../extensions/extensions'
import { Flows } from '../flow-control/flows'
import { compressed, isCompressible } from '../http/compression'
import { clearEncodedCache } from '../http/encoded-cache'
import { OpenStreams, throughFetch } from '../http/fetch-adapter'
import type { ApiRequest, ApiResponse } from '../http/messages'
import { describeResource, readMetrics } from '../http/metrics'
import { OpenWatchGroups } from '../http/watch-groups'
import { ensureBootstrapObjects, restoreRoles } from '../kinds/bootstrap'
import { DEFAULT_TIME_LIMITS, type Engine } from '../registry/engine'
import { ServerState } from '../registry/server-state'
import { reviewRepairs } from '../repair/review'
import { SimulatedState } from '../simulation/pod-state'
import { COMPACTION_MILLISECONDS, compactRegularly } from '../storage/compaction-timer'
import type { Storage } from '../storage/storage'
import { type Audit, Observer } from '../telemetry/observer'
import { withLoggedFailures } from '../telemetry/outbound-failures'
import { readProcess } from '../telemetry/process-metrics'
import type { Trace } from '../telemetry/trace'
import { Work } from '../time/work'
import type { Service } from '../webhooks/client'
import { authenticationOf, authoritiesOf, authorizationOf, certificatesOf } from './access-options'
import { pluginsOf } from './admission-plugins'
import { branchesOf } from './branches'
import { countEvents } from './event-counts'
import { knownControllers, nodePortsOf, releaseOf, serviceRangesOf } from './option-checks'
import { OptionError } from './option-error'
import { callFromPod } from './pod-requests'
import { Readiness } from './readiness'
import { handleRequest, type PipelineDependencies } from './request-pipeline'
import { servedApi } from './served-api'
import { servedResources } from './served-resources'
import type { ApiServerOptions } from './server-options'
import { withSimulatedServices } from './simulated-services'

export type { ControllerWrite }
export { OptionError }

export interface ApiServer {
  fetch(request: Request): Promise<Response>
  /** Like `fetch`, with another path and query, for hosts that serve the engine below a path. */
  fetchTarget(request: Request, target: string): Promise<Response>
  /** Handles a request without the classes of the Fetch API. */
  handle(request: ApiRequest): Promise<ApiResponse>
  storage: Storage
  /** Handles a request of a user who is authenticated already. */
  handleAs(user: UserInfo, request: ApiRequest): Promise<ApiResponse>
  /** Access queries to the authorizers in use. */
  access: Access
  /** Notifies of every finished request. @returns a function that stops it */
  onTrace(listener: (trace: Trace) => void): () => void
  /** The latest writes of controllers, oldest first, with the changes that caused them. */
  controllerWrites(): ControllerWrite[]
  /** undefined disables auditing. */
  setAudit(audit: Audit | undefined): void
  /** Resolves when the bootstrap objects exist. The first request waits for it too. */
  ready(): Promise<void>
  /** Ends open watches and other streams, and rejects new watches with Retry-After. */
  drain(): void
  resume(): void
  /** Ends watches and closes the storage. */
  close(): Promise<void>
}

const SERVICES = '/registry/services/specs/'

/** @throws OptionError */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const plugins: PluginSelection = {
    enable: options.enableAdmissionPlugins ?? [],
    disable: options.disableAdmissionPlugins ?? [],
  }
  const release = releaseOf(options.release)
  const problems = selectionProblems(plugins, release)
  if (problems.length > 0) throw new OptionError(aggregateMessage(problems))
  const served = servedApi(options, release)
  const { tables, featureGates, resources } = served
  const wallClock = wallClockOf(options)
  const { clock, random, storage, stopwatch, audit, defer = soon } = options
  options.storage.onListenerFailure?.((error) =>
    options.log.error('a follower of the store failed on an event', error),
  )
  const observer = new Observer({
    clock,
    random,
    log: options.log,
    stopwatch,
    audit,
    describe: describeResource(resources, release),
  })
  const outbound =
    options.outbound &&
    withLoggedFailures(observer.metrics.outbound.counted(options.outbound), options.log)
  const counted = { ...options, ...(outbound && { outbound }) }
  const toServices = withSimulatedServices(outbound, () => engine)
  const readService = async (namespace: string, name: string) =>
    (await storage.get(`${SERVICES}${namespace}/${name}`))?.object as Service | undefined
  const definitions = new Definitions(
    resources,
    served.builtin as ServedGroup[],
    {
      clock: wallClock,
      random,
      outbound: toServices,
      metrics: observer.metrics.webhooks,
      readService,
    },
    new DocumentedDefinitions(observer.metrics.definitions),
  )
  const remotes = new RemoteVersions()
  const { proxyIdentity } = options
  const reach: ServiceClient = {
    clock: wallClock,
    outbound,
    readService,
    ...(proxyIdentity ? { identity: proxyIdentity } : {}),
    unavailable: (name, reason) => observer.metrics.aggregation.unavailable(name, reason),
  }
  const groups = memoizeByArguments(() => withRemoteGroups(definitions.groups(), remotes))
  const methods = authenticationOf(
    { ...counted, clock: wallClock },
    { featureGates, tables },
    observer.metrics.authentication,
    () => engine,
  )
  const asDocumented = !featureGates.CustomResourceFieldSelectors
    ? notSelectable
    : tables.changes.has('EmptySelectableFieldsOmitted')
      ? selectableIfAny
      : (resource: CustomResource) => resource
  const engine: Engine = {
    storage: options.storage,
    clock: options.clock,
    wallClock,
    random: options.random,
    log: options.log,
    yieldToHost: () => new Promise((resolve) => defer(resolve)),
    model: served.types,
    resources,
    admission: new AdmissionChain([]),
    authorizer: alwaysDeny,
    roles: new RoleIndex(options.storage),
    flows: new Flows(options.storage, observer.stopwatch, tables),
    ...methods,
    groups: () =>
      remotes.size === 0 ? definitions.groups() : groups([definitions.groups(), remotes.changes]),
    customResources: () => definitions.customResources().map(asDocumented),
    remotes,
    reach,
    watches: { open: new Map(), draining: false },
    watchGroups: new OpenWatchGroups(options.storage),
    controllerWrites: new WriteCauses(),
    simulation: new SimulatedState(),
    state: new ServerState(),
    beforeRead: new Map(),
    tables,
    release: served.identity,
    featureGates,
    serviceRanges: serviceRangesOf(options.serviceRanges),
    nodePorts: nodePortsOf(options.nodePortRange),
    timeLimits: { ...DEFAULT_TIME_LIMITS, ...options.timeLimits },
    serverAddress: options.serverAddress ?? '127.0.0.1:6443',
    ...(options.signatures ? { signatures: options.signatures } : {}),
    ...(options.signingAuthority ? { signingAuthority: options.signingAuthority } : {}),
    expressionTimes: observer.metrics.expressions,
    allocations: observer.metrics.allocations,
    lists: observer.metrics.lists,
    workQueues: observer.metrics.workQueues,
    election: observer.metrics.election,
    signing: observer.metrics.signing,
    metrics: () => {
      readProcess(observer.metrics.registry, options.process?.())
      return readMetrics(engine, observer.metrics)
    },
    reviewRepairs: (review, caller) =>
      reviewRepairs(
        branchesOf(options, { create: createApiServer, engine, handleOf, defer }, caller),
        review,
      ),
    ...(options.health ? { health: options.health } : {}),
  }
  engine.admission = new AdmissionChain(
    pluginsOf(engine, { ...counted, outbound: toServices }, plugins, observer),
  )
  const authorization = authorizationOf(counted, engine, observer.metrics.authorization)
  engine.authorizer = authorization.authorizer
  const { compactionInterval = COMPACTION_MILLISECONDS } = options
  const stopCompacting = compactRegularly(options.storage, clock, compactionInterval, (error) =>
    options.log.error('compaction failed', error),
  )
  const { compress } = options
  const compressesLarge = engine.featureGates.APIResponseCompression === true
  const controllers = knownControllers(options.controllers ?? [])
  const runsControllers =
    controllers.length + Number(options.scheduler ?? false) + (options.nodes ?? 0) > 0
  const work = new Work(options.working)
  const stops: (() => undefined | void | Promise<void>)[] = []
  let startsAfterFirstRequest = runsControllers
  let closed = false

  const proved = certificatesOf(engine, options.ownAuthority)
  const readiness = new Readiness(async () => {
    const changed = await ensureBootstrapObjects(engine, authorization.usesRoles)
    stops.push(countEvents(engine, observer.metrics.events))
    stops.push(await startExtensions(engine, definitions))
    if (changed.length > 0)
      defer(() => {
        restoreRoles(engine, changed).catch((error: unknown) =>
          options.log.error('roles could not be restored', error),
        )
      })
    for (const run of [...SERVER_LOOPS, eventExpiry(options.eventTtl ?? EVENT_TTL)])
      stops.push(run(engine))
    const lease = options.electionIdentity === undefined ? undefined : sharedLease
    if (options.advertised) stops.push(kubernetesEndpoints(options.advertised, lease)(engine))
    // The first response does not wait for the generation of a certificate authority.
    authoritiesOf(engine, options).then(
      (authorities) =>
        !closed &&
        stops.push(clusterAuthenticationTrust(authorities, options.proxyHeaders)(engine)),
      (error: unknown) =>
        options.log.error('the authorities of clients cannot be published', error),
    )
  })
  const parts: PipelineDependencies = { engine, observer, readiness }

  const streams = new OpenStreams()

  async function handle(sent: ApiRequest): Promise<ApiResponse> {
    const arrived = options.ownAuthority === undefined ? sent : await proved(sent)
    const response = await serve(arrived, engine.authenticator)
    return compress !== undefined && isCompressible(arrived, response, compressesLarge)
      ? compressed(response, compress)
      : response
  }

  async function serve(request: ApiRequest, identify: Authenticator): Promise<ApiResponse> {
    work.begin()
    try {
      const response = await handleRequest(parts, observer.begin(request), identify)
      if (startsAfterFirstRequest) startLoops()
      return response
    } finally {
      work.end()
    }
  }

  const identityOfUser = (user: UserInfo): Authenticator => ({
    authenticate: () => ({ user, audiences: engine.audiences }),
  })

  engine.simulation.network.callApi = (request) => callFromPod(handle, request)

  function handleOf(user: UserInfo, request: ApiRequest): Promise<ApiResponse> {
    const observation = observer.begin(request)
    observation.trace.inside = true
    return handleRequest(parts, observation, identityOfUser(user))
  }

  /** Controllers start after the first response, so that it does not wait for them. */
  function startLoops(): void {
    startsAfterFirstRequest = false
    work.deferring(defer)(() => {
      const { scheduler = false, nodes = 0 } = options
      const runtime = { engine, serve: handleOf, defer, work }
      const begin = () => {
        if (closed) return () => {}
        const stop = startControllers({ controllers, scheduler, nodes }, runtime)
        stops.push(stop)
        return stop
      }
      if (closed) return
      if (nodes > 0) stops.push(keepLeases(nodes, runtime))
      if (options.campaign) stops.push(options.campaign(begin))
      else if (options.electionIdentity !== undefined)
        stops.push(runLeaderElection(runtime, options.electionIdentity, begin))
      else begin()
    })
  }

  return {
    handle,
    handleAs: (user, request) => serve(request, identityOfUser(user)),
    fetch: (request) => throughFetch(handle, streams, request),
    fetchTarget: (request, target) => throughFetch(handle, streams, request, target),
    ready: () => readiness.reached(),
    drain() {
      engine.watches.draining = true
      for (const end of [...engine.watches.open.keys()]) end()
      streams.drain()
    },
    resume() {
      engine.watches.draining = false
      streams.resume()
    },
    storage: options.storage,
    access: accessQueries({
      storage: options.storage,
      roles: engine.roles,
      row: authorization.row,
      resources: () => servedResources(engine.groups()),
    }),
    controllerWrites: () => engine.controllerWrites.all(),
    onTrace: (listener) => observer.onTrace(listener),
    setAudit(given) {
      observer.audit = given
    },
    close() {
      closed = true
      stopCompacting()
      authorization.stop()
      methods.stop()
      const ends = stops.flatMap((stop) => stop() ?? [])
      const release = () => {
        clearEncodedCache()
        return options.storage.close()
      }
      return ends.length === 0 ? release() : Promise.all(ends).then(release)
    },
  }
}

function wallClockOf({ clock, timers }: ApiServerOptions): Clock {
  return timers === undefined
    ? clock
    : { now: () => clock.now(), after: (milliseconds, run) => timers.after(milliseconds, run) }
}

const soon = (run: () => void): void => void Promise.resolve().then(run)
