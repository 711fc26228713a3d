/**
 * The admission plugin PodSecurity. kubernetes.io, "Pod Security Admission" and "Audit
 * Annotations".
 */

import { aggregateMessage } from '../../core/aggregate-message'
import { memoizeByIdentity } from '../../core/identity-memo'
import { chain } from '../../core/maybe-promise'
import { entryOf, equalJson, type KubeObject } from '../../core/object'
import { type FieldError, invalid } from '../../http/status'
import { TEMPLATED_KINDS } from '../../validation/pod-templates'
import type { Container, Pod, PodSpec } from '../../validation/pods'
import { type AdmissionAttributes, type AdmissionPlugin, resourceKey } from '../admission'
import { type AdmissionEnvironment, readObject, readObjects } from '../environment'
import { newForbidden } from '../errors'
import type { CheckedPod } from './check'
import { type PodSecurityConfiguration, podSecurityConfiguration } from './configuration'
import { detailsText, findingsOf, reasonsText } from './evaluate'
import { Tally } from './metrics'
import {
  isStricter,
  type LevelVersion,
  levelText,
  type Policy,
  PRIVILEGED_POLICY,
  policyOf,
} from './policy'

const TEMPLATE_OF = new Map(
  TEMPLATED_KINDS.map(({ group, resource, templateOf }) => [
    group ? `${resource}.${group}` : resource,
    templateOf,
  ]),
)

type NamespacePolicy = ReturnType<typeof policyOf>

export function podSecurity(environment: AdmissionEnvironment): AdmissionPlugin {
  const { defaults, exemptions: configured } = podSecurityConfiguration(
    environment.configurationOf('PodSecurity'),
  )
  const exemptions = {
    ...configured,
    ownUsers: environment.featureGates.UserNamespacesPodSecurityStandards === true,
  }
  environment.podSecurity.begin()
  /** Label maps of stored namespaces never change. */
  const policyOfLabels = memoizeByIdentity((labels: Record<string, string>) =>
    policyOf(labels, defaults),
  )
  const policyFor = (labels: Record<string, string> | undefined): NamespacePolicy =>
    labels ? policyOfLabels(labels) : policyOf(labels, defaults)
  return {
    name: 'PodSecurity',
    operations: ['CREATE', 'UPDATE'],
    resources: ['namespaces', 'pods', 'pods/ephemeralcontainers', ...TEMPLATE_OF.keys()],
    validate(attributes) {
      if (attributes.resource === 'namespaces')
        return checkNamespace(environment, attributes, defaults, exemptions)
      const tally = new Tally(environment.podSecurity, attributes, environment.release)
      if (exemptions.namespaces.includes(attributes.namespace))
        return exempt(attributes, tally, 'namespace')
      if (exemptions.usernames.includes(attributes.user.name))
        return exempt(attributes, tally, 'user')
      return chain(
        readObject(environment, `/registry/namespaces/${attributes.namespace}`),
        (namespace) => {
          const policy = policyFor(namespace?.metadata.labels)
          if (attributes.resource === 'pods') checkPod(attributes, policy, exemptions, tally)
          else checkTemplate(attributes, policy, exemptions, tally)
        },
      )
    },
  }
}

type Exemptions = PodSecurityConfiguration['exemptions'] & {
  ownUsers: boolean
}

const isExemptClass = ({ runtimeClassName }: PodSpec, { runtimeClasses }: Exemptions): boolean =>
  Boolean(runtimeClassName) && runtimeClasses.includes(runtimeClassName ?? '')

const isPrivileged = (...levels: LevelVersion[]): boolean =>
  levels.every(({ level }) => level === 'privileged')

const withExemptions = (pod: CheckedPod, { ownUsers }: Exemptions): CheckedPod =>
  ownUsers && pod.spec.hostUsers === false
    ? { metadata: pod.metadata, spec: pod.spec, hasOwnUsers: true }
    : pod

function exempt(attributes: AdmissionAttributes, tally: Tally, because: string): void {
  tally.exempted()
  annotate(attributes, 'exempt', because)
}

