/** Rules of Services. Recorded from kube-apiserver 1.31. */

import type { KubeObject } from '../../core/object'
import type { RequestContext } from '../../registry/request-context'
import { deleteOwn } from '../../registry/server-writes'
import type { Strategy, StrategyEngine } from '../../registry/strategy'
import { addressFieldWarnings, rangeFieldWarnings } from '../../validation/address-problems'
import { dns1035Label, dnsLabel } from '../../validation/names'
import { addressWarnings, rangeWarnings } from './address-warnings'
import { allocate } from './service-allocation'
import { dropUnused, keepAllocated, pairAddresses } from './service-changes'
import {
  isExternal,
  isExternalName,
  isHeadless,
  isLoadBalancer,
  type Service,
  type ServiceSpec,
} from './service-types'
import {
  HINTS_ANNOTATION,
  MODE_ANNOTATION,
  validateService,
  validateServiceChange,
  validateServiceStatus,
} from './service-validation'

const AFFINITY_SECONDS = 10_800

function defaults(
  object: KubeObject,
  { LoadBalancerIPMode }: StrategyEngine['featureGates'],
): void {
  const service = object as Service
  service.spec ??= {}
  const { spec } = service
  if (!spec.sessionAffinity) spec.sessionAffinity = 'None'
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  else if (
    spec.sessionAffinity === 'ClientIP' &&
    spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined
  )
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: AFFINITY_SECONDS } }
  if (!spec.type) spec.type = 'ClusterIP'
  for (const port of spec.ports ?? []) {
    if (!port.protocol) port.protocol = 'TCP'
    if (
      port.targetPort === undefined ||
      port.targetPort === null ||
      port.targetPort === 0 ||
      port.targetPort === ''
    )
      port.targetPort = port.port ?? 0
  }
  if (isExternal(spec) && !spec.externalTrafficPolicy) spec.externalTrafficPolicy = 'Cluster'
  if (isLoadBalancer(spec)) {
    spec.allocateLoadBalancerNodePorts ??= true
    if (LoadBalancerIPMode)
      for (const ingress of ingressOf(service)) if (ingress.ip) ingress.ipMode ??= 'VIP'
  }
  if (!isExternalName(spec)) spec.internalTrafficPolicy ??= 'Cluster'
}

const ingressOf = ({ status }: Service) => status?.loadBalancer?.ingress ?? []

/** Unless stored. */
function dropGated(
  { LoadBalancerIPMode, ServiceTrafficDistribution }: StrategyEngine['featureGates'],
  service: Service,
  old?: Service,
): void {
  if (!ServiceTrafficDistribution && old?.spec?.trafficDistribution === undefined)
    delete service.spec?.trafficDistribution
  if (
    LoadBalancerIPMode ||
    (old && ingressOf(old).some(({ ipMode }) => typeof ipMode === 'string'))
  )
    return
  for (const ingress of ingressOf(service)) delete ingress.ipMode
}

