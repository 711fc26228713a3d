/** Messages: recordings policy-webhooks and policy-webhookcfg. */
import type { Clock } from '../core/environment'
import type { KubeObject } from '../core/object'
import {
  type Outbound,
  OutboundError,
  type OutboundResponse,
  type ServiceAddress,
} from '../core/outbound'
import { goQuote } from '../schema/go-text'
import { certificatesIn } from './certificates'
import type { CredentialsFor } from './kubeconfig'

export interface ServiceReference {
  namespace?: string
  name?: string
  path?: string
  port?: number
}

export interface ClientConfig {
  url?: string
  service?: ServiceReference | null
  /** PEM in base64. */
  caBundle?: string
}

export interface Service extends KubeObject {
  spec?: {
    type?: string
    clusterIP?: string
    externalName?: string
    ports?: { name?: string; port?: number }[]
  }
}

export interface ClientEnvironment {
  clock: Clock
  /** Absent if the host cannot reach other servers. */
  outbound: Outbound | undefined
  readService(namespace: string, name: string): Promise<Service | undefined>
  credentials?: CredentialsFor | undefined
}

export class ClientFailure extends Error {}

export class UnusableClient extends Error {}

const DEFAULT_PORT = 443
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, */*',
  'user-agent': 'kube-apiserver-admission',
}

export const LATE = 'context deadline exceeded'

/**
 * Posts a review once.
 * @param late the message of a timeout
 * @throws ClientFailure, UnusableClient
 */
export async function postReview(
  environment: ClientEnvironment,
  config: ClientConfig,
  { seconds, late = LATE, body }: { seconds: number; late?: string; body: string },
): Promise<OutboundResponse> {
  const certificates = certificatesOf(config)
  const url = `${urlOf(config)}?timeout=${Math.ceil(seconds)}s`
  const failed = (why: string) => new ClientFailure(`Post ${goQuote(url)}: ${why}`)
  const { service } = config
  try {
    const reached = service ? await reachedBy(environment, service) : {}
    const { outbound } = environment
    if (outbound === undefined) throw new OutboundError('this server has no way to others')
    const { headers, identity } = environment.credentials?.(targetOf(url)) ?? {}
    const request = {
      url,
      ...reached,
      headers: { ...HEADERS, ...headers },
      ...(identity === undefined ? {} : { identity }),
      body,
      // As webhook.ClientManager of k8s.io/apiserver: HTTP/2 sends all calls to one backend.
      http1Only: true,
      ...(certificates === undefined ? {} : { certificates }),
    }
    return await withinTime(environment.clock, seconds, late, (onCancel) =>
      outbound.post(request, onCancel),
    )
  } catch (error) {
    if (error instanceof OutboundError) throw failed(error.message)
    throw error
  }
}

/** @throws OutboundError after the timeout */
export function withinTime<Result>(
  clock: Clock,
  seconds: number,
  late: string,
  start: (onCancel: (run: () => void) => void) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let cancel = () => {}
    const callOff = clock.after(seconds * 1000, () => {
      cancel()
      reject(new OutboundError(late))
    })
    const running = start((run) => {
      cancel = run
    })
    running.then(resolve, reject).finally(callOff)
  })
}

/** Services are called by the name in their certificate. */
function urlOf({ url, service }: ClientConfig): string {
  if (service)
    return `https://${service.name}.${service.namespace}.svc:${service.port ?? DEFAULT_PORT}${cleanPath(service.path ?? '')}`
  const [, origin = '', path = ''] = /^([^/]*\/\/[^/]*)(.*)$/.exec(url ?? '') ?? []
  return origin + cleanPath(path)
}

function targetOf(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || DEFAULT_PORT}`
}

function cleanPath(path: string): string {
  return `/${path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')}`
}

function certificatesOf({ caBundle }: ClientConfig): string | undefined {
  if (!caBundle) return undefined
  const bundle = certificatesIn(caBundle)
  if ('problem' in bundle) throw new UnusableClient(`could not get REST client: ${bundle.problem}`)
  return bundle.certificates
}

async function reachedBy(
  environment: ClientEnvironment,
  { namespace = '', name = '', port = DEFAULT_PORT }: ServiceReference,
): Promise<{ connectTo: string; service: ServiceAddress }> {
  const service = await environment.readService(namespace, name)
  if (service === undefined) throw new OutboundError(`service ${goQuote(name)} not found`)
  return { connectTo: clusterAddress(service, port), service: { namespace, name, port } }
}

/** Host and port to which the cluster routes. @throws OutboundError */
export function clusterAddress({ metadata, spec = {} }: Service, port: number): string {
  const { type = 'ClusterIP', clusterIP = '', externalName = '', ports = [] } = spec
  if (type === 'ExternalName') return `${externalName}:${port}`
  if (clusterIP === 'None') throw new OutboundError('cannot route to service with ClusterIP "None"')
  if (!ports.some((offered) => offered.port === port))
    throw new OutboundError(
      `no service port ${port} found for service ${goQuote(metadata.name ?? '')}`,
    )
  return `${clusterIP.includes(':') ? `[${clusterIP}]` : clusterIP}:${port}`
}
