/** Rules of PodSecurityPolicies. See the API reference of Kubernetes 1.24. */

import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { invalidValue, notSupported, required } from '../../validation/field-errors'

interface Range {
  min?: number
  max?: number
}

interface Choice {
  rule?: string
  ranges?: Range[] | null
}

interface Policy extends KubeObject {
  spec?: {
    seLinux?: { rule?: string }
    runAsUser?: Choice
    runAsGroup?: Choice
    fsGroup?: Choice
    supplementalGroups?: Choice
    volumes?: string[] | null
    hostPorts?: Range[] | null
    allowedHostPaths?: { pathPrefix?: string }[] | null
    allowPrivilegeEscalation?: boolean
    defaultAllowPrivilegeEscalation?: boolean
    defaultAddCapabilities?: string[] | null
    requiredDropCapabilities?: string[] | null
    allowedCapabilities?: string[] | null
  }
}

/** In order of messages. */
const RULES = {
  seLinux: ['MustRunAs', 'RunAsAny'],
  runAsUser: ['MustRunAs', 'MustRunAsNonRoot', 'RunAsAny'],
  runAsGroup: ['MayRunAs', 'MustRunAs', 'RunAsAny'],
  fsGroup: ['MayRunAs', 'MustRunAs', 'RunAsAny'],
  supplementalGroups: ['MayRunAs', 'MustRunAs', 'RunAsAny'],
} as const

const VOLUMES = [
  ...[
    '*',
    'azureDisk',
    'azureFile',
    'cephFS',
    'cinder',
    'configMap',
    'csi',
    'downwardAPI',
    'emptyDir',
    'ephemeral',
    'fc',
    'flexVolume',
  ],
  ...[
    'flocker',
    'gcePersistentDisk',
    'gitRepo',
    'glusterfs',
    'hostPath',
    'iscsi',
    'nfs',
    'none',
    'persistentVolumeClaim',
  ],
  ...[
    'photonPersistentDisk',
    'portworxVolume',
    'projected',
    'quobyte',
    'rbd',
    'scaleIO',
    'secret',
    'storageos',
    'vsphereVolume',
  ],
]

const LARGEST_PORT = 65535

export const podSecurityPolicyStrategy: Strategy = {
  validate: (object) => policyErrors(object as Policy),
}

function policyErrors({ spec = {} }: Policy): FieldError[] {
  const { volumes, hostPorts, allowedHostPaths, runAsGroup, ...others } = spec
  const choices = {
    seLinux: {},
    runAsUser: {},
    fsGroup: {},
    supplementalGroups: {},
    ...others,
    ...(runAsGroup ? { runAsGroup } : {}),
  }
  return [
    ...Object.entries(RULES).flatMap(([member, rules]) => {
      const choice = choices[member as keyof typeof choices] as Choice | undefined
      return choice === undefined ? [] : choiceErrors(choice, rules, `spec.${member}`)
    }),
    ...(volumes ?? []).flatMap((name, i) =>
      VOLUMES.includes(name) ? [] : [notSupported(`spec.volumes[${i}]`, name, VOLUMES)],
    ),
    ...(hostPorts ?? []).flatMap((range, i) =>
      rangeErrors(range, `spec.hostPorts[${i}]`, LARGEST_PORT),
    ),
    ...(allowedHostPaths ?? []).flatMap(({ pathPrefix = '' }, i) =>
      hostPathErrors(pathPrefix, `spec.allowedHostPaths[${i}].pathPrefix`),
    ),
    ...escalationErrors(spec),
    ...capabilityErrors(spec),
  ]
}

function choiceErrors(
  { rule = '', ranges }: Choice,
  rules: readonly string[],
  path: string,
): FieldError[] {
  return [
    ...(rules.includes(rule) ? [] : [notSupported(`${path}.rule`, rule, rules)]),
    ...(ranges ?? []).flatMap((range, i) =>
      rangeErrors(range, `${path}.ranges[${i}]`, Number.MAX_SAFE_INTEGER),
    ),
  ]
}

function rangeErrors({ min = 0, max = 0 }: Range, path: string, largest: number): FieldError[] {
  return [
    ...(min < 0 || min > largest
      ? [invalidValue(`${path}.min`, min, `must be between 0 and ${largest}, inclusive`)]
      : []),
    ...(max < 0 || max > largest
      ? [invalidValue(`${path}.max`, max, `must be between 0 and ${largest}, inclusive`)]
      : []),
    ...(min > max ? [invalidValue(`${path}.min`, min, 'min cannot be greater than max')] : []),
  ]
}

function hostPathErrors(prefix: string, field: string): FieldError[] {
  if (prefix === '') return [required(field)]
  return prefix.split('/').includes('..')
    ? [invalidValue(field, prefix, "must not contain '..'")]
    : []
}

function escalationErrors({
  allowPrivilegeEscalation: allowed,
  defaultAllowPrivilegeEscalation: given,
}: NonNullable<Policy['spec']>) {
  if (given !== true || allowed !== false) return []
  const why =
    'Cannot set DefaultAllowPrivilegeEscalation to true without also setting AllowPrivilegeEscalation to true'
  return [invalidValue('spec.defaultAllowPrivilegeEscalation', given, why)]
}

function capabilityErrors({
  defaultAddCapabilities,
  requiredDropCapabilities,
  allowedCapabilities,
}: NonNullable<Policy['spec']>) {
  const dropped = requiredDropCapabilities ?? []
  const both = (names: string[] | null | undefined, field: string) =>
    (names ?? [])
      .filter((name) => dropped.includes(name))
      .map((name) => invalidValue(field, name, 'capability is listed in requiredDropCapabilities'))
  return [
    ...both(defaultAddCapabilities, 'spec.defaultAddCapabilities'),
    ...both(allowedCapabilities, 'spec.allowedCapabilities'),
  ]
}
