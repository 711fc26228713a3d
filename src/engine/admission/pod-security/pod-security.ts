/**
 * PodSecurity: a namespace's labels say which of the Pod Security Standards its pods must meet (enforce), and for what its users are
 * warned (warn), be it in pods or in what makes pods. Audit levels are read and checked; there is no audit log to write to.
 */
import { invalid } from '../../http/status'
import { equalJson, type KubeObject } from '../../object'
import type { Container, Pod, PodTemplate } from '../../registry/rules/pods'
import { type AdmissionAttributes, type AdmissionPlugin, resourceKey } from '../admission'
import { type AdmissionEnvironment, readObject, readObjects } from '../environment'
import { refused } from '../refusal'
import type { CheckedPod } from './check'
import { type PodSecurityConfiguration, podSecurityConfiguration } from './configuration'
import { detailsText, findingsOf, reasonsText } from './evaluate'
import { isStricter, type LevelVersion, levelText, type Policy, policyOf } from './policy'

const specTemplate = (object: KubeObject) => (object.spec as { template?: PodTemplate } | undefined)?.template

/** Where a kind that makes pods keeps their template. */
const TEMPLATE_OF: Record<string, (object: KubeObject) => PodTemplate | undefined> = {
  podtemplates: (object) => object.template as PodTemplate | undefined,
  replicationcontrollers: specTemplate,
  'replicasets.apps': specTemplate,
  'deployments.apps': specTemplate,
  'statefulsets.apps': specTemplate,
  'daemonsets.apps': specTemplate,
  'jobs.batch': specTemplate,
  'cronjobs.batch': (object) =>
    (object.spec as { jobTemplate?: { spec?: { template?: PodTemplate } } } | undefined)?.jobTemplate?.spec?.template,
}

export function podSecurity(environment: AdmissionEnvironment): AdmissionPlugin {
  const { defaults, exemptions } = podSecurityConfiguration(environment.configurationOf('PodSecurity'))
  /** What labels of stored namespaces ask for: they are never changed, and read for each pod. */
  const policies = new WeakMap<Record<string, string>, Policy>()
  const policyFor = (labels: Record<string, string> | undefined): Policy => {
    const known = labels && policies.get(labels)
    if (known !== undefined) return known
    const { policy } = policyOf(labels, defaults)
    if (labels) policies.set(labels, policy)
    return policy
  }
  return {
    name: 'PodSecurity',
    operations: ['CREATE', 'UPDATE'],
    resources: ['namespaces', 'pods', 'pods/ephemeralcontainers', ...Object.keys(TEMPLATE_OF)],
    async validate(attributes) {
      if (attributes.resource === 'namespaces') return checkNamespace(environment, attributes, defaults, exemptions.namespaces)
      if (isExempt(attributes, exemptions)) return
      const policy = policyFor((await readObject(environment, `/registry/namespaces/${attributes.namespace}`))?.metadata.labels)
      if (attributes.resource === 'pods') checkPod(attributes, policy)
      else checkTemplate(attributes, policy)
    },
  }
}

/** Users, namespaces and runtime classes that are left alone. */
function isExempt(attributes: AdmissionAttributes, exemptions: PodSecurityConfiguration['exemptions']): boolean {
  const { user, namespace, object } = attributes
  if (exemptions.usernames.includes(user.name) || exemptions.namespaces.includes(namespace)) return true
  const template = TEMPLATE_OF[resourceKey(attributes)]
  const spec = attributes.resource === 'pods' ? (object as Pod | undefined)?.spec : object && template?.(object)?.spec
  return exemptions.runtimeClasses.includes(spec?.runtimeClassName ?? '')
}

function checkPod(attributes: AdmissionAttributes, { enforce, warn }: Policy): void {
  if (enforce.level === 'privileged' && warn.level === 'privileged') return
  const pod = attributes.object as Pod
  if (attributes.oldObject && !changesSecurity(pod, attributes.oldObject as Pod)) return
  const forbidden = findingsOf(pod, enforce)
  if (forbidden.length > 0) throw refused(attributes, `violates PodSecurity "${levelText(enforce)}": ${detailsText(forbidden)}`)
  warnOf(attributes, pod, warn)
}

function checkTemplate(attributes: AdmissionAttributes, { warn }: Policy): void {
  if (warn.level === 'privileged') return
  const { metadata = {}, spec } = TEMPLATE_OF[resourceKey(attributes)]?.(attributes.object as KubeObject) ?? {}
  if (spec !== undefined) warnOf(attributes, { metadata, spec }, warn)
}

