/** Types of Services, with only the members that validation reads. */
import type { KubeObject } from '../../core/object'

export interface ServicePort {
  name?: string
  protocol?: string
  appProtocol?: string | null
  port?: number
  targetPort?: number | string | null
  nodePort?: number | null
}

export interface ServiceSpec {
  type?: string
  ports?: ServicePort[] | null
  selector?: Record<string, string> | null
  clusterIP?: string
  clusterIPs?: string[] | null
  ipFamilies?: string[] | null
  ipFamilyPolicy?: string | null
  externalIPs?: string[] | null
  externalName?: string
  sessionAffinity?: string
  sessionAffinityConfig?: { clientIP?: { timeoutSeconds?: number | null } | null } | null
  externalTrafficPolicy?: string
  internalTrafficPolicy?: string | null
  healthCheckNodePort?: number
  allocateLoadBalancerNodePorts?: boolean | null
  loadBalancerClass?: string | null
  loadBalancerIP?: string
  loadBalancerSourceRanges?: string[] | null
  trafficDistribution?: string | null
}

export interface Ingress {
  ip?: string
  hostname?: string
  ipMode?: string | null
}

export interface Service extends KubeObject {
  spec?: ServiceSpec
  status?: { loadBalancer?: { ingress?: Ingress[] | null } }
}

export const NONE = 'None'

export const isExternalName = ({ type }: ServiceSpec): boolean => type === 'ExternalName'
export const isLoadBalancer = ({ type }: ServiceSpec): boolean => type === 'LoadBalancer'
export const isHeadless = ({ clusterIPs }: ServiceSpec): boolean =>
  clusterIPs?.length === 1 && clusterIPs[0] === NONE
export const hasSelector = ({ selector }: ServiceSpec): boolean =>
  Object.keys(selector ?? {}).length > 0

export const needsNodePorts = (spec: ServiceSpec): boolean =>
  spec.type === 'NodePort' || (isLoadBalancer(spec) && spec.allocateLoadBalancerNodePorts !== false)
/** Whether needed or not. */
export const mayHaveNodePorts = (spec: ServiceSpec): boolean =>
  spec.type === 'NodePort' || isLoadBalancer(spec)
export const needsHealthPort = (spec: ServiceSpec): boolean =>
  isLoadBalancer(spec) && spec.externalTrafficPolicy === 'Local'
/** External traffic policy applies. */
export const isExternal = (spec: ServiceSpec): boolean =>
  mayHaveNodePorts(spec) || (spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0)
