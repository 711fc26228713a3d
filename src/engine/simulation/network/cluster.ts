/** The objects of the cluster that decide where a packet goes. */
import type { LabelSelectorObject } from '../../selectors/labels'
import type { SeenContainer, SeenPod } from '../pod'

interface Metadata {
  name?: string
  namespace?: string
  uid?: string
  labels?: Record<string, string>
}

export interface NetworkPod extends SeenPod {
  status?: SeenPod['status'] & {
    phase?: string
    podIP?: string
    podIPs?: { ip?: string }[]
  }
}

export interface NetworkContainer extends SeenContainer {
  ports?: {
    name?: string
    containerPort: number
    hostPort?: number
    hostIP?: string
    protocol?: string
  }[]
  restartPolicy?: string
}

export interface ServicePort {
  name?: string
  port: number
  nodePort?: number
  protocol?: string
}

export interface NetworkService {
  metadata: Metadata
  spec?: {
    type?: string
    clusterIP?: string
    clusterIPs?: string[]
    externalIPs?: string[]
    externalName?: string
    ports?: ServicePort[]
    sessionAffinity?: string
    sessionAffinityConfig?: { clientIP?: { timeoutSeconds?: number } }
    internalTrafficPolicy?: string
    externalTrafficPolicy?: string
  }
  status?: { loadBalancer?: { ingress?: { ip?: string }[] } }
}

export interface NetworkEndpoint {
  addresses?: string[]
  conditions?: { ready?: boolean; serving?: boolean; terminating?: boolean }
  hostname?: string
  nodeName?: string
  targetRef?: { kind?: string; name?: string }
}

export interface NetworkSlice {
  metadata: Metadata
  addressType?: string
  endpoints?: NetworkEndpoint[] | null
  ports?: { name?: string; port?: number; protocol?: string }[] | null
}

export interface PolicyPeer {
  podSelector?: LabelSelectorObject
  namespaceSelector?: LabelSelectorObject
  ipBlock?: { cidr: string; except?: string[] }
}

export interface PolicyPort {
  protocol?: string
  port?: number | string
  endPort?: number
}

export interface NetworkPolicy {
  metadata: Metadata
  spec?: {
    podSelector?: LabelSelectorObject
    policyTypes?: string[]
    ingress?: { from?: PolicyPeer[]; ports?: PolicyPort[] }[]
    egress?: { to?: PolicyPeer[]; ports?: PolicyPort[] }[]
  }
}

/** The state of the cluster at one time. Lists are in the order of names. */
export interface ClusterObjects {
  pods: readonly NetworkPod[]
  services: readonly NetworkService[]
  slices: readonly NetworkSlice[]
  policies: readonly NetworkPolicy[]
  namespaces: readonly { metadata: Metadata }[]
  nodes: readonly {
    metadata: Metadata
    status?: { addresses?: { type?: string; address?: string }[] }
  }[]
}

/** The label that names the service of an EndpointSlice. */
export const SERVICE_LABEL = 'kubernetes.io/service-name'

/** Whether the service is that of the API server. */
export const isApi = ({ metadata }: NetworkService): boolean =>
  metadata.name === 'kubernetes' && metadata.namespace === 'default'
