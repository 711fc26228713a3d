/**
 * Warnings for pods and templates: deprecated fields and annotations, duplicates, fractional
 * amounts. Recorded from kube-apiserver 1.31.
 */
import { append } from '../../core/lists'
import { entryOf } from '../../core/object'
import type { Changes } from '../../release-tables/changes'
import { explicitQuantity } from '../../schema/explicit-quantities'
import { goQuote } from '../../schema/go-text'
import { memoize } from '../../schema/memoize'
import { parseQuantity, quantityUnits } from '../../schema/quantity'
import { dnsLabelProblems } from '../../validation/names'
import { labelDeprecation, oldExpressionWarnings } from '../../validation/node-labels'
import { overlappingPathWarnings } from './overlapping-paths'
import {
  type Container,
  type ContainerPort,
  containersOf,
  type EnvVar,
  type NodeSelectorTerm,
  type PlacedContainer,
  type Pod,
  type PodAffinity,
  type PodAffinityTerm,
  type PodSpec,
  type PodTemplate,
  type Volume,
} from './pod-types'
import { APPARMOR_PREFIX, SECCOMP_OF_POD, SECCOMP_PREFIX } from './pod-validation/annotations'

const DEAD_ANNOTATIONS: Record<string, string> = {
  'scheduler.alpha.kubernetes.io/critical-pod':
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
}
const DEAD_SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead'

/**
 * Deprecated volume types with their names in warnings. Ephemeral claims are checked in this order
 * too.
 */
const OLD_VOLUMES: [member: string, shown: string, text?: string][] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['ephemeral', 'ephemeral'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
]

const GIT_REPO_DISABLED = ', and disabled by default in v1.33+'

const LABEL_RECOMMENDED = 'which can result in surprising behavior; a DNS label is recommended'

function nameWarnings(name: string | undefined, use: string): string[] {
  const problems = dnsLabelProblems(name ?? '')
  return problems.length === 0
    ? []
    : [`metadata.name: this is used in ${use}, ${LABEL_RECOMMENDED}: [${problems.join(' ')}]`]
}

/** Names of workloads become part of pod names. */
export const workloadNameWarnings = (name: string | undefined): string[] =>
  nameWarnings(name, 'Pod names and hostnames')

export function podWarnings(pod: Pod, changes: Changes): string[] {
  return [
    ...nameWarnings(pod.metadata.name, "the Pod's hostname"),
    ...specWarnings(pod.spec ?? {}, pod.metadata.annotations, '', changes),
  ]
}

/** @param path of the template: `spec.template` */
export function templateWarnings(
  template: PodTemplate | undefined,
  path: string,
  changes: Changes,
): string[] {
  const annotations = template?.metadata?.annotations
  const spec = template?.spec ?? {}
  return specWarnings(spec, annotations, `${path}.`, changes)
}

function specWarnings(
  spec: PodSpec,
  annotations: Record<string, string> | undefined,
  prefix: string,
  changes: Changes,
): string[] {
  const path = `${prefix}spec`
  const containers = containersOf(spec, path)
  const { volumes, hostAliases, imagePullSecrets, overhead } = spec
  const warnings: string[] = []
  if (spec.nodeSelector || spec.affinity || spec.topologySpreadConstraints)
    append(warnings, labelWarnings(spec, path))
  if (annotations)
    append(warnings, annotationWarnings(annotations, `${prefix}metadata.annotations`))
  if (volumes) {
    for (let i = 0; i < volumes.length; i++)
      append(warnings, volumeWarnings(volumes[i] as Volume, `${path}.volumes[${i}]`, changes))
    if (changes.has('OverlappingPathsWarned'))
      append(warnings, overlappingPathWarnings(volumes, changes, MOST_OF_A_LIST))
  }
  if (hostAliases) append(warnings, duplicates(hostAliases, 'ip', `${path}.hostAliases`))
  if (imagePullSecrets)
    append(warnings, pullSecretWarnings(imagePullSecrets, `${path}.imagePullSecrets`))
  if (overhead) append(warnings, fractions(overhead, `${path}.overhead`))
  if (annotations && !spec.securityContext?.seccompProfile)
    append(warnings, deadSeccomp(annotations, SECCOMP_OF_POD, `${prefix}metadata.annotations`))
  for (const container of containers) {
    if (annotations)
      append(warnings, profileWarnings(container.container, spec, annotations, prefix))
    addContainerWarnings(warnings, container)
  }
  const ofPorts = portWarnings(containers)
  for (const warning of ofPorts) warnings.push(warning)
  append(warnings, graceWarnings(spec, path))
  if (spec.affinity)
    for (const member of ['podAffinity', 'podAntiAffinity'] as const)
      append(warnings, podAffinityWarnings(spec.affinity[member], `${path}.affinity.${member}`))
  return warnings
}

