/**
 * Decides by NetworkPolicies whether a connection is allowed
 * (https://kubernetes.io/docs/concepts/services-networking/network-policies/).
 */
import { matchesLabels, selectorOf } from '../../selectors/labels'
import { isInRange } from './addresses'
import type {
  ClusterObjects,
  NetworkContainer,
  NetworkPod,
  NetworkPolicy,
  PolicyPeer,
  PolicyPort,
} from './cluster'

/** One side of a connection: a pod, or only an address. */
export interface Side {
  ip: string
  pod?: NetworkPod | undefined
}

export interface Connection {
  from: Side
  to: Side
  port: number
  protocol: string
}

type Objects = Pick<ClusterObjects, 'policies' | 'namespaces'>
type Direction = 'Ingress' | 'Egress'

/** @returns why the connection is denied; undefined if it is allowed */
export function denial(connection: Connection, objects: Objects): string | undefined {
  const { from, to } = connection
  // A pod always reaches itself, and policies do not apply to the network of nodes.
  if (from.ip === to.ip) return undefined
  return (
    denialOf('Egress', from, to, connection, objects) ??
    denialOf('Ingress', to, from, connection, objects)
  )
}

function denialOf(
  direction: Direction,
  { pod }: Side,
  peer: Side,
  connection: Connection,
  objects: Objects,
): string | undefined {
  if (pod === undefined || pod.spec?.hostNetwork) return undefined
  const applied = objects.policies.filter(
    (policy) =>
      policy.metadata.namespace === pod.metadata.namespace &&
      selects(policy.spec?.podSelector, pod.metadata.labels) &&
      typesOf(policy).includes(direction),
  )
  if (applied.length === 0) return undefined
  const isAllowed = applied.some((policy) =>
    rulesOf(policy, direction).some(
      ({ peers, ports }) =>
        matchesPort(ports, connection) && matchesPeer(peers, peer, policy, objects),
    ),
  )
  if (isAllowed) return undefined
  const names = applied.map(({ metadata }) => metadata.name).join(', ')
  const what = direction === 'Ingress' ? 'ingress to' : 'egress from'
  return `NetworkPolicy ${names} allows no ${what} pod ${pod.metadata.name} with ${connection.protocol} port ${connection.port}`
}

const typesOf = ({ spec }: NetworkPolicy): readonly string[] =>
  spec?.policyTypes ?? ['Ingress', ...(spec?.egress ? ['Egress'] : [])]

const rulesOf = (
  { spec }: NetworkPolicy,
  direction: Direction,
): { peers: PolicyPeer[] | undefined; ports: PolicyPort[] | undefined }[] =>
  direction === 'Ingress'
    ? (spec?.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports }))
    : (spec?.egress ?? []).map(({ to, ports }) => ({ peers: to, ports }))

/** A rule without ports allows all of them. A named port is one of the target's containers. */
function matchesPort(
  ports: readonly PolicyPort[] | undefined,
  { port, protocol, to }: Connection,
): boolean {
  if (!ports?.length) return true
  return ports.some((one) => {
    if ((one.protocol ?? 'TCP') !== protocol) return false
    if (one.port === undefined) return true
    if (typeof one.port === 'number') return port >= one.port && port <= (one.endPort ?? one.port)
    const containers = (to.pod?.spec?.containers ?? []) as NetworkContainer[]
    return containers.some(({ ports: own }) =>
      own?.some(({ name, containerPort }) => name === one.port && containerPort === port),
    )
  })
}

/** A rule without peers allows all of them. */
function matchesPeer(
  peers: readonly PolicyPeer[] | undefined,
  { ip, pod }: Side,
  policy: NetworkPolicy,
  { namespaces }: Objects,
): boolean {
  if (!peers?.length) return true
  return peers.some(({ ipBlock, namespaceSelector, podSelector }) => {
    if (ipBlock)
      return isInRange(ip, ipBlock.cidr) && !ipBlock.except?.some((range) => isInRange(ip, range))
    if (pod === undefined || pod.spec?.hostNetwork) return false
    const { namespace, labels } = pod.metadata
    if (podSelector && !selects(podSelector, labels)) return false
    if (!namespaceSelector) return namespace === policy.metadata.namespace
    const found = namespaces.find(({ metadata }) => metadata.name === namespace)
    return found !== undefined && selects(namespaceSelector, found.metadata.labels)
  })
}

const selects = (
  selector: Parameters<typeof selectorOf>[0],
  labels: Record<string, string> | undefined,
): boolean => matchesLabels(selectorOf(selector) ?? [], labels)
