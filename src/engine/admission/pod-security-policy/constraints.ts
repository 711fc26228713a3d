/** What a PodSecurityPolicy forbids in a Pod. kubernetes.io 1.24, "Pod Security Policies". */

import { entryOf } from '../../core/object'
import type { FieldError } from '../../http/status'
import { goTrimRight } from '../../schema/go-text'
import { forbiddenField, invalidValue, notSupported } from '../../validation/field-errors'
import type { ContainerSecurity, PodSecurity, Secured, SecuredSpec } from './defaults'
import {
  ANY,
  isWithin,
  MUST_RUN_AS,
  NON_ROOT,
  type PolicySpec,
  RUN_AS_ANY,
  rangesText,
  type Strategy,
} from './policy'

export function violations(policy: PolicySpec, spec: SecuredSpec): FieldError[] {
  const pod = spec.securityContext ?? {}
  return [
    ...groupErrors(
      policy.fsGroup,
      pod.fsGroup === undefined ? [] : [pod.fsGroup],
      'spec.securityContext.fsGroup',
    ),
    ...groupErrors(
      policy.supplementalGroups,
      pod.supplementalGroups ?? [],
      'spec.securityContext.supplementalGroups',
    ),
    ...seLinuxErrors(policy, pod.seLinuxOptions, 'spec.securityContext.seLinuxOptions'),
    ...hostErrors(policy, spec),
    ...sysctlErrors(policy, pod),
    ...volumeErrors(policy, spec),
    ...runtimeErrors(policy, spec.runtimeClassName),
    ...(['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap((container, i) =>
        containerErrors(policy, spec, container, `spec.${list}[${i}]`),
      ),
    ),
  ]
}

function groupErrors(
  { rule = RUN_AS_ANY, ranges = [] }: Strategy = {},
  groups: number[],
  field: string,
): FieldError[] {
  if (rule === RUN_AS_ANY) return []
  if (rule === MUST_RUN_AS && groups.length === 0)
    return [invalidValue(field, groups, 'unable to validate empty groups against required ranges')]
  return groups
    .filter((group) => !isWithin(group, ranges))
    .map((group) =>
      invalidValue(field, groups, `group ${group} must be in the ranges: ${rangesText(ranges)}`),
    )
}

const SE_LINUX = ['level', 'role', 'type', 'user']

function seLinuxErrors(
  { seLinux }: PolicySpec,
  given: Record<string, string> | undefined,
  path: string,
): FieldError[] {
  if (seLinux?.rule !== MUST_RUN_AS) return []
  const wanted = seLinux.seLinuxOptions ?? {}
  return SE_LINUX.filter(
    (name) => (entryOf(wanted, name) ?? '') !== (entryOf(given, name) ?? ''),
  ).map((name) =>
    invalidValue(
      `${path}.${name}`,
      entryOf(given, name) ?? '',
      `must be ${entryOf(wanted, name) ?? ''}`,
    ),
  )
}

function hostErrors(policy: PolicySpec, spec: SecuredSpec): FieldError[] {
  const path = 'spec.securityContext'
  return (
    [
      ['hostNetwork', 'Host network'],
      ['hostPID', 'Host PID'],
      ['hostIPC', 'Host IPC'],
    ] as const
  ).flatMap(([member, name]) =>
    spec[member] && !policy[member]
      ? [invalidValue(`${path}.${member}`, true, `${name} is not allowed to be used`)]
      : [],
  )
}

/** Sysctls that do not affect other pods. */
const SAFE_SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
]
const matches = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith(ANY) ? name.startsWith(pattern.slice(0, -1)) : pattern === name,
  )

function sysctlErrors(
  { forbiddenSysctls = [], allowedUnsafeSysctls = [] }: PolicySpec,
  { sysctls = [] }: PodSecurity,
): FieldError[] {
  return sysctls.flatMap(({ name }, i) => {
    const field = `spec.securityContext.sysctls[${i}]`
    if (matches(forbiddenSysctls, name))
      return [forbiddenField(field, `sysctl ${JSON.stringify(name)} is not allowed`)]
    if (matches([...SAFE_SYSCTLS, ...allowedUnsafeSysctls], name)) return []
    return [forbiddenField(field, `unsafe sysctl ${JSON.stringify(name)} is not allowed`)]
  })
}