function checkPod(
  attributes: AdmissionAttributes,
  { policy, errors }: NamespacePolicy,
  exemptions: Exemptions,
  tally: Tally,
): void {
  const { enforce, audit, warn } = policy
  if (errors.length === 0 && isPrivileged(enforce, audit, warn)) {
    tally.evaluated('enforce', enforce, 'allow')
    annotate(attributes, 'enforce-policy', levelText(PRIVILEGED_POLICY.enforce))
    return
  }
  const pod = attributes.object as Pod
  if (attributes.oldObject && !changesSecurity(pod, attributes.oldObject as Pod)) return
  if (isExemptClass(pod.spec, exemptions)) {
    exempt(attributes, tally, 'runtimeClass')
    return
  }
  annotate(attributes, 'enforce-policy', levelText(enforce))
  const checked = withExemptions(pod, exemptions)
  const forbidden = findingsOf(checked, enforce)
  tally.evaluated('enforce', enforce, forbidden.length > 0 ? 'deny' : 'allow')
  auditOf(attributes, checked, audit, errors, tally)
  if (forbidden.length > 0) {
    const error = newForbidden(
      attributes,
      `violates PodSecurity "${levelText(enforce)}": ${detailsText(forbidden)}`,
    )
    const reasons = forbidden.map(({ reason }) => reason)
    error.grounds = { by: 'pod security', level: enforce.level, reasons }
    throw error
  }
  warnOf(attributes, checked, warn, tally)
}

function checkTemplate(
  attributes: AdmissionAttributes,
  { policy, errors }: NamespacePolicy,
  exemptions: Exemptions,
  tally: Tally,
): void {
  const { audit, warn } = policy
  if (errors.length === 0 && isPrivileged(audit, warn)) return
  const { metadata = {}, spec } =
    TEMPLATE_OF.get(resourceKey(attributes))?.(attributes.object as KubeObject) ?? {}
  if (spec === undefined) return
  if (isExemptClass(spec, exemptions)) {
    exempt(attributes, tally, 'runtimeClass')
    return
  }
  const checked = withExemptions({ metadata, spec }, exemptions)
  auditOf(attributes, checked, audit, errors, tally)
  warnOf(attributes, checked, warn, tally)
}

/** The first value of an annotation wins. */
function annotate({ trace }: AdmissionAttributes, name: string, value: string): void {
  trace.annotations[`pod-security.kubernetes.io/${name}`] ??= value
}

function auditOf(
  attributes: AdmissionAttributes,
  pod: CheckedPod,
  audit: LevelVersion,
  errors: FieldError[],
  tally: Tally,
): void {
  if (errors.length > 0) {
    tally.failed()
    const wrong = errors.map(({ field, detail }) => `${field}: ${detail}`)
    annotate(attributes, 'error', `Failed to parse policy: ${aggregateMessage(wrong)}`)
  }
  const found = violationText(pod, audit)
  if (found === undefined) return
  tally.evaluated('audit', audit, 'deny')
  annotate(attributes, 'audit-violations', found)
}

function warnOf(
  attributes: AdmissionAttributes,
  pod: CheckedPod,
  warn: LevelVersion,
  tally: Tally,
): void {
  const found = violationText(pod, warn)
  if (found === undefined) return
  tally.evaluated('warn', warn, 'deny')
  attributes.warn(found)
}

function violationText(pod: CheckedPod, wanted: LevelVersion): string | undefined {
  const findings = findingsOf(pod, wanted)
  return findings.length === 0
    ? undefined
    : `would violate PodSecurity "${levelText(wanted)}": ${detailsText(findings)}`
}

const SECCOMP_OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/'

/** Only images, added containers and seccomp annotations can change a pod's security. */
function changesSecurity(pod: Pod, old: Pod): boolean {
  const annotation = (of: Pod, key: string) => entryOf(of.metadata.annotations, key)
  const changed = (key: string) => annotation(pod, key) !== annotation(old, key)
  return (['containers', 'initContainers', 'ephemeralContainers'] as const).some((list) => {
    const now = pod.spec[list] ?? []
    const before = new Map(
      (old.spec[list] ?? []).map((container: Container) => [container.name, container]),
    )
    if (list !== 'ephemeralContainers' && now.length !== before.size) return true
    return now.some(
      ({ name, image }) =>
        before.get(name)?.image !== image || changed(SECCOMP_OF_CONTAINER + name),
    )
  })
}