function warnOf(attributes: AdmissionAttributes, pod: CheckedPod, warn: LevelVersion): void {
  const findings = findingsOf(pod, warn)
  if (findings.length > 0) attributes.warn(`would violate PodSecurity "${levelText(warn)}": ${detailsText(findings)}`)
}

const SECCOMP_OF_POD = 'seccomp.security.alpha.kubernetes.io/pod'
const SECCOMP_OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/'

/** Of what may change in a pod only images, added containers and old seccomp annotations concern its security. */
function changesSecurity(pod: Pod, old: Pod): boolean {
  const annotation = (of: Pod, key: string) => of.metadata.annotations?.[key]
  const changed = (key: string) => annotation(pod, key) !== annotation(old, key)
  if (changed(SECCOMP_OF_POD)) return true
  return (['containers', 'initContainers', 'ephemeralContainers'] as const).some((list) => {
    const now = pod.spec[list] ?? []
    const before = new Map((old.spec[list] ?? []).map((container: Container) => [container.name, container]))
    if (list !== 'ephemeralContainers' && now.length !== before.size) return true
    return now.some(({ name, image }) => before.get(name)?.image !== image || changed(SECCOMP_OF_CONTAINER + name))
  })
}

async function checkNamespace(
  environment: AdmissionEnvironment,
  attributes: AdmissionAttributes,
  defaults: Policy,
  exempt: string[],
): Promise<void> {
  const { operation, object, oldObject, name } = attributes
  const { policy, errors } = policyOf(object?.metadata.labels, defaults)
  const before = policyOf(oldObject?.metadata.labels, defaults)
  if (errors.length > 0 && (operation === 'CREATE' || !equalJson(errors, before.errors))) {
    throw invalid({ group: '', kind: 'Namespace' }, name, errors)
  }
  if (exempt.includes(name)) {
    const ignored = labelledModes(object?.metadata.labels, policy)
    if (ignored !== '') attributes.warn(`namespace "${name}" is exempt from Pod Security, and the policy (${ignored}) will be ignored`)
    return
  }
  if (operation === 'CREATE' || !tightens(policy.enforce, before.policy.enforce)) return
  for (const text of await warningsOfPods(environment, name, policy.enforce)) attributes.warn(text)
}

/** `enforce=baseline:latest, warn=restricted:latest`: what labels ask for beyond everything. */
function labelledModes(labels: Record<string, string> = {}, policy: Policy): string {
  const modes = (['enforce', 'audit', 'warn'] as const).filter(
    (mode) => labels[`pod-security.kubernetes.io/${mode}`] && policy[mode].level !== 'privileged',
  )
  return modes.map((mode) => `${mode}=${levelText(policy[mode])}`).join(', ')
}

function tightens(now: LevelVersion, before: LevelVersion): boolean {
  if (now.level === 'privileged' || equalJson(now, before)) return false
  return now.version !== before.version || isStricter(now.level, before.level)
}

/** More pods than this are not checked when labels change. */
const MOST_CHECKED_PODS = 3000

async function warningsOfPods(environment: AdmissionEnvironment, namespace: string, enforce: LevelVersion): Promise<string[]> {
  const pods = oneOfEachOwnerFirst(await readObjects<Pod>(environment, `/registry/pods/${namespace}/`))
  const byReasons = new Map<string, { first: string; count: number }>()
  for (const pod of pods.slice(0, MOST_CHECKED_PODS)) {
    const reasons = reasonsText(findingsOf(pod, enforce))
    if (reasons === '') continue
    const group = byReasons.get(reasons) ?? { first: pod.metadata.name ?? '', count: 0 }
    byReasons.set(reasons, { ...group, count: group.count + 1 })
  }
  const warnings: string[] = []
  if (pods.length > MOST_CHECKED_PODS) {
    warnings.push(`new PodSecurity enforce level only checked against the first ${MOST_CHECKED_PODS} of ${pods.length} existing pods`)
  }
  if (byReasons.size > 0) {
    warnings.push(`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${levelText(enforce)}"`)
  }
  const groups = [...byReasons].map(([reasons, { first, count }]) => `${first}${othersText(count - 1)}: ${reasons}`)
  return [...warnings, ...groups.sort()]
}

function othersText(count: number): string {
  return count === 0 ? '' : ` (and ${count} other ${count === 1 ? 'pod' : 'pods'})`
}

/** Pods of one owner are alike: one of each goes before the rest. */
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
