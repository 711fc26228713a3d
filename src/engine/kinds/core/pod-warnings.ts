/** Warnings about Pods and Pod templates. Recorded from kube-apiserver 1.31. */
import { append } from '../../core/lists'
import { entryOf } from '../../core/object'
import type { Changes } from '../../release-tables/changes'
import { goQuote } from '../../schema/go-text'
import { dnsLabelProblems } from '../../validation/names'
import { labelDeprecation, oldExpressionWarnings } from '../../validation/node-labels'
import { type ClaimAmounts, COUNTED_IN_BYTES, claimWarnings, fractions } from './amount-warnings'
import { overlappingPathWarnings } from './overlapping-paths'
import { portWarnings } from './pod-port-warnings'
import {
  type Container,
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

/** Ephemeral claims are checked in this order too. */
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

/** Pod names contain them. */
export const workloadNameWarnings = (name: string | undefined): string[] =>
  nameWarnings(name, 'Pod names and hostnames')

export function podWarnings(pod: Pod, changes: Changes): string[] {
  return [
    ...nameWarnings(pod.metadata.name, "the Pod's hostname"),
    ...specWarnings(pod.spec ?? {}, pod.metadata.annotations, '', changes),
  ]
}

/** @param path `spec.template` */
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

/** A response has at most 4,096 characters of warnings. */
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

function deadSeccomp(annotations: Record<string, string>, key: string, path: string): string[] {
  return entryOf(annotations, key) === undefined ? [] : [`${path}[${key}]: ${DEAD_SECCOMP}`]
}

/** Pods get AppArmor warnings where the fields are set. */
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

/** In templates, if only an annotation. */
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

/** Apply loses a definition to which the later one does not refer. */
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

function graceWarnings(spec: PodSpec, path: string): string[] {
  if ((spec.terminationGracePeriodSeconds ?? 0) >= 0) return []
  return [
    `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
  ]
}
