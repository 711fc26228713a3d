/**
 * Reasons recorded in kinds-apiext-apireg; the others follow k8s.io/kube-aggregator,
 * controllers/status.
 */
import type { KubeObject } from '../core/object'
import { OutboundError } from '../core/outbound'
import { goQuote } from '../schema/go-text'
import type { Service } from '../webhooks/client'
import type { RemoteVersion } from './remote-versions'
import { AGGREGATOR, fetchDocument, originOf, type ServiceClient } from './service-client'

export interface Endpoints extends KubeObject {
  subsets?: { addresses?: unknown[]; ports?: { name?: string }[] }[]
}

export interface Finding {
  status: 'True' | 'False'
  reason: string
  message: string
}

const PASSED: Finding = { status: 'True', reason: 'Passed', message: 'all checks passed' }
const missing = (reason: string, message: string): Finding => ({ status: 'False', reason, message })

/** @returns undefined if the service may be reachable */
export function serviceProblem(
  { service: { name, namespace, port } }: RemoteVersion,
  service: Service | undefined,
  endpoints: Endpoints | undefined,
): Finding | undefined {
  const what = `service/${name} in ${goQuote(namespace)}`
  if (service === undefined) return missing('ServiceNotFound', `${what} is not present`)
  if (service.spec?.type !== undefined && service.spec.type !== 'ClusterIP') return undefined
  const listening = service.spec?.ports?.find((candidate) => candidate.port === port)
  if (listening === undefined)
    return missing('ServicePortError', `${what} is not listening on port ${port}`)
  if (endpoints === undefined)
    return missing('EndpointsNotFound', `cannot find endpoints for ${what}`)
  const portName = listening.name ?? ''
  const ready = (endpoints.subsets ?? []).some(
    ({ addresses, ports }) =>
      addresses?.length && ports?.some((other) => (other.name ?? '') === portName),
  )
  return ready
    ? undefined
    : missing(
        'MissingEndpoints',
        `endpoints for ${what} have no addresses with port name ${goQuote(portName)}`,
      )
}

const CHECK = {
  seconds: 5,
  late: 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
  user: AGGREGATOR,
}

/**
 * Requests a path that every aggregated server serves. Only the proxy verifies certificates
 * (k8s.io/kube-aggregator, controllers/status).
 */
export async function checkAvailable(
  reach: ServiceClient,
  remote: RemoteVersion,
): Promise<Finding> {
  const target = `/apis/${remote.group}/${remote.version}`
  let url = `https://${remote.service.name}.${remote.service.namespace}.svc${target}`
  const failed = (why: string) =>
    missing('FailedDiscoveryCheck', `failing or missing response from ${url}: ${why}`)
  try {
    url = (await originOf(reach, remote)) + target
    const response = await fetchDocument(reach, uncertified(remote), target, CHECK)
    if (response.status < 200 || response.status >= 300)
      return failed(`bad status from ${url}: ${response.status}`)
    return PASSED
  } catch (error) {
    if (error instanceof OutboundError) return failed(`Get ${goQuote(url)}: ${error.message}`)
    throw error
  }
}

function uncertified(remote: RemoteVersion): RemoteVersion {
  const { certificates: _, certificateProblem: __, ...others } = remote
  return { ...others, insecure: true }
}