async function checkNamespace(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
  defaults: Policy,
  exemptions: Exemptions,
): Promise<void> {
  const { operation, object, oldObject, name } = attributes
  const { policy, errors } = policyOf(object?.metadata.labels, defaults)
  const before = policyOf(oldObject?.metadata.labels, defaults)
  if (errors.length > 0 && (operation === 'CREATE' || !equalJson(errors, before.errors))) {
    throw invalid({ group: '', kind: 'Namespace' }, name, errors)
  }
  if (operation === 'UPDATE' && !tightens(policy.enforce, before.policy.enforce)) return
  if (exemptions.namespaces.includes(name)) {
    if (!isPrivileged(policy.enforce, policy.audit, policy.warn) && !equalJson(policy, defaults)) {
      const ignored = labelledModes(object?.metadata.labels, policy)
      attributes.warn(
        `namespace "${name}" is exempt from Pod Security, and the policy (${ignored}) will be ignored`,
      )
    }
    return
  }
  if (operation === 'CREATE') return
  for (const text of await warningsOfPods(environment, name, policy.enforce, exemptions))
    attributes.warn(text)
}

/** Modes whose labels restrict pods: `enforce=baseline:latest, warn=restricted:latest`. */
function labelledModes(labels: Record<string, string> = {}, policy: Policy): string {
  const speaksOf = (mode: string) =>
    [mode, `${mode}-version`].some(
      (label) => labels[`pod-security.kubernetes.io/${label}`] !== undefined,
    )
  const modes = (['enforce', 'audit', 'warn'] as const).filter(
    (mode) => speaksOf(mode) && policy[mode].level !== 'privileged',
  )
  return modes.map((mode) => `${mode}=${levelText(policy[mode])}`).join(', ')
}

function tightens(now: LevelVersion, before: LevelVersion): boolean {
  if (now.level === 'privileged' || equalJson(now, before)) return false
  return now.version !== before.version || isStricter(now.level, before.level)
}

/** Pods that are checked when labels change. */
const MOST_CHECKED_PODS = 3000

async function warningsOfPods(
  environment: AdmissionEnvironment,
  namespace: string,
  enforce: LevelVersion,
  exemptions: Exemptions,
): Promise<string[]> {
  const present = await readObjects<Pod>(environment, `/registry/pods/${namespace}/`)
  const pods = oneOfEachOwnerFirst(present.filter(({ spec }) => !isExemptClass(spec, exemptions)))
  const byReasons = new Map<string, { first: string; count: number }>()
  for (const pod of pods.slice(0, MOST_CHECKED_PODS)) {
    const reasons = reasonsText(findingsOf(withExemptions(pod, exemptions), enforce))
    if (reasons === '') continue
    const name = pod.metadata.name ?? ''
    const { first, count } = byReasons.get(reasons) ?? { first: name, count: 0 }
    byReasons.set(reasons, { first: [first, name].sort()[0] as string, count: count + 1 })
  }
  const warnings: string[] = []
  if (pods.length > MOST_CHECKED_PODS) {
    warnings.push(
      `new PodSecurity enforce level only checked against the first ${MOST_CHECKED_PODS} of ${pods.length} existing pods`,
    )
  }
  if (byReasons.size > 0) {
    warnings.push(
      `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${levelText(enforce)}"`,
    )
  }
  const groups = [...byReasons].map(
    ([reasons, { first, count }]) => `${first}${othersText(count - 1)}: ${reasons}`,
  )
  return [...warnings, ...groups.sort()]
}

function othersText(count: number): string {
  return count === 0 ? '' : ` (and ${count} other ${count === 1 ? 'pod' : 'pods'})`
}

/** Pods of one owner are similar. */
function oneOfEachOwnerFirst(pods: Pod[]): Pod[] {
  const owners = new Set<string>()
  const first: Pod[] = []
  const alike: Pod[] = []
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller)?.uid
    if (owner !== undefined && owners.has(owner)) alike.push(pod)
    else first.push(pod)
    if (owner !== undefined) owners.add(owner)
  }
  return [...first, ...alike]
}
