/** Validates security contexts. Recorded from kube-apiserver 1.31. */

import { append } from '../../../core/lists'
import type { FieldError } from '../../../http/status'
import { goTrim } from '../../../schema/go-text'
import {
  duplicate,
  errorsOfItems,
  forbiddenField,
  invalidValue,
  notSupported,
  overlong,
  required,
  requiredOnly,
  sinceChange,
} from '../../../validation/field-errors'
import { invalidStructure } from '../../../validation/go-literal'
import { byteLength } from '../../../validation/names'
import { inRange } from '../../../validation/numbers'
import { descendingPathErrors } from '../../../validation/paths'
import {
  containersOf,
  type PodSecurityContext,
  type PodSpec,
  type SeccompProfile,
  type SecurityContext,
} from '../pod-types'
import type { PodValidationOptions } from './options'
import { windowsOptionErrors } from './windows-options'

const MAX_ID = 2147483647
const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined']

const idErrors = (field: string, id: number | undefined | null): FieldError[] =>
  typeof id === 'number' ? inRange(field, id, 0, MAX_ID) : []

const PROC_MOUNTS = ['Default', 'Unmasked']

/** @param hostUsers the pod uses the host's user namespace */
export function securityContextErrors(
  context: SecurityContext | undefined,
  path: string,
  hostUsers: boolean,
): FieldError[] {
  if (!context) return []
  const errors = [
    ...idErrors(`${path}.runAsUser`, context.runAsUser),
    ...idErrors(`${path}.runAsGroup`, context.runAsGroup),
  ]
  const { procMount } = context
  if (procMount !== undefined) {
    if (!PROC_MOUNTS.includes(procMount))
      errors.push(notSupported(`${path}.procMount`, procMount, PROC_MOUNTS))
    if (hostUsers && procMount === 'Unmasked')
      errors.push(
        invalidValue(`${path}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`'),
      )
  }
  append(errors, seccompErrors(context.seccompProfile, `${path}.seccompProfile`))
  if (context.allowPrivilegeEscalation === false) {
    const contradicts = (what: string) =>
      invalidStructure(
        path,
        'SecurityContext',
        context,
        `cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
      )
    if (context.privileged === true) errors.push(contradicts('`privileged` to true'))
    if (context.capabilities?.add?.includes('CAP_SYS_ADMIN'))
      errors.push(contradicts('`capabilities.Add` CAP_SYS_ADMIN'))
  }
  append(errors, windowsOptionErrors(context.windowsOptions, `${path}.windowsOptions`))
  return [...errors, ...appArmorErrors(context.appArmorProfile, `${path}.appArmorProfile`)]
}

function seccompErrors(profile: SeccompProfile | undefined, path: string): FieldError[] {
  if (!profile) return []
  const { type = '', localhostProfile: file } = profile
  const errors: FieldError[] = []
  if (type === '')
    errors.push(required(`${path}.type`, 'type is required when seccompProfile is set'))
  else if (!PROFILES.includes(type)) errors.push(notSupported(`${path}.type`, type, PROFILES))
  if (type === 'Localhost') {
    if (file === undefined)
      errors.push(
        required(`${path}.localhostProfile`, 'must be set when seccomp type is Localhost'),
      )
    else append(errors, descendingPathErrors(`${path}.localhostProfile`, file))
  } else if (file !== undefined) {
    const why = 'can only be set when seccomp type is Localhost'
    errors.push(invalidStructure(`${path}.localhostProfile`, 'SeccompProfile', profile, why))
  }
  return errors
}

const MAX_APPARMOR_NAME = 4095

function appArmorErrors(profile: SeccompProfile | undefined, path: string): FieldError[] {
  if (!profile) return []
  const { type = '', localhostProfile: name } = profile
  const field = `${path}.localhostProfile`
  if (type === '') return [required(`${path}.type`, 'type is required when appArmorProfile is set')]
  if (!PROFILES.includes(type)) return [notSupported(`${path}.type`, type, PROFILES)]
  if (type !== 'Localhost')
    return name === undefined
      ? []
      : [invalidValue(field, name, 'can only be set when AppArmor type is Localhost')]
  if (name === undefined || name === '')
    return [required(field, 'must be set when AppArmor type is Localhost')]
  const errors: FieldError[] = []
  if (name !== goTrim(name))
    errors.push(invalidValue(field, name, 'must not be padded with whitespace'))
  if (byteLength(name) > MAX_APPARMOR_NAME) errors.push(overlong(field, MAX_APPARMOR_NAME))
  return errors
}

const GROUP_CHANGE_POLICIES = ['Always', 'OnRootMismatch']
const GROUPS_POLICIES = ['Merge', 'Strict']
const LABEL_POLICIES = ['MountOption', 'Recursive']

const sharedProcesses = (path: string): FieldError =>
  invalidValue(
    `${path}.shareProcessNamespace`,
    true,
    'ShareProcessNamespace and HostPID cannot both be enabled',
  )

export function podSecurityContextErrors(
  spec: PodSpec,
  path: string,
  options: PodValidationOptions,
): FieldError[] {
  const { securityContext: context } = spec
  if (!context) return []
  const errors = [
    ...idErrors(`${path}.fsGroup`, context.fsGroup),
    ...idErrors(`${path}.runAsUser`, context.runAsUser),
    ...idErrors(`${path}.runAsGroup`, context.runAsGroup),
    ...errorsOfItems(context.supplementalGroups, (group, i) =>
      idErrors(`${path}.supplementalGroups[${i}]`, group),
    ),
  ]
  if (spec.shareProcessNamespace === true && spec.hostPID === true)
    errors.push(
      sinceChange(
        'SharedProcessesNamedInSpec',
        sharedProcesses(path.replace(/\.securityContext$/, '')),
        sharedProcesses(path),
      ),
    )
  append(errors, sysctlErrors(spec, context, `${path}.sysctls`))
  const policy = context.fsGroupChangePolicy
  if (policy !== undefined && !GROUP_CHANGE_POLICIES.includes(policy))
    errors.push(notSupported(`${path}.fsGroupChangePolicy`, policy, GROUP_CHANGE_POLICIES))
  append(
    errors,
    seccompErrors(context.seccompProfile, `${path}.seccompProfile`),
    windowsOptionErrors(context.windowsOptions, `${path}.windowsOptions`),
    appArmorErrors(context.appArmorProfile, `${path}.appArmorProfile`),
  )
  const groups = context.supplementalGroupsPolicy
  if (groups !== undefined && !GROUPS_POLICIES.includes(groups))
    errors.push(notSupported(`${path}.supplementalGroupsPolicy`, groups, GROUPS_POLICIES))
  const labels = context.seLinuxChangePolicy
  const supported = options.allowsMountedLabels ? LABEL_POLICIES : ['Recursive']
  if (labels !== undefined && !supported.includes(labels))
    errors.push(notSupported(`${path}.seLinuxChangePolicy`, labels, supported))
  return errors
}

const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$'
const isSysctl = new RegExp(SYSCTL)
const IPC_SYSCTL = /^(?:kernel\.shm|kernel\.msg|kernel\.sem$|fs\.mqueue\.)/

function sysctlErrors(spec: PodSpec, context: PodSecurityContext, path: string): FieldError[] {
  const seen = new Set<string>()
  return errorsOfItems(context.sysctls, ({ name = '' }, i) => {
    const field = `${path}[${i}].name`
    const dotted = name.replaceAll('/', '.')
    const errors: FieldError[] = []
    if (name === '') errors.push(required(field))
    else if (name.length > 253 || !isSysctl.test(name))
      errors.push(
        invalidValue(field, name, `must have at most 253 characters and match regex ${SYSCTL}`),
      )
    else if (seen.has(name)) errors.push(duplicate(field, name))
    seen.add(name)
    if (spec.hostNetwork && dotted.startsWith('net.'))
      errors.push(invalidValue(field, name, "may not be specified when 'hostNetwork' is true"))
    if (spec.hostIPC && IPC_SYSCTL.test(dotted))
      errors.push(invalidValue(field, name, "may not be specified when 'hostIPC' is true"))
    return errors
  })
}

const isHostProcess = (context: SecurityContext | PodSecurityContext | undefined) =>
  context?.windowsOptions?.hostProcess

/** All containers or none, on the host network. */
export function hostProcessErrors(spec: PodSpec, path: string): FieldError[] {
  const ofPod = isHostProcess(spec.securityContext)
  const containers = containersOf(spec, path)
  const errors: FieldError[] = []
  let count = 0
  for (const { container, path: at } of containers) {
    const own = isHostProcess(container.securityContext)
    if (own !== undefined && ofPod !== undefined && own !== ofPod) {
      const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`
      errors.push(invalidValue(`${at}.securityContext.windowsOptions.hostProcess`, own, why))
    }
    if (own ?? ofPod) count++
  }
  if (count === 0) return errors
  if (count !== containers.length) {
    const why =
      'If pod contains any hostProcess containers then all containers must be HostProcess containers'
    errors.push(invalidValue(path, '', why))
  }
  if (spec.hostNetwork !== true)
    errors.push(
      invalidValue(
        `${path}.hostNetwork`,
        false,
        'hostNetwork must be true if pod contains any hostProcess containers',
      ),
    )
  return errors
}

/** A user namespace excludes others of the host. The paths are kube-apiserver's. */
export function hostUserErrors(
  spec: PodSpec,
  path: string,
  { changes }: PodValidationOptions,
): FieldError[] {
  const { hostUsers, hostNetwork, hostPID, hostIPC } = spec
  if (hostUsers !== false) return []
  const shared = { hostNetwork, HostPID: hostPID, HostIPC: hostIPC }
  const errors = Object.entries(shared).flatMap(([member, isShared]) =>
    isShared ? [sharedHost(`${path}.${member}`)] : [],
  )
  if (!changes.has('DevicesRejectedWithoutHostUsers')) return errors
  for (const { container, path: at } of containersOf(spec, path))
    if (container.volumeDevices?.length) errors.push(sharedHost(`${at}.volumeDevices`))
  return errors
}

const sharedHost = (field: string): FieldError =>
  sinceChange(
    'HostUsersNamedAsField',
    forbiddenField(field, 'when `hostUsers` is false'),
    forbiddenField(field, 'when `pod.Spec.HostUsers` is false'),
  )

const SYSTEMS = ['linux', 'windows']
const NOT_FOR_WINDOWS = 'cannot be set for a windows pod'
const NOT_FOR_LINUX = 'windows options cannot be set for a linux pod'

export function osErrors(
  spec: PodSpec,
  path: string,
  { changes }: PodValidationOptions,
): FieldError[] {
  const name = spec.os?.name
  if (!spec.os) return []
  if (!name) return [requiredOnly(`${path}.os.name`, 'cannot be empty')]
  if (!SYSTEMS.includes(name)) return [notSupported(`${path}.os`, name, SYSTEMS)]
  const ofContainers = (members: readonly (keyof SecurityContext)[], why: string) =>
    containersOf(spec, path).flatMap(({ container, path: at }) =>
      setMembers(container.securityContext, members, `${at}.securityContext`, why),
    )
  if (name === 'linux') {
    const own = setMembers(
      spec.securityContext,
      ['windowsOptions'],
      `${path}.securityContext`,
      NOT_FOR_LINUX,
    )
    return [...own, ...ofContainers(['windowsOptions'], NOT_FOR_LINUX)]
  }
  const context = (...members: (keyof PodSecurityContext)[]) =>
    setMembers(spec.securityContext, members, `${path}.securityContext`, NOT_FOR_WINDOWS)
  const pod = (...members: (keyof PodSpec)[]) => setMembers(spec, members, path, NOT_FOR_WINDOWS)
  const users = [
    'runAsUser',
    'runAsGroup',
    'supplementalGroups',
    'supplementalGroupsPolicy',
  ] as const
  const systems = ['appArmorProfile', 'seLinuxOptions'] as const
  const files = ['seccompProfile', 'fsGroup', 'fsGroupChangePolicy', 'sysctls'] as const
  const ofPod = changes.has('WindowsPodsCheckedLast')
    ? [
        ...context(...systems, ...files, ...users),
        ...pod('hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'),
      ]
    : [
        ...context(...systems),
        ...pod('hostUsers', 'hostPID', 'hostIPC'),
        ...context(...files),
        ...pod('shareProcessNamespace'),
        ...context(...users),
      ]
  return [...ofPod, ...ofContainers(NOT_IN_WINDOWS_CONTAINERS, NOT_FOR_WINDOWS)]
}

const NOT_IN_WINDOWS_CONTAINERS = [
  ...([
    'appArmorProfile',
    'seLinuxOptions',
    'seccompProfile',
    'capabilities',
    'readOnlyRootFilesystem',
    'privileged',
  ] as const),
  ...(['allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup'] as const),
]

/** False flags and empty sysctls of pods count as unset, no other members. */
function setMembers<T extends object>(
  holder: T | undefined,
  members: readonly (keyof T & string)[],
  path: string,
  why: string,
): FieldError[] {
  const isSet = (value: unknown, member: string) =>
    value !== undefined &&
    value !== null &&
    !((member === 'hostPID' || member === 'hostIPC') && value === false) &&
    !(member === 'sysctls' && (value as unknown[]).length === 0)
  return members.flatMap((member) =>
    isSet(holder?.[member], member) ? [forbiddenField(`${path}.${member}`, why)] : [],
  )
}