const sourceOf = (volume: object): string | undefined =>
  Object.keys(volume).find((name) => name !== 'name')

function volumeErrors(policy: PolicySpec, spec: SecuredSpec): FieldError[] {
  const {
    volumes: allowed = [],
    allowedHostPaths = [],
    allowedFlexVolumes = [],
    allowedCSIDrivers = [],
  } = policy
  return (spec.volumes ?? []).flatMap((volume, i) => {
    const [source, field] = [sourceOf(volume), `spec.volumes[${i}]`]
    if (source === undefined) return []
    if (!allowed.includes(source) && !allowed.includes(ANY))
      return [invalidValue(field, source, `${source} volumes are not allowed to be used`)]
    const { path = '', driver = '' } = volume[source] as { path?: string; driver?: string }
    if (source === 'hostPath')
      return hostPathErrors(allowedHostPaths, spec, volume.name, path, field)
    if (
      source === 'flexVolume' &&
      allowedFlexVolumes.length > 0 &&
      !allowedFlexVolumes.some((one) => one.driver === driver)
    )
      return [
        invalidValue(`${field}.driver`, driver, 'Flexvolume driver is not allowed to be used'),
      ]
    if (
      source === 'csi' &&
      allowedCSIDrivers.length > 0 &&
      !allowedCSIDrivers.some(({ name }) => name === driver)
    )
      return [
        invalidValue(`${field}.csi.driver`, driver, 'Inline CSI driver is not allowed to be used'),
      ]
    return []
  })
}

const withoutSlash = (path: string): string => goTrimRight(path, '/')

function hostPathErrors(
  allowed: NonNullable<PolicySpec['allowedHostPaths']>,
  spec: SecuredSpec,
  name: string,
  path: string,
  field: string,
): FieldError[] {
  if (allowed.length === 0) return []
  const isBelow = (prefix: string) =>
    withoutSlash(path) === withoutSlash(prefix) || path.startsWith(`${withoutSlash(prefix)}/`)
  const found = allowed.filter(({ pathPrefix = '' }) => isBelow(pathPrefix))
  if (found.length === 0)
    return [invalidValue(`${field}.hostPath.pathPrefix`, path, 'is not allowed to be used')]
  if (found.some(({ readOnly }) => !readOnly)) return []
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ volumeMounts = [] }, i) =>
      volumeMounts.flatMap((mount, j) =>
        mount.name === name && !mount.readOnly
          ? [
              invalidValue(
                `spec.${list}[${i}].volumeMounts[${j}].readOnly`,
                false,
                'must be read-only',
              ),
            ]
          : [],
      ),
    ),
  )
}

function runtimeErrors({ runtimeClass }: PolicySpec, name: string | undefined): FieldError[] {
  if (runtimeClass === undefined || name === undefined) return []
  const { allowedRuntimeClassNames: allowed = [] } = runtimeClass
  return allowed.includes(name) || allowed.includes(ANY)
    ? []
    : [notSupported('spec.runtimeClassName', name, allowed)]
}

