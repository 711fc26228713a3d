/**
 * Calls of webhooks whose service leads to a simulated container: the program of the container
 * responds. All other requests go to the host.
 */
import type { Clock } from '../core/environment'
import { entryOf } from '../core/object'
import {
  type Outbound,
  OutboundError,
  type OutboundRequest,
  type OutboundResponse,
} from '../core/outbound'
import type { Engine } from '../registry/engine'
import { storageRange } from '../registry/resource'
import { bytesOfBase64 } from '../schema/base64'
import { flagIn } from '../simulation/agnhost/flags'
import type { HttpResponse, OpenConnection } from '../simulation/network/client'
import {
  type ClusterObjects,
  type NetworkService,
  SERVICE_LABEL,
} from '../simulation/network/cluster'
import { Network, type NetworkAccess } from '../simulation/network/network'
import { isIssuedBy } from '../validation/certificate-structure'
import { pemBlocks } from '../validation/pem'

/** @param outbound absent if the host reaches no other servers */
export function withSimulatedServices(
  outbound: Outbound | undefined,
  engineOf: () => Engine,
): Outbound {
  return {
    ...outbound,
    async post(request, onCancel) {
      const engine = engineOf()
      const reached = await reach(engine, request)
      if (reached !== undefined) return respond(reached, request, engine.wallClock, onCancel)
      if (outbound === undefined) throw new OutboundError('this server has no way to others')
      return outbound.post(request, onCancel)
    },
  }
}

interface Reached {
  access: NetworkAccess
  connection: OpenConnection
  certificate: string | undefined
}

/** @returns undefined unless a simulated program listens with TLS */
async function reach(engine: Engine, { service }: OutboundRequest): Promise<Reached | undefined> {
  const network = service && (await networkBehind(engine, service.namespace, service.name))
  const [found] = network?.services ?? []
  const port = found?.spec?.ports?.find((one) => one.port === service?.port)
  if (network === undefined || found === undefined || port === undefined) return undefined
  const { simulation, clock } = engine
  const view = new Network(network, simulation.network, clock.now())
  const backend = view.select(found, port, { ip: '' }, undefined)
  if (backend === undefined) return undefined
  const access = view.from(undefined)
  const connection = access.connect(backend.ip, backend.port)
  if (connection.result !== 'open' || !connection.encrypted) return undefined
  const { pod, container } = connection
  const file = flagIn(container.args ?? [], '--tls-cert-file')
  const certificate = file && view.filesOf(pod, container)?.read(file)
  return { access, connection, certificate }
}

/** The objects that decide where a service leads. */
async function networkBehind(
  { resources, storage }: Engine,
  namespace: string,
  name: string,
): Promise<ClusterObjects | undefined> {
  const inNamespace = async <Kind>(group: string, plural: string): Promise<Kind[]> => {
    const resource = resources.find(group, 'v1', plural)
    const found = resource ? (await storage.range(storageRange(resource, namespace))).items : []
    return found.map(({ object }) => object as Kind)
  }
  const named = async <Kind>(plural: string, of: string): Promise<Kind[]> => {
    const resource = resources.find('', 'v1', plural)
    const found = resource && (await storage.get(`${storageRange(resource, namespace)}${of}`))
    return found ? [found.object as Kind] : []
  }
  const services = await named<NetworkService>('services', name)
  if (services.length === 0) return undefined
  const all = await inNamespace<ClusterObjects['slices'][number]>(
    'discovery.k8s.io',
    'endpointslices',
  )
  const slices = all.filter(({ metadata }) => entryOf(metadata.labels, SERVICE_LABEL) === name)
  const targets = slices.flatMap(({ endpoints }) =>
    (endpoints ?? []).flatMap(({ targetRef }) => targetRef?.name ?? []),
  )
  const pods = await Promise.all(
    targets.map((target) => named<ClusterObjects['pods'][number]>('pods', target)),
  )
  const policies = await inNamespace<ClusterObjects['policies'][number]>(
    'networking.k8s.io',
    'networkpolicies',
  )
  return { pods: pods.flat(), services, slices, policies, namespaces: [], nodes: [] }
}

/** @throws OutboundError without a trusted certificate, or without a response */
async function respond(
  { access, connection, certificate }: Reached,
  { url, headers, body, certificates }: OutboundRequest,
  clock: Clock,
  onCancel: (run: () => void) => void,
): Promise<OutboundResponse> {
  if (!isTrusted(certificate, certificates))
    throw new OutboundError(
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
    )
  const { pathname, search } = new URL(url)
  const response = access.request(connection, {
    method: 'POST',
    path: `${pathname}${search}`,
    headers,
    body,
  })
  if (response === undefined) throw new OutboundError('EOF')
  await delay(response, clock, onCancel)
  const contentType = response.headers['content-type'] ?? ''
  return { status: response.status, contentType, body: response.body }
}

/** By the name of the issuer: signatures are not checked. */
function isTrusted(certificate: string | undefined, bundle: string | undefined): boolean {
  if (bundle === undefined) return false
  const [served] = certificate === undefined ? [] : certificatesIn(certificate)
  return served === undefined || isIssuedBy(served, certificatesIn(bundle))
}

const certificatesIn = (text: string): Uint8Array[] =>
  pemBlocks(text)
    .blocks.filter(({ label }) => label === 'CERTIFICATE')
    .map(({ contents }) => bytesOfBase64(contents))

function delay(
  { seconds = 0 }: HttpResponse,
  clock: Clock,
  onCancel: (run: () => void) => void,
): Promise<void> | undefined {
  if (seconds === 0) return undefined
  return new Promise((resolve) => {
    if (Number.isFinite(seconds)) onCancel(clock.after(seconds * 1000, resolve))
  })
}
