/** Validates Services, in the order of kube-apiserver. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import type { FieldError } from '../../http/status'
import type { StrategyEngine } from '../../registry/strategy'
import { goTrim } from '../../schema/go-text'
import { repeatsIn } from '../../schema/repeats'
import { addressFieldErrors, rangeFieldErrors } from '../../validation/address-problems'
import { addressFamily, NOT_AN_ADDRESS, specialAddressProblems } from '../../validation/addresses'
import {
  duplicate,
  duplicatePrinted,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../validation/field-errors'
import { invalidTypedList, printedStructure } from '../../validation/go-literal'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  qualifiedNameProblems,
} from '../../validation/names'
import { portErrors, portNumberErrors } from '../../validation/numbers'
import { validateLabels } from '../../validation/object-meta'
import { addressErrors } from './service-families'
import {
  type Ingress,
  isExternal,
  isExternalName,
  isHeadless,
  isLoadBalancer,
  needsHealthPort,
  type Service,
  type ServicePort,
  type ServiceSpec,
} from './service-types'

const KUBELET_PORT = 10_250
const MAX_AFFINITY_SECONDS = 86_400
export const HINTS_ANNOTATION = 'service.kubernetes.io/topology-aware-hints'
export const MODE_ANNOTATION = 'service.kubernetes.io/topology-mode'
const RANGES_ANNOTATION = 'service.beta.kubernetes.io/load-balancer-source-ranges'
const ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'"
const NOT_EXTERNAL_NAME = 'may not be set for ExternalName services'

const each = (problems: readonly string[], field: string, value: unknown): FieldError[] =>
  problems.map((problem) => invalidValue(field, value, problem))

/** An empty string is invalid. */
const oneOfIfAny = (
  field: string,
  value: string | null | undefined,
  supported: string[],
  absent: FieldError[] = [],
): FieldError[] =>
  typeof value !== 'string'
    ? absent
    : supported.includes(value)
      ? []
      : [notSupported(field, value, supported)]

function oneOf(field: string, value: string | null | undefined, supported: string[]): FieldError[] {
  if (!value) return [required(field)]
  return supported.includes(value) ? [] : [notSupported(field, value, supported)]
}

