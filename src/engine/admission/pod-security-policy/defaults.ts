/** What a PodSecurityPolicy sets in a Pod. kubernetes.io 1.24, "Pod Security Policies". */
import type { PodSpec } from '../../validation/pods'
import { MUST_RUN_AS, NON_ROOT, type PolicySpec, type Strategy } from './policy'

export interface PodSecurity {
  hostNetwork?: boolean
  runAsUser?: number
  runAsGroup?: number
  runAsNonRoot?: boolean
  fsGroup?: number
  supplementalGroups?: number[]
  seLinuxOptions?: Record<string, string>
  sysctls?: { name: string }[]
}

export interface ContainerSecurity extends PodSecurity {
  privileged?: boolean
  allowPrivilegeEscalation?: boolean
  readOnlyRootFilesystem?: boolean
  procMount?: string
  capabilities?: { add?: string[]; drop?: string[] }
}

export interface Secured {
  name: string
  ports?: { hostPort?: number }[]
  volumeMounts?: { name: string; readOnly?: boolean }[]
  securityContext?: ContainerSecurity
}

export interface SecuredSpec
  extends Omit<
    PodSpec,
    'containers' | 'initContainers' | 'ephemeralContainers' | 'securityContext'
  > {
  hostNetwork?: boolean
  hostPID?: boolean
  hostIPC?: boolean
  runtimeClassName?: string
  securityContext?: PodSecurity
  containers?: Secured[]
  initContainers?: Secured[]
  ephemeralContainers?: Secured[]
}

const smallest = ({ rule, ranges }: Strategy = {}): number | undefined =>
  rule === MUST_RUN_AS ? ranges?.[0]?.min : undefined

/** Sets, in place, members that the pod leaves unset and the policy restricts. */
export function applyPolicyDefaults(policy: PolicySpec, spec: SecuredSpec): void {
  const pod: PodSecurity = { ...spec.securityContext }
  spec.securityContext = pod
  const group = smallest(policy.supplementalGroups)
  if (pod.supplementalGroups === undefined && group !== undefined) pod.supplementalGroups = [group]
  pod.fsGroup ??= smallest(policy.fsGroup)
  if (policy.seLinux?.rule === MUST_RUN_AS && policy.seLinux.seLinuxOptions)
    pod.seLinuxOptions ??= { ...policy.seLinux.seLinuxOptions }
  spec.runtimeClassName ??= policy.runtimeClass?.defaultRuntimeClassName
  for (const list of [spec.initContainers, spec.containers, spec.ephemeralContainers])
    for (const container of list ?? [])
      container.securityContext = containerDefaults(policy, pod, container.securityContext ?? {})
  dropUnset(pod)
}

function containerDefaults(
  policy: PolicySpec,
  pod: PodSecurity,
  given: ContainerSecurity,
): ContainerSecurity {
  const own: ContainerSecurity = { ...given }
  if (pod.runAsUser === undefined) own.runAsUser ??= smallest(policy.runAsUser)
  if (pod.runAsGroup === undefined) own.runAsGroup ??= smallest(policy.runAsGroup)
  const wantsUser = policy.runAsUser?.rule === NON_ROOT
  if (
    wantsUser &&
    own.runAsUser === undefined &&
    pod.runAsUser === undefined &&
    pod.runAsNonRoot === undefined
  )
    own.runAsNonRoot ??= true
  const { requiredDropCapabilities: drop = [], defaultAddCapabilities: add = [] } = policy
  if (drop.length > 0 || add.length > 0)
    own.capabilities = withCapabilities(own.capabilities ?? {}, add, drop)
  if (policy.readOnlyRootFilesystem) own.readOnlyRootFilesystem ??= true
  const escalates =
    policy.defaultAllowPrivilegeEscalation ??
    (policy.allowPrivilegeEscalation === false ? false : undefined)
  own.allowPrivilegeEscalation ??= escalates
  return dropUnset(own)
}

function withCapabilities(
  { add = [], drop = [] }: NonNullable<ContainerSecurity['capabilities']>,
  more: string[],
  less: string[],
) {
  const added = [...add, ...more.filter((name) => !add.includes(name) && !drop.includes(name))]
  const dropped = [...drop, ...less.filter((name) => !drop.includes(name))]
  return {
    ...(added.length > 0 ? { add: added } : {}),
    ...(dropped.length > 0 ? { drop: dropped } : {}),
  }
}

function dropUnset<T extends object>(object: T): T {
  for (const name of Object.keys(object) as (keyof T)[])
    if (object[name] === undefined) delete object[name]
  return object
}
