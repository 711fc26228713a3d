/**
 * Connections between pods: resolves names, selects endpoints of services as kube-proxy does, and
 * checks NetworkPolicies. Each connection has the hops that explain it.
 */
import { hostnameOf } from '../environment'
import type { FileSystem } from '../script/files'
import { listenersOf, type Served } from '../servers'
import { isAddress } from './addresses'
import type {
  Connected,
  DnsResponse,
  HostFiles,
  HttpRequest,
  HttpResponse,
  LiveClient,
  OpenConnection,
  RecordType,
} from './client'
import {
  type ClusterObjects,
  isApi,
  type NetworkContainer,
  type NetworkPod,
  type NetworkService,
  type ServicePort,
} from './cluster'
import { candidates, endpointsOf, hostsAddress, recordsOf, resolverIn } from './names'
import type { NetworkState } from './network-state'
import { denial, type Side } from './policies'
import { serve, serveDatagram } from './responses'

export type Protocol = 'TCP' | 'UDP'

const DNS_PORT = 53
const AFFINITY_SECONDS = 10_800
/** Client ports of Linux begin here. */
const FIRST_CLIENT_PORT = 32_768
const CLIENT_PORTS = 28_232
const MOST_ALIASES = 8

export class Network {
  constructor(
    private readonly objects: ClusterObjects,
    private readonly state: NetworkState,
    readonly now: number,
  ) {}

  /** The access of a pod to the network; without a pod that of a node. */
  from(
    pod: NetworkPod | undefined,
    files: () => HostFiles = () => ({ resolver: '', hosts: '' }),
  ): NetworkAccess {
    return new NetworkAccess(this, pod, files)
  }

  /** The access of the program of a container, with its files. */
  fromContainer(pod: NetworkPod, container: NetworkContainer, other: () => HostFiles) {
    return this.from(pod, () => {
      const files = this.filesOf(pod, container)
      if (files === undefined) return other()
      const read = (path: string) => files.read(path) ?? ''
      return { resolver: read('/etc/resolv.conf'), hosts: read('/etc/hosts') }
    })
  }

  memoryOf(pod: NetworkPod, { name = '' }: NetworkContainer): Map<string, unknown> {
    return this.state.memoryOf?.(pod, name) ?? new Map()
  }

  records(name: string, type: RecordType): readonly string[] | undefined {
    return recordsOf(name, type, this.objects)
  }

  /** @param named `namespace/name` */
  podNamed(named: string): NetworkPod | undefined {
    return this.objects.pods.find(
      ({ metadata: { namespace, name } }) => `${namespace}/${name}` === named,
    )
  }

  podAt(ip: string, withHost = false): NetworkPod | undefined {
    return this.objects.pods.find(
      ({ spec, status }) =>
        status?.podIP === ip &&
        (withHost || !spec?.hostNetwork) &&
        status.phase !== 'Succeeded' &&
        status.phase !== 'Failed',
    )
  }

  nextClientPort(): number {
    return FIRST_CLIENT_PORT + (this.state.connections++ % CLIENT_PORTS)
  }

  denial(from: Side, to: Side, port: number, protocol: Protocol): string | undefined {
    return denial({ from, to, port, protocol }, this.objects)
  }

  log(pod: NetworkPod, { name = '' }: NetworkContainer, text: string): void {
    this.state.log?.(pod, name, this.now, text)
  }

  filesOf(pod: NetworkPod, container: NetworkContainer): FileSystem | undefined {
    return this.state.filesOf?.(pod, container)
  }

  get callApi() {
    return this.state.callApi
  }

  /** The service that owns an address and port, as the rules of kube-proxy have it. */
  serviceAt(ip: string, port: number, protocol: Protocol) {
    const isNode = this.nodeAt(ip) !== undefined
    for (const service of this.objects.services) {
      const { spec, status } = service
      const ingress = status?.loadBalancer?.ingress?.map((one) => one.ip) ?? []
      const own = [spec?.clusterIP, ...(spec?.externalIPs ?? []), ...ingress]
      const found = spec?.ports?.find(
        (one) =>
          (one.protocol ?? 'TCP') === protocol &&
          (own.includes(ip) ? one.port === port : isNode && one.nodePort === port),
      )
      if (found) return { service, port: found, isExternal: spec?.clusterIP !== ip }
    }
    return undefined
  }

  /** Whether the address is that of a service, on whatever port. */
  isServiceAddress(ip: string): boolean {
    return this.objects.services.some(({ spec }) => spec?.clusterIP === ip)
  }

  /** Whether the API server advertises the address. */
  isApiAt(ip: string, port: number): boolean {
    return this.objects.slices.some(
      ({ metadata, endpoints, ports }) =>
        metadata.namespace === 'default' &&
        metadata.name === 'kubernetes' &&
        (ports ?? []).some((one) => one.port === port) &&
        (endpoints ?? []).some(({ addresses = [] }) => addresses.includes(ip)),
    )
  }

  nodeAt(ip: string): ClusterObjects['nodes'][number] | undefined {
    return this.objects.nodes.find(({ status }) =>
      status?.addresses?.some(({ address }) => address === ip),
    )
  }