export function validateService(
  service: Service,
  { PreferSameTrafficDistribution: prefersSame }: StrategyEngine['featureGates'],
  old?: Service,
): FieldError[] {
  const before = old?.spec ?? {}
  const spec = service.spec ?? {}
  const ports = spec.ports ?? []
  const hasRepeatedName = repeatsIn(ports, ({ name }) => name)
  return [
    ...hintErrors(service.metadata.annotations ?? {}),
    ...(ports.length === 0 && !isHeadless(spec) && !isExternalName(spec)
      ? [required('spec.ports')]
      : []),
    ...typeErrors(spec),
    ...ports.flatMap((port, i) =>
      servicePortErrors(port, hasRepeatedName(i), ports.length > 1, `spec.ports[${i}]`),
    ),
    ...validateLabels(spec.selector ?? {}, 'spec.selector'),
    ...oneOf('spec.sessionAffinity', spec.sessionAffinity, ['ClientIP', 'None']),
    ...affinityErrors(spec),
    ...addressErrors(spec, before.clusterIPs ?? []),
    ...(spec.externalIPs ?? []).flatMap((address, i) =>
      externalAddressErrors(`spec.externalIPs[${i}]`, address, before.externalIPs ?? []),
    ),
    ...oneOf('spec.type', spec.type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ...nodePortErrors(spec),
    ...repeatedPortErrors(ports),
    ...sourceRangeErrors(service, before.loadBalancerSourceRanges ?? []),
    ...allocationErrors(spec),
    ...classErrors(spec),
    ...externalTrafficErrors(spec),
    ...oneOfIfAny(
      'spec.internalTrafficPolicy',
      spec.internalTrafficPolicy,
      ['Cluster', 'Local'],
      ['ClusterIP', 'LoadBalancer', 'NodePort'].includes(spec.type ?? '')
        ? [required('spec.internalTrafficPolicy')]
        : [],
    ),
    ...oneOfIfAny(
      'spec.trafficDistribution',
      spec.trafficDistribution,
      prefersSame ? ['PreferClose', 'PreferSameZone', 'PreferSameNode'] : ['PreferClose'],
    ),
  ]
}

/** The deprecated annotation and its successor must agree. */
function hintErrors({
  [HINTS_ANNOTATION]: hints,
  [MODE_ANNOTATION]: mode,
}: Record<string, string>): FieldError[] {
  if (hints === undefined || mode === undefined || hints === mode) return []
  const why = `must match annotations[${HINTS_ANNOTATION}] when both are specified`
  return [invalidValue(`metadata.annotations[${MODE_ANNOTATION}]`, mode, why)]
}

function typeErrors(spec: ServiceSpec): FieldError[] {
  const headless = isHeadless(spec)
    ? [
        invalidValue(
          'spec.clusterIPs[0]',
          'None',
          `may not be set to 'None' for ${spec.type} services`,
        ),
      ]
    : []
  if (spec.type === 'NodePort') return headless
  if (isLoadBalancer(spec)) {
    const why = `may not expose port ${KUBELET_PORT} externally since it is used by kubelet`
    const kubelet = (spec.ports ?? []).flatMap(({ port }, i) =>
      port === KUBELET_PORT ? [invalidValue(`spec.ports[${i}]`, port, why)] : [],
    )
    return [...kubelet, ...headless]
  }
  if (!isExternalName(spec)) return []
  const name = (spec.externalName ?? '').replace(/\.$/, '')
  return [
    ...(spec.clusterIPs?.length ? [forbiddenField('spec.clusterIPs', NOT_EXTERNAL_NAME)] : []),
    ...(spec.ipFamilies?.length ? [forbiddenField('spec.ipFamilies', NOT_EXTERNAL_NAME)] : []),
    ...(typeof spec.ipFamilyPolicy === 'string'
      ? [forbiddenField('spec.ipFamilyPolicy', NOT_EXTERNAL_NAME)]
      : []),
    ...(name === ''
      ? [required('spec.externalName')]
      : each(dnsSubdomainProblems(name), 'spec.externalName', name)),
  ]
}

function servicePortErrors(
  port: ServicePort,
  isRepeated: boolean,
  needsName: boolean,
  path: string,
): FieldError[] {
  const { name = '', appProtocol } = port
  const repeated = isRepeated ? [duplicate(`${path}.name`, name)] : []
  const named =
    name === '' ? [] : [...each(dnsLabelProblems(name), `${path}.name`, name), ...repeated]
  return [
    ...(needsName && name === '' ? [required(`${path}.name`)] : named),
    ...portNumberErrors(`${path}.port`, port.port ?? 0),
    ...oneOf(`${path}.protocol`, port.protocol, ['SCTP', 'TCP', 'UDP']),
    ...portErrors(`${path}.targetPort`, port.targetPort),
    ...(typeof appProtocol === 'string'
      ? each(qualifiedNameProblems(appProtocol), `${path}.appProtocol`, appProtocol)
      : []),
  ]
}

function affinityErrors({
  sessionAffinity,
  sessionAffinityConfig: config,
}: ServiceSpec): FieldError[] {
  const path = 'spec.sessionAffinityConfig'
  if (sessionAffinity === 'None')
    return config ? [forbiddenField(path, 'must not be set when session affinity is None')] : []
  if (sessionAffinity !== 'ClientIP') return []
  const missing = 'when session affinity type is ClientIP'
  if (!config) return [required(path, missing)]
  if (!config.clientIP) return [required(`${path}.clientIP`, missing)]
  const field = `${path}.clientIP.timeoutSeconds`
  const seconds = config.clientIP.timeoutSeconds
  if (seconds === undefined || seconds === null) return [required(field, missing)]
  const why = `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`
  return seconds > 0 && seconds <= MAX_AFFINITY_SECONDS ? [] : [invalidValue(field, seconds, why)]
}

function externalAddressErrors(
  field: string,
  address: string,
  known: readonly string[],
): FieldError[] {
  const errors = addressFieldErrors(field, address, known)
  if (errors.some(({ since }) => since === undefined)) return errors
  return [...errors, ...each(specialAddressProblems(address), field, address)]
}

function nodePortErrors({ type, ports }: ServiceSpec): FieldError[] {
  const list = ports ?? []
  const unused =
    type === 'ClusterIP'
      ? list.map((port, i) => ({ port, i })).filter(({ port }) => port.nodePort)
      : []
  const isRepeat = repeatsIn(list, ({ nodePort, protocol }) => `${nodePort}/${protocol}`)
  return [
    ...unused.map(({ i }) =>
      forbiddenField(`spec.ports[${i}].nodePort`, "may not be used when `type` is 'ClusterIP'"),
    ),
    ...list.flatMap(({ nodePort }, i) =>
      nodePort && isRepeat(i) ? [duplicate(`spec.ports[${i}].nodePort`, nodePort)] : [],
    ),
  ]
}

function repeatedPortErrors(ports: ServicePort[]): FieldError[] {
  const isRepeat = repeatsIn(ports, ({ port, protocol }) => `${port}/${protocol}`)
  return ports.flatMap(({ port, protocol }, i) => {
    if (!isRepeat(i)) return []
    const value = printedStructure('ServicePort', { protocol, port })
    return [duplicatePrinted(`spec.ports[${i}]`, value)]
  })
}

function sourceRangeErrors(
  { spec = {}, metadata }: Service,
  known: readonly string[],
): FieldError[] {
  const ranges = spec.loadBalancerSourceRanges ?? []
  const given = metadata.annotations?.[RANGES_ANNOTATION]
  if (ranges.length === 0 && given === undefined) return []
  const annotation = goTrim(given ?? '')
  const field =
    ranges.length > 0
      ? 'spec.LoadBalancerSourceRanges'
      : `metadata.annotations[${RANGES_ANNOTATION}]`
  const texts = (ranges.length > 0 ? ranges : annotation === '' ? [] : annotation.split(',')).map(
    (text) => goTrim(text),
  )
  return [
    ...(isLoadBalancer(spec) ? [] : [forbiddenField(field, ONLY_LOAD_BALANCER)]),
    ...texts.flatMap((text, i) =>
      rangeFieldErrors(ranges.length > 0 ? `${field}[${i}]` : field, text, known),
    ),
  ]
}

function allocationErrors(spec: ServiceSpec): FieldError[] {
  const field = 'spec.allocateLoadBalancerNodePorts'
  const isSet =
    spec.allocateLoadBalancerNodePorts !== undefined && spec.allocateLoadBalancerNodePorts !== null
  if (isLoadBalancer(spec)) return isSet ? [] : [required(field)]
  return isSet ? [forbiddenField(field, ONLY_LOAD_BALANCER)] : []
}

function classErrors(spec: ServiceSpec): FieldError[] {
  const field = 'spec.loadBalancerClass'
  const { loadBalancerClass: name } = spec
  if (name === undefined || name === null) return []
  return isLoadBalancer(spec)
    ? each(qualifiedNameProblems(name), field, name)
    : [forbiddenField(field, ONLY_LOAD_BALANCER)]
}

function externalTrafficErrors(spec: ServiceSpec): FieldError[] {
  const field = 'spec.externalTrafficPolicy'
  const { externalTrafficPolicy: policy, healthCheckNodePort: port = 0 } = spec
  const errors = isExternal(spec)
    ? oneOf(field, policy, ['Cluster', 'Local'])
    : policy
      ? [invalidValue(field, policy, 'may only be set for externally-accessible services')]
      : []
  const portField = 'spec.healthCheckNodePort'
  if (needsHealthPort(spec))
    return [...errors, ...(port === 0 ? [required(portField)] : portNumberErrors(portField, port))]
  if (port === 0) return errors
  const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
  return [...errors, invalidValue(portField, port, why)]
}

export function validateServiceChange(service: Service, oldService: Service): FieldError[] {
  const spec = service.spec ?? {}
  const old = oldService.spec ?? {}
  const errors: FieldError[] = []
  if (!isExternalName(spec) && !isExternalName(old)) {
    const [headless, before] = [isHeadless(spec), isHeadless(old)]
    if (!headless || !before)
      append(errors, changedListErrors('clusterIPs', 'clusterIP', spec, old))
    if (!headless && !before) append(errors, changedListErrors('ipFamilies', 'ipFamily', spec, old))
  }
  if (
    isLoadBalancer(spec) &&
    isLoadBalancer(old) &&
    (spec.loadBalancerClass ?? undefined) !== (old.loadBalancerClass ?? undefined)
  )
    errors.push(
      invalidValue('spec.loadBalancerClass', spec.loadBalancerClass, 'may not change once set'),
    )
  // Validated again with the whole service.
  append(errors, classErrors(spec))
  if (
    needsHealthPort(spec) &&
    needsHealthPort(old) &&
    spec.healthCheckNodePort !== old.healthCheckNodePort
  )
    errors.push(forbiddenField('spec.healthCheckNodePort', 'field is immutable'))
  return errors
}

/** The first entry is immutable; a second may be added, and removed with SingleStack. */
function changedListErrors(
  member: 'clusterIPs' | 'ipFamilies',
  one: string,
  spec: ServiceSpec,
  old: ServiceSpec,
): FieldError[] {
  const [now, before] = [spec[member] ?? [], old[member] ?? []]
  const field = `spec.${member}`
  const immutable = (i: number, shown: typeof member, why: string) =>
    invalidTypedList(`${field}[${i}]`, LIST_TYPES[shown], spec[shown] ?? [], why)
  if (now.length === before.length)
    return before.flatMap((value, i) =>
      // For families kube-apiserver prints the first.
      value === now[i]
        ? []
        : [immutable(member === 'clusterIPs' ? i : 0, member, 'may not change once set')],
    )
  const errors: FieldError[] = []
  // If the length changes, errors print addresses for families too.
  if (now.length === 0) errors.push(immutable(0, 'clusterIPs', `primary ${one} can not be unset`))
  else if (before.length > 0 && now[0] !== before[0])
    errors.push(immutable(0, 'clusterIPs', 'may not change once set'))
  if (now.length === 1 && before.length > 1 && spec.ipFamilyPolicy !== 'SingleStack')
    errors.push(
      invalidValue(
        'spec.ipFamilyPolicy',
        spec.ipFamilyPolicy,
        `must be set to 'SingleStack' when releasing the secondary ${one}`,
      ),
    )
  return errors
}

const LIST_TYPES = { clusterIPs: 'string', ipFamilies: 'core.IPFamily' }

/** @param gates `AllowServiceLBStatusOnNonLB`, `LoadBalancerIPMode` */
export function validateServiceStatus(
  { spec = {}, status }: Service,
  gates: StrategyEngine['featureGates'],
): FieldError[] {
  const path = 'status.loadBalancer.ingress'
  const list = status?.loadBalancer?.ingress ?? []
  if (list.length > 0 && !isLoadBalancer(spec) && !gates.AllowServiceLBStatusOnNonLB)
    return [forbiddenField(path, "may only be used when `spec.type` is 'LoadBalancer'")]
  return list.flatMap((ingress, i) =>
    ingressErrors(ingress, `${path}[${i}]`, gates.LoadBalancerIPMode === true),
  )
}

function ingressErrors(
  { ip = '', hostname = '', ipMode }: Ingress,
  path: string,
  needsMode: boolean,
): FieldError[] {
  const errors: FieldError[] = []
  if (ip !== '' && !addressFamily(ip)) errors.push(invalidValue(`${path}.ip`, ip, NOT_AN_ADDRESS))
  if (ip !== '' && typeof ipMode !== 'string' && needsMode)
    errors.push(required(`${path}.ipMode`, 'must be specified when `ip` is set'))
  if (typeof ipMode === 'string' && ip === '')
    errors.push(forbiddenField(`${path}.ipMode`, 'may not be specified when `ip` is not set'))
  else append(errors, oneOfIfAny(`${path}.ipMode`, ipMode, ['Proxy', 'VIP']))
  if (hostname === '') return errors
  append(errors, each(dnsSubdomainProblems(hostname), `${path}.hostname`, hostname))
  if (addressFamily(hostname))
    errors.push(invalidValue(`${path}.hostname`, hostname, 'must be a DNS name, not an IP address'))
  return errors
}