function warnings(object: KubeObject, { featureGates, tables }: StrategyEngine): string[] {
  const { metadata, spec = {} } = object as Service
  const hints = metadata.annotations?.[HINTS_ANNOTATION] !== undefined
  const each = (
    field: string,
    texts: readonly string[] | null | undefined,
    of: typeof addressWarnings,
  ) => (texts ?? []).flatMap((text, i) => of(`spec.${field}[${i}]`, text))
  const isStrict = tables.changes.has('AddressesStrict')
  const isReworded = tables.changes.has('AddressErrorsReworded')
  const ofAddress = (field: string, text: string) =>
    isReworded ? addressFieldWarnings(field, text, isStrict) : addressWarnings(field, text)
  const ofRange = (field: string, text: string) =>
    isReworded ? rangeFieldWarnings(field, text, isStrict) : rangeWarnings(field, text)
  return [
    ...(hints
      ? [`annotation ${HINTS_ANNOTATION} is deprecated, please use ${MODE_ANNOTATION} instead`]
      : []),
    ...each('clusterIPs', isHeadless(spec) ? [] : spec.clusterIPs, ofAddress),
    ...(tables.changes.has('HeadlessMembersWarned') ? headlessWarnings(spec) : []),
    ...each('externalIPs', spec.externalIPs, ofAddress),
    ...(spec.loadBalancerIP ? ofAddress('spec.loadBalancerIP', spec.loadBalancerIP) : []),
    ...each('loadBalancerSourceRanges', spec.loadBalancerSourceRanges, ofRange),
    ...(isExternalName(spec) && spec.externalIPs?.length
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(spec.externalName && !isExternalName(spec)
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(featureGates.PreferSameTrafficDistribution && spec.trafficDistribution === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ]
}

function headlessWarnings(spec: ServiceSpec): string[] {
  if (spec.type !== 'ClusterIP' || !isHeadless(spec)) return []
  const ignored = [
    ...(spec.loadBalancerIP ? ['loadBalancerIP'] : []),
    ...(spec.externalIPs?.length ? ['externalIPs'] : []),
    // Upper case as in the message.
    ...(spec.sessionAffinity === 'None' ? [] : ['SessionAffinity']),
  ]
  return ignored.map((member) => `spec.${member} is ignored for headless services`)
}

/** Headless services have another warning. */
const externalAddressWarnings = ({ spec = {} }: Service): string[] =>
  spec.externalIPs?.length && !isHeadless(spec)
    ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
    : []

export const serviceStrategy: Strategy<RequestContext> = {
  nameRule: dns1035Label,
  serverOwned: ['status'],
  allowCreateOnUpdate: true,
  serializesWrites: true,
  behindGates: (gates, changes) => ({
    defaults: (object) => defaults(object, gates),
    ...(gates.RelaxedServiceNameValidation && { nameRule: dnsLabel }),
    ...(changes.has('ExternalAddressesDeprecated') && {
      warningsOnCreate: (object, context) => [
        ...(serviceStrategy.warningsOnCreate?.(object, context) ?? []),
        ...externalAddressWarnings(object as Service),
      ],
      warningsOnUpdate: (object, old, context) => [
        ...(serviceStrategy.warningsOnUpdate?.(object, old, context) ?? []),
        ...externalAddressWarnings(object as Service),
      ],
    }),
  }),
  async prepareForCreate(object, context) {
    const service = object as Service
    service.status = {}
    dropGated(context.engine.featureGates, service)
    pairAddresses(service.spec ?? {}, undefined)
    // Created through the status, it has no addresses, as in kube-apiserver; here the next write
    // allocates some.
    if (context.subresource === '') await allocate(service, undefined, context)
  },
  async prepareForUpdate(object, old, context) {
    const service = object as Service
    const before = (old as Service).spec ?? {}
    pairAddresses(service.spec ?? {}, before)
    keepAllocated(service.spec ?? {}, before)
    dropUnused(service, before)
    dropGated(context.engine.featureGates, service, old as Service)
    await allocate(service, old as Service, context)
  },
  validate: (object, { engine }, old) =>
    validateService(object as Service, engine.featureGates, old as Service | undefined),
  validateUpdate: (object, old) => validateServiceChange(object as Service, old as Service),
  /** Managed fields keep its owner. */
  canonicalize({ spec }) {
    const service = spec as Service['spec']
    if (service && isExternalName(service)) delete service.internalTrafficPolicy
  },
  warningsOnCreate: (object, { engine }) => warnings(object, engine),
  warningsOnUpdate: (object, _old, { engine }) => warnings(object, engine),
  /** A new service of that name must not start with them, even if a client wrote them. */
  async afterDelete({ metadata }, { engine }) {
    const endpoints = engine.resources.find('', 'v1', 'endpoints')
    if (endpoints)
      await deleteOwn(engine, endpoints, { apiVersion: 'v1', kind: 'Endpoints', metadata })
  },
  status: {
    prepareForUpdate: (object, old, { engine }) =>
      dropGated(engine.featureGates, object as Service, old as Service),
    validateUpdate: (object, _, { engine }) =>
      validateServiceStatus(object as Service, engine.featureGates),
  },
}