  /** @returns the endpoint for a client; undefined if there is none */
  select(
    service: NetworkService,
    port: ServicePort,
    client: Side,
    node: string | undefined,
  ): { ip: string; port: number } | undefined {
    const { metadata, spec } = service
    const key = `${metadata.namespace}/${metadata.name}:${port.port}`
    const found = endpointsOf(service, this.objects.slices).flatMap(({ ip, portOf, endpoint }) => {
      const number = portOf(port.name)
      const isLocal = node === undefined || endpoint.nodeName === node
      return number === undefined || !isLocal ? [] : [{ ip, port: number }]
    })
    if (found.length === 0) return undefined
    const { turns, affinities } = this.state
    const affinity = `${key} ${client.ip}`
    if (spec?.sessionAffinity === 'ClientIP') {
      const known = affinities.get(affinity)
      const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? AFFINITY_SECONDS
      const kept = found.find(({ ip }) => ip === known?.ip)
      if (known && kept && known.at + seconds * 1000 > this.now) {
        known.at = this.now
        return kept
      }
    }
    const turn = turns.get(key) ?? 0
    turns.set(key, turn + 1)
    const selected = found[turn % found.length]
    if (selected) affinities.set(affinity, { ip: selected.ip, at: this.now })
    return selected
  }

  /** The container that has a port of a node, at one of its addresses. */
  hostPortOn(node: string | undefined, ip: string, port: number, protocol: Protocol) {
    for (const { spec, status } of this.objects.pods) {
      if (node === undefined || spec?.nodeName !== node || !status?.podIP) continue
      for (const { ports = [] } of (spec.containers ?? []) as NetworkContainer[]) {
        const found = ports.find(
          (one) =>
            one.hostPort === port &&
            (one.protocol ?? 'TCP') === protocol &&
            ['', '0.0.0.0', ip].includes(one.hostIP ?? ''),
        )
        if (found) return { ip: status.podIP, port: found.containerPort }
      }
    }
    return undefined
  }
}

export class NetworkAccess implements LiveClient {
  private readonly side: Side
  private known: HostFiles | undefined

  constructor(
    private readonly network: Network,
    private readonly pod: NetworkPod | undefined,
    private readonly filesNow: () => HostFiles,
  ) {
    this.side = { ip: pod?.status?.podIP ?? '', pod }
  }

  private get files(): HostFiles {
    this.known ??= this.filesNow()
    return this.known
  }

  /**
   * Resolves a name with the files of the container.
   * @returns undefined if no name of the search path exists; `timeout` without a server
   */
  lookUp(name: string, type: RecordType = 'A'): DnsResponse | 'timeout' | undefined {
    const resolver = resolverIn(this.files.resolver)
    const [server] = resolver.servers
    if (server === undefined || this.dnsDenial(server) !== undefined) return 'timeout'
    for (const candidate of candidates(name, resolver)) {
      const records = this.network.records(candidate, type)
      if (records !== undefined) return { name: candidate, records }
    }
    return undefined
  }

  /** The servers that `/etc/resolv.conf` names. */
  get servers(): readonly string[] {
    return resolverIn(this.files.resolver).servers
  }

  private dnsDenial(ip: string): string | undefined {
    const metadata = {
      name: 'kube-dns',
      namespace: 'kube-system',
      labels: { 'k8s-app': 'kube-dns' },
    }
    return this.network.denial(this.side, { ip, pod: { metadata } }, DNS_PORT, 'UDP')
  }

  /** @returns an address; undefined if the name has none */
  addressOf(host: string): string | 'timeout' | undefined {
    if (isAddress(host)) return host
    if (host === 'localhost') return '127.0.0.1'
    const own = hostsAddress(this.files.hosts, host)
    if (own !== undefined) return own
    const response = this.lookUp(host)
    if (response === undefined || response === 'timeout') return response
    let { records } = response
    for (let aliases = 0; aliases < MOST_ALIASES && !records.some(isAddress); aliases++)
      records = this.network.records(records[0]?.replace(/\.$/, '') ?? '', 'A') ?? []
    return records.find(isAddress)
  }

