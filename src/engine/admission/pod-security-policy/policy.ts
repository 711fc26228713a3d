/** The type of a PodSecurityPolicy. k8s.io/api 1.24, package policy/v1beta1. */
import type { KubeObject } from '../../core/object'

export interface Range {
  min: number
  max: number
}

export interface Strategy {
  rule?: string
  ranges?: Range[]
}

export interface PolicySpec {
  privileged?: boolean
  defaultAddCapabilities?: string[]
  requiredDropCapabilities?: string[]
  allowedCapabilities?: string[]
  volumes?: string[]
  hostNetwork?: boolean
  hostPorts?: Range[]
  hostPID?: boolean
  hostIPC?: boolean
  seLinux?: { rule?: string; seLinuxOptions?: Record<string, string> }
  runAsUser?: Strategy
  runAsGroup?: Strategy
  supplementalGroups?: Strategy
  fsGroup?: Strategy
  readOnlyRootFilesystem?: boolean
  defaultAllowPrivilegeEscalation?: boolean
  allowPrivilegeEscalation?: boolean
  allowedHostPaths?: { pathPrefix?: string; readOnly?: boolean }[]
  allowedFlexVolumes?: { driver: string }[]
  allowedCSIDrivers?: { name: string }[]
  allowedUnsafeSysctls?: string[]
  forbiddenSysctls?: string[]
  allowedProcMountTypes?: string[]
  runtimeClass?: { allowedRuntimeClassNames?: string[]; defaultRuntimeClassName?: string }
}

export interface PodSecurityPolicy extends KubeObject {
  spec: PolicySpec
}

export const ANY = '*'
export const RUN_AS_ANY = 'RunAsAny'
export const MUST_RUN_AS = 'MustRunAs'
export const NON_ROOT = 'MustRunAsNonRoot'

/** `[{1 100} {200 300}]` */
export const rangesText = (ranges: readonly Range[]): string =>
  `[${ranges.map(({ min, max }) => `{${min} ${max}}`).join(' ')}]`

export const isWithin = (value: number, ranges: readonly Range[]): boolean =>
  ranges.some(({ min, max }) => value >= min && value <= max)