function labelWarnings(spec: PodSpec, path: string): string[] {
  const warnings = Object.keys(spec.nodeSelector ?? {})
    .sort()
    .flatMap((key) =>
      labelDeprecation(key) ? [`${path}.nodeSelector[${key}]: ${labelDeprecation(key)}`] : [],
    )
  const required = 'requiredDuringSchedulingIgnoredDuringExecution'
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'
  const { nodeAffinity } = spec.affinity ?? {}
  const at = `${path}.affinity`
  for (const [i, term] of (nodeAffinity?.[required]?.nodeSelectorTerms ?? []).entries())
    append(warnings, termWarnings(term, `${at}.nodeAffinity.${required}.nodeSelectorTerms[${i}]`))
  for (const [i, { preference }] of (nodeAffinity?.[preferred] ?? []).entries())
    append(
      warnings,
      termWarnings(preference ?? {}, `${at}.nodeAffinity.${preferred}[${i}].preference`),
    )
  for (const [i, { topologyKey = '', labelSelector }] of (
    spec.topologySpreadConstraints ?? []
  ).entries()) {
    const place = `${path}.topologySpreadConstraints[${i}]`
    const deprecation = labelDeprecation(topologyKey)
    if (deprecation) warnings.push(`${place}.topologyKey: ${topologyKey} is ${deprecation}`)
    if (!labelSelector) warnings.push(nullSelector(place))
  }
  return warnings
}

const nullSelector = (path: string): string =>
  `${path}.labelSelector: a null labelSelector results in matching no pod`

const termWarnings = (term: NodeSelectorTerm, path: string): string[] =>
  oldExpressionWarnings(term.matchExpressions, `${path}.matchExpressions`)

function podAffinityWarnings(affinity: PodAffinity | undefined, path: string): string[] {
  const ofTerm = (term: PodAffinityTerm, at: string) =>
    term.labelSelector ? [] : [nullSelector(at)]
  const required = 'requiredDuringSchedulingIgnoredDuringExecution'
  const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'
  return [
    ...(affinity?.[required] ?? []).flatMap((term, i) => ofTerm(term, `${path}.${required}[${i}]`)),
    ...(affinity?.[preferred] ?? []).flatMap(({ podAffinityTerm = {} }, i) =>
      ofTerm(podAffinityTerm, `${path}.${preferred}[${i}].podAffinityTerm`),
    ),
  ]
}

const annotationWarnings = (annotations: Record<string, string>, path: string): string[] =>
  Object.entries(DEAD_ANNOTATIONS).flatMap(([key, text]) =>
    entryOf(annotations, key) === undefined ? [] : [`${path}[${key}]: ${text}`],
  )

function volumeWarnings(volume: Volume, path: string, changes: Changes): string[] {
  const warnings: string[] = []
  for (const [member, shown, text] of OLD_VOLUMES) {
    if (!volume[member]) continue
    if (text !== undefined) {
      const isDisabled = member === 'gitRepo' && changes.has('GitRepoDisabled')
      warnings.push(`${path}.${shown}: ${text}${isDisabled ? GIT_REPO_DISABLED : ''}`)
    } else {
      const { volumeClaimTemplate: template } = volume.ephemeral as {
        volumeClaimTemplate?: { spec?: ClaimAmounts }
      }
      append(warnings, claimWarnings(template?.spec, `${path}.ephemeral.volumeClaimTemplate.spec`))
    }
  }
  return warnings
}

/**
 * The Warning headers of one response hold at most 4,096 characters, so later warnings of a list
 * are never sent.
 */
const MOST_OF_A_LIST = 4096

