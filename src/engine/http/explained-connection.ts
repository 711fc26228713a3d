/**
 * `GET /kubetab/v1/connection?pod=default/client&host=web&port=80`: where a connection of a simulated
 * pod leads now, and why. kube-apiserver has no such path.
 */
import type { Engine } from '../registry/engine'
import type { Connected } from '../simulation/network/client'
import type { NetworkPod } from '../simulation/network/cluster'
import { hostFilesIn, runtimeFiles } from '../simulation/runtime-files'
import type { Query } from './query'
import { badRequest } from './status'
import { networkOf } from './subresources/simulated-network'

const MOST_PORT = 65_535

interface ConnectionDocument {
  kind: 'Connection'
  apiVersion: 'kubetab/v1'
  /** `unresolved`: the name has no address. */
  result: Connected['result'] | 'unresolved'
  address?: string
  /** Each step, from the name to the program that listens. */
  hops: string[]
}

/** It selects the endpoint that the next connection would get, and changes nothing. */
export async function explainedConnection(
  engine: Engine,
  query: Query,
): Promise<ConnectionDocument> {
  const host = query.get('host') ?? ''
  const port = Number(query.get('port'))
  const protocol = query.get('protocol') ?? 'TCP'
  if (host === '') throw badRequest('host is required')
  if (!(Number.isInteger(port) && port > 0 && port <= MOST_PORT))
    throw badRequest(`port must be an integer from 1 to ${MOST_PORT}`)
  if (protocol !== 'TCP' && protocol !== 'UDP') throw badRequest('protocol must be TCP or UDP')
  const named = query.get('pod') ?? ''
  const network = await networkOf(engine, engine.simulation.network.copy())
  const pod = network.podNamed(named)
  if (pod === undefined) throw badRequest(`pod must be namespace/name of a pod, not ${named}`)
  const access = network.from(pod, () => hostFilesOf(pod))
  const ip = access.addressOf(host)
  const head = { kind: 'Connection', apiVersion: 'kubetab/v1' } as const
  if (ip === undefined || ip === 'timeout') {
    const reason =
      ip === 'timeout'
        ? `the cluster DNS does not respond to pod ${named}`
        : `no name of the search path of pod ${named} has an address for ${host}`
    return { ...head, result: 'unresolved', hops: [reason] }
  }
  const { result, hops } = access.connect(ip, port, protocol)
  const resolved = ip === host ? [] : [`${host} resolves to ${ip}`]
  return { ...head, result, address: ip, hops: [...resolved, ...hops] }
}

const hostFilesOf = (pod: NetworkPod) =>
  hostFilesIn(runtimeFiles(pod, {}, { podIP: pod.status?.podIP ?? '' }))