function containerErrors(
  policy: PolicySpec,
  spec: SecuredSpec,
  container: Secured,
  path: string,
): FieldError[] {
  const own = container.securityContext ?? {}
  const context: ContainerSecurity = { ...spec.securityContext, ...own }
  const at = `${path}.securityContext`
  return [
    ...userErrors(policy.runAsUser, context, at),
    ...runAsGroupErrors(policy.runAsGroup, context.runAsGroup, `${at}.runAsGroup`),
    ...seLinuxErrors(policy, context.seLinuxOptions, `${at}.seLinuxOptions`),
    ...(own.privileged && !policy.privileged
      ? [invalidValue(`${at}.privileged`, true, 'Privileged containers are not allowed')]
      : []),
    ...procMountErrors(policy, own.procMount, `${at}.procMount`),
    ...capabilityErrors(policy, own.capabilities ?? {}, `${at}.capabilities`),
    ...portErrors(policy, container, `${path}.securityContext.containers.ports`),
    ...(policy.readOnlyRootFilesystem && own.readOnlyRootFilesystem !== true
      ? [
          invalidValue(
            `${at}.readOnlyRootFilesystem`,
            own.readOnlyRootFilesystem ?? false,
            'ReadOnlyRootFilesystem must be set to true',
          ),
        ]
      : []),
    ...(policy.allowPrivilegeEscalation === false && own.allowPrivilegeEscalation !== false
      ? [
          invalidValue(
            `${at}.allowPrivilegeEscalation`,
            own.allowPrivilegeEscalation ?? true,
            ESCALATION,
          ),
        ]
      : []),
  ]
}

const ESCALATION = 'Allowing privilege escalation for containers is not allowed'

function userErrors(
  { rule = RUN_AS_ANY, ranges = [] }: Strategy = {},
  { runAsUser: user, runAsNonRoot }: ContainerSecurity,
  at: string,
) {
  if (rule === MUST_RUN_AS) {
    if (user === undefined) return [invalidValue(`${at}.runAsUser`, user, 'must be set')]
    return isWithin(user, ranges)
      ? []
      : [invalidValue(`${at}.runAsUser`, user, `must be in the ranges: ${rangesText(ranges)}`)]
  }
  if (rule !== NON_ROOT) return []
  if (user === 0)
    return [invalidValue(`${at}.runAsUser`, user, 'running with the root UID is forbidden')]
  if (user === undefined && runAsNonRoot !== true)
    return [invalidValue(`${at}.runAsNonRoot`, runAsNonRoot ?? false, 'must be true')]
  return []
}

function runAsGroupErrors(
  { rule = RUN_AS_ANY, ranges = [] }: Strategy = {},
  group: number | undefined,
  field: string,
): FieldError[] {
  if (rule === RUN_AS_ANY) return []
  if (group === undefined)
    return rule === MUST_RUN_AS ? [invalidValue(field, group, 'must be set')] : []
  return isWithin(group, ranges)
    ? []
    : [invalidValue(field, group, `must be in the ranges: ${rangesText(ranges)}`)]
}

function procMountErrors(
  { allowedProcMountTypes: allowed = [] }: PolicySpec,
  type: string | undefined,
  field: string,
): FieldError[] {
  if (type === undefined || type === 'Default' || allowed.includes(type)) return []
  return [invalidValue(field, type, 'ProcMountType is not allowed')]
}

function capabilityErrors(
  policy: PolicySpec,
  { add = [], drop = [] }: NonNullable<ContainerSecurity['capabilities']>,
  path: string,
) {
  const {
    allowedCapabilities = [],
    defaultAddCapabilities = [],
    requiredDropCapabilities = [],
  } = policy
  const allowed = [...allowedCapabilities, ...defaultAddCapabilities]
  const isAllowed = (name: string) => allowedCapabilities.includes(ANY) || allowed.includes(name)
  return [
    ...add
      .filter((name) => !isAllowed(name))
      .map((name) => invalidValue(`${path}.add`, name, 'capability may not be added')),
    ...requiredDropCapabilities
      .filter((name) => !drop.includes(name) && !drop.includes('ALL'))
      .map((name) =>
        invalidValue(`${path}.drop`, drop, `${name} is required to be dropped but was not found`),
      ),
  ]
}

function portErrors(
  { hostPorts = [] }: PolicySpec,
  { ports = [] }: Secured,
  field: string,
): FieldError[] {
  const allowed = hostPorts
    .map(({ min, max }) => (min === max ? String(min) : `${min}-${max}`))
    .join(',')
  return ports.flatMap(({ hostPort = 0 }) =>
    hostPort === 0 || isWithin(hostPort, hostPorts)
      ? []
      : [
          invalidValue(
            field,
            hostPort,
            `Host port ${hostPort} is not allowed to be used. Allowed ports: [${allowed}]`,
          ),
        ],
  )
}