function listWarnings<T>(
  items: readonly T[],
  warning: (item: T, index: number) => string | undefined,
): string[] {
  const warnings: string[] = []
  for (let i = 0; i < items.length && warnings.length < MOST_OF_A_LIST; i++) {
    const text = warning(items[i] as T, i)
    if (text !== undefined) warnings.push(text)
  }
  return warnings
}

function duplicates<T>(items: T[], member: keyof T & string, path: string): string[] {
  const seen = new Set<unknown>()
  return listWarnings(items, (item, i) => {
    const value = (item[member] ?? '') as string
    if (seen.has(value)) return `${path}[${i}].${member}: duplicate ${member} ${goQuote(value)}`
    seen.add(value)
    return undefined
  })
}

function pullSecretWarnings(
  secrets: NonNullable<PodSpec['imagePullSecrets']>,
  path: string,
): string[] {
  const empty = listWarnings(secrets, ({ name }, i) =>
    name ? undefined : `${path}[${i}].name: invalid empty name ""`,
  )
  return [...duplicates(secrets, 'name', path), ...empty]
}

const COUNTED_IN_BYTES = ['memory', 'ephemeral-storage']

/** Bytes must be whole numbers. */
function fractions(
  amounts: Record<string, string>,
  path: string,
  names = COUNTED_IN_BYTES,
): string[] {
  const warnings: string[] = []
  for (const name of names) {
    const amount = entryOf(amounts, name)
    if (amount === undefined) continue
    if (!isUndivided(explicitQuantity(amounts, name)))
      warnings.push(`${path}[${name}]: ${fractionText(amount)}`)
  }
  return warnings
}

const isUndivided = memoize((text: string): boolean => countedThousandths(text) % 1000n === 0n)

/**
 * Thousandths in 64 bits, as kube-apiserver computes them. A large amount in plain digits or powers
 * of two overflows and looks fractional; one with a power of ten counts as zero.
 */
function countedThousandths(text: string): bigint {
  const quantity = parseQuantity(text)
  const thousandths = quantityUnits(quantity, 3)
  if (thousandths < 2n ** 63n) return thousandths
  return quantity.format === 'BinarySI' || (/\d$/.test(text) && !/e/i.test(text))
    ? BigInt.asIntN(64, thousandths)
    : 0n
}

const fractionText = (amount: string): string =>
  `fractional byte value ${goQuote(amount)} is invalid, must be an integer`

function deadSeccomp(annotations: Record<string, string>, key: string, path: string): string[] {
  return entryOf(annotations, key) === undefined ? [] : [`${path}[${key}]: ${DEAD_SECCOMP}`]
}

/**
 * Seccomp and AppArmor profiles in annotations of a container. Pods get AppArmor warnings where the
 * fields are set.
 */
function profileWarnings(
  container: Container,
  spec: PodSpec,
  annotations: Record<string, string>,
  prefix: string,
): string[] {
  const path = `${prefix}metadata.annotations`
  return [
    ...(container.securityContext?.seccompProfile
      ? []
      : deadSeccomp(annotations, SECCOMP_PREFIX + container.name, path)),
    ...(prefix === '' ? [] : appArmorWarnings(container, spec, annotations, path)),
  ]
}

/** An AppArmor profile that a template has only as an annotation. */
function appArmorWarnings(
  container: Container,
  spec: PodSpec,
  annotations: Record<string, string>,
  path: string,
): string[] {
  const key = APPARMOR_PREFIX + container.name
  if (entryOf(annotations, key) === undefined) return []
  return container.securityContext?.appArmorProfile || spec.securityContext?.appArmorProfile
    ? []
    : [oldAppArmor(`${path}[${key}]`)]
}

export const oldAppArmor = (path: string): string =>
  `${path}: deprecated since v1.30; use the "appArmorProfile" field instead`

function addContainerWarnings(warnings: string[], { container, path }: PlacedContainer): void {
  const { env, resources } = container
  if (resources?.limits || resources?.requests) {
    for (const name of COUNTED_IN_BYTES) {
      if (resources.limits)
        append(warnings, fractions(resources.limits, `${path}.resources.limits`, [name]))
      if (resources.requests)
        append(warnings, fractions(resources.requests, `${path}.resources.requests`, [name]))
    }
  }
  if (env) append(warnings, hiddenVariables(env, `${path}.env`))
}