  /** @param ip an address, as `addressOf` returns it */
  connect(ip: string, port: number, protocol: Protocol = 'TCP'): Connected {
    const hops: string[] = []
    const at = { ip, port, hops }
    const isOwn = ip === '127.0.0.1' || ip === '::1'
    const { hostNetwork, nodeName } = this.pod?.spec ?? {}
    const node = isOwn ? hostNetwork && nodeName : this.network.nodeAt(ip)?.metadata.name
    const host = this.network.hostPortOn(node || undefined, ip, port, protocol)
    if (isOwn && !host)
      return this.pod ? this.listener(this.pod, at, protocol) : { result: 'closed', ...at }
    const rule = this.network.serviceAt(ip, port, protocol)
    if (rule) {
      const { service, port: servicePort, isExternal } = rule
      const name = `service ${service.metadata.namespace}/${service.metadata.name}`
      if (isApi(service) && this.network.callApi) return this.connectApi(at, name)
      const { internalTrafficPolicy, externalTrafficPolicy } = service.spec ?? {}
      const node = isExternal
        ? externalTrafficPolicy === 'Local'
          ? this.network.nodeAt(ip)?.metadata.name
          : undefined
        : internalTrafficPolicy === 'Local'
          ? this.pod?.spec?.nodeName
          : undefined
      const endpoint = this.network.select(service, servicePort, this.side, node)
      if (endpoint === undefined) {
        hops.push(`${name} has no ready endpoint for port ${port}`)
        return { result: node === undefined ? 'closed' : 'timeout', ...at }
      }
      hops.push(`${name} port ${port} leads to ${endpoint.ip}:${endpoint.port}`)
      return this.connectPod(endpoint.ip, endpoint.port, protocol, hops)
    }
    if (this.network.isServiceAddress(ip)) {
      hops.push(`no service has ${ip} with ${protocol} port ${port}`)
      return { result: 'timeout', ...at }
    }
    if (host) {
      hops.push(`port ${port} of the node leads to ${host.ip}:${host.port}`)
      return this.connectPod(host.ip, host.port, protocol, hops)
    }
    return this.connectPod(ip, port, protocol, hops)
  }

  private connectApi(at: { ip: string; port: number; hops: string[] }, name: string): Connected {
    const reason = this.network.denial(this.side, { ip: at.ip }, at.port, 'TCP')
    at.hops.push(reason ?? `${name} port ${at.port} leads to the API server`)
    return reason === undefined ? { result: 'api', ...at } : { result: 'timeout', ...at }
  }

  /** Sends a request to the API server. @returns undefined if its response is not simulated */
  async callApi(request: HttpRequest): Promise<HttpResponse | undefined> {
    return this.network.callApi?.(request)
  }

  private connectPod(ip: string, port: number, protocol: Protocol, hops: string[]): Connected {
    const at = { ip, port, hops }
    const pod = this.network.podAt(ip)
    const reason = this.network.denial(this.side, { ip, pod }, port, protocol)
    if (reason !== undefined) {
      hops.push(reason)
      return { result: 'timeout', ...at }
    }
    const target = pod ?? this.network.podAt(ip, true)
    if (target) return this.listener(target, at, protocol)
    if (this.network.isApiAt(ip, port) && this.network.callApi) {
      hops.push(`${ip}:${port} is the API server`)
      return { result: 'api', ...at }
    }
    hops.push(`no pod has the address ${ip}`)
    return { result: this.network.nodeAt(ip) ? 'closed' : 'timeout', ...at }
  }

  private listener(
    pod: NetworkPod,
    at: { ip: string; port: number; hops: string[] },
    protocol: Protocol,
  ): Connected {
    const { containers = [], initContainers = [] } = pod.spec ?? {}
    const sidecars = (initContainers as NetworkContainer[]).filter(
      ({ restartPolicy }) => restartPolicy === 'Always',
    )
    const running = [...(containers as NetworkContainer[]), ...sidecars].filter(
      ({ name }) =>
        [
          ...(pod.status?.containerStatuses ?? []),
          ...(pod.status?.initContainerStatuses ?? []),
        ].find((status) => status.name === name)?.state?.running,
    )
    const known = running.map((container) => ({
      container,
      listeners: listenersOf(container as Served),
    }))
    const found = known.find(({ listeners }) =>
      listeners?.some((one) => one.port === at.port && (one.protocol ?? 'TCP') === protocol),
    )
    const name = `pod ${pod.metadata.namespace}/${pod.metadata.name}`
    if (found) {
      const { encrypted = false } = found.listeners?.find(({ port }) => port === at.port) ?? {}
      at.hops.push(`container ${found.container.name} of ${name} listens on port ${at.port}`)
      return { result: 'open', pod, container: found.container, encrypted, ...at }
    }
    const isUnknown = known.some(({ listeners }) => listeners === undefined)
    at.hops.push(
      isUnknown
        ? `the ports of ${name} are not simulated`
        : `no container of ${name} listens on ${protocol} port ${at.port}`,
    )
    return { result: isUnknown ? 'unknown' : 'closed', ...at }
  }

  /** @returns the response of the program; undefined if it is not simulated */
  request(target: OpenConnection, request: HttpRequest): HttpResponse | undefined {
    return serve(request, {
      ...this.around(target),
      access: this.network.fromContainer(target.pod, target.container, this.filesNow),
    })
  }

  /** @returns the datagram that the program sends back; undefined for none */
  datagram(target: OpenConnection, text: string): string | undefined {
    return serveDatagram(text, this.around(target))
  }

  private around({ pod, container, port }: OpenConnection) {
    const began = pod.status?.containerStatuses?.find(({ name }) => name === container.name)?.state
      ?.running?.startedAt
    return {
      container,
      port,
      hostname: hostnameOf(pod),
      client: `${this.side.ip || '127.0.0.1'}:${this.network.nextClientPort()}`,
      now: this.network.now,
      seconds: (this.network.now - Date.parse(began ?? '')) / 1000,
      log: (text: string) => this.network.log(pod, container, text),
      memory: this.network.memoryOf(pod, container),
      files: () => this.network.filesOf(pod, container),
    }
  }
}