/** A variable may refer to its earlier definition; otherwise apply loses the earlier one. */
function hiddenVariables(variables: EnvVar[], path: string): string[] {
  const seen = new Set<string>()
  return variables.flatMap(({ name = '', value = '' }, i) => {
    const hides = seen.has(name) && !value.includes(`$(${name})`)
    seen.add(name)
    return hides
      ? [
          `${path}[${i}]: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`,
        ]
      : []
  })
}

interface PlacedPort {
  hostIP: string
  hostPort: number
  path: string
  /** The index among all ports. */
  order: number
}

/** A response has at most 4,096 characters of warnings, so more warnings would never be sent. */
const MAX_PORT_WARNINGS = 4096

function portWarnings(containers: PlacedContainer[]): string[] {
  const warnings: string[] = []
  const seen = new Map<string, EarlierPorts>()
  let order = 0
  for (const { container, path } of containers) {
    for (const [i, port] of (container.ports ?? []).entries()) {
      const here: PlacedPort = {
        hostIP: port.hostIP ?? '',
        hostPort: port.hostPort ?? 0,
        path: `${path}.ports[${i}]`,
        order: order++,
      }
      if (port.hostIP && !port.hostPort)
        warnings.push(`${here.path}: hostIP set without hostPort: ${shownPort(port)}`)
      const key = `${port.containerPort}/${port.protocol}`
      const earlier = seen.get(key) ?? new EarlierPorts()
      seen.set(key, earlier)
      for (const other of earlier.relatedTo(here)) {
        if (warnings.length >= MAX_PORT_WARNINGS) return warnings
        warnings.push(
          `${here.path}: ${portRelation(here, other)} port definition with ${other.path}`,
        )
      }
      earlier.add(here)
    }
  }
  return warnings
}

/** Earlier ports of one number and protocol, indexed by what relates another port to them. */
class EarlierPorts {
  private readonly all: PlacedPort[] = []
  private readonly withoutHostPort: PlacedPort[] = []
  private readonly byHostPort = new Map<number, Map<string, PlacedPort[]>>()

  /** Related ports in order: duplicate, overlapping and ambiguous ones. */
  relatedTo({ hostIP, hostPort }: PlacedPort): readonly PlacedPort[] {
    if (hostPort === 0) return this.all
    const byAddress = this.byHostPort.get(hostPort) ?? new Map<string, PlacedPort[]>()
    const alike =
      hostIP === ''
        ? [...byAddress.values()].flat()
        : [...(byAddress.get(hostIP) ?? []), ...(byAddress.get('') ?? [])]
    return [...this.withoutHostPort, ...alike].sort((a, b) => a.order - b.order)
  }

  add(port: PlacedPort): void {
    this.all.push(port)
    if (port.hostPort === 0) this.withoutHostPort.push(port)
    else {
      const byAddress = this.byHostPort.get(port.hostPort) ?? new Map<string, PlacedPort[]>()
      this.byHostPort.set(port.hostPort, byAddress)
      const alike = byAddress.get(port.hostIP)
      if (alike) alike.push(port)
      else byAddress.set(port.hostIP, [port])
    }
  }
}

function shownPort({
  name = '',
  hostPort = 0,
  containerPort = 0,
  protocol = '',
  hostIP = '',
}: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`
}

function portRelation(a: PlacedPort, b: PlacedPort): string {
  if (a.hostIP === b.hostIP && a.hostPort === b.hostPort) return 'duplicate'
  return a.hostPort === 0 || b.hostPort === 0 ? 'overlapping' : 'dangerously ambiguous'
}

function graceWarnings(spec: PodSpec, path: string): string[] {
  if ((spec.terminationGracePeriodSeconds ?? 0) >= 0) return []
  return [
    `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
  ]
}

/** The part of a claim's spec that warnings read. */
export interface ClaimAmounts {
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
}

/** Claims and claim templates. @param path of the spec, as kube-apiserver gives it */
export function claimWarnings(spec: ClaimAmounts | undefined, path: string): string[] {
  const { requests = {}, limits = {} } = spec?.resources ?? {}
  return [
    ...fractions(requests, `${path}.resources.requests`, ['storage']),
    ...fractions(limits, `${path}.resources.limits`, ['storage']),
  ]
}
