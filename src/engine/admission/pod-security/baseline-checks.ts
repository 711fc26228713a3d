import { DEFAULT_CAPABILITIES } from '../../core/default-capabilities'
import { entryOf } from '../../core/object'
import {
  type Check,
  type CheckedPod,
  check,
  containersText,
  containersThat,
  exceptOwnUsers,
  type Finding,
  plural,
  quoted,
  settersText,
  sorted,
} from './check'

const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/'

const appArmorProfile = check('appArmorProfile', (pod) => {
  const bad = (type: string | undefined) =>
    type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost'
  const ofPod = pod.spec.securityContext?.appArmorProfile?.type
  const containers = containersThat(pod, ({ securityContext }) =>
    bad(securityContext?.appArmorProfile?.type),
  )
  const annotations = Object.entries(pod.metadata.annotations ?? {})
    .filter(
      ([key, value]) =>
        key.startsWith(APP_ARMOR_ANNOTATION) &&
        !/^(?:|runtime\/default|localhost\/.*)$/.test(value),
    )
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
  const setters = settersText(bad(ofPod), containers)
  const who = [
    ...(setters === '' ? [] : [setters]),
    ...(annotations.length > 0 ? [plural(annotations.length, 'annotation', 'annotations')] : []),
  ]
  if (who.length === 0) return undefined
  const types = [
    ...(bad(ofPod) ? [ofPod ?? ''] : []),
    ...containers.map(({ securityContext }) => securityContext?.appArmorProfile?.type ?? ''),
  ]
  const values = [...sorted(types), ...sorted(annotations)]
  return {
    reason: plural(values.length, 'forbidden AppArmor profile', 'forbidden AppArmor profiles'),
    detail: `${who.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  }
})

const capabilities = check('capabilities_baseline', (pod) => {
  const notDefault = (added: string[] | undefined) =>
    (added ?? []).filter((name) => !DEFAULT_CAPABILITIES.has(name))
  const containers = containersThat(
    pod,
    ({ securityContext }) => notDefault(securityContext?.capabilities?.add).length > 0,
  )
  if (containers.length === 0) return undefined
  const added = sorted(
    containers.flatMap(({ securityContext }) => notDefault(securityContext?.capabilities?.add)),
  )
  return {
    reason: 'non-default capabilities',
    detail: `${containersText(containers)} must not include ${quoted(added)} in securityContext.capabilities.add`,
  }
})

const hostNamespaces = check('hostNamespaces', ({ spec }) => {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((member) => spec[member])
  return shared.length === 0
    ? undefined
    : { reason: 'host namespaces', detail: shared.map((member) => `${member}=true`).join(', ') }
})

const hostPathVolumes = check('hostPathVolumes', ({ spec }) => {
  const volumes = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name)
  if (volumes.length === 0) return undefined
  return {
    reason: 'hostPath volumes',
    detail: `${plural(volumes.length, 'volume', 'volumes')} ${quoted(volumes)}`,
  }
})

const hostPorts = check('hostPorts', (pod) => {
  const containers = containersThat(pod, ({ ports = [] }) => ports.some(({ hostPort }) => hostPort))
  if (containers.length === 0) return undefined
  const ports = sorted(
    containers.flatMap(({ ports = [] }) =>
      ports.flatMap(({ hostPort }) => (hostPort ? String(hostPort) : [])),
    ),
  )
  const uses = plural(containers.length, 'uses', 'use')
  const what = plural(ports.length, 'hostPort', 'hostPorts')
  return {
    reason: 'hostPort',
    detail: `${containersText(containers)} ${uses} ${what} ${ports.join(', ')}`,
  }
})

const privileged = check('privileged', (pod) => {
  const containers = containersThat(
    pod,
    ({ securityContext }) => securityContext?.privileged === true,
  )
  if (containers.length === 0) return undefined
  return {
    reason: 'privileged',
    detail: `${containersText(containers)} must not set securityContext.privileged=true`,
  }
})

const procMount = check(
  'procMount',
  exceptOwnUsers((pod) => {
    const containers = containersThat(
      pod,
      ({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default',
    )
    if (containers.length === 0) return undefined
    const types = sorted(containers.map(({ securityContext }) => securityContext?.procMount ?? ''))
    return {
      reason: 'procMount',
      detail: `${containersText(containers)} must not set securityContext.procMount to ${quoted(types)}`,
    }
  }),
)

const SELINUX_TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t']

function seLinuxOptions(allowed: string[]): (pod: CheckedPod) => Finding | undefined {
  return (pod) => {
    type Options = { type?: string; user?: string; role?: string } | undefined
    const bad = (options: Options) =>
      options !== undefined &&
      (!allowed.includes(options.type ?? '') || Boolean(options.user || options.role))
    const ofPod = pod.spec.securityContext?.seLinuxOptions
    const containers = containersThat(pod, ({ securityContext }) =>
      bad(securityContext?.seLinuxOptions),
    )
    const setters = settersText(bad(ofPod), containers)
    if (setters === '') return undefined
    const all: Options[] = [
      ...(bad(ofPod) ? [ofPod] : []),
      ...containers.map(({ securityContext }) => securityContext?.seLinuxOptions),
    ]
    const types = sorted(
      all.flatMap((options) =>
        allowed.includes(options?.type ?? '') ? [] : (options?.type ?? ''),
      ),
    )
    const faults = [
      ...(types.length > 0 ? [`${plural(types.length, 'type', 'types')} ${quoted(types)}`] : []),
      ...(all.some((options) => options?.user) ? ['user may not be set'] : []),
      ...(all.some((options) => options?.role) ? ['role may not be set'] : []),
    ]
    return {
      reason: 'seLinuxOptions',
      detail: `${setters} set forbidden securityContext.seLinuxOptions: ${faults.join('; ')}`,
    }
  }
}

const SECCOMP_OF_POD = 'seccomp.security.alpha.kubernetes.io/pod'
const SECCOMP_OF_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/'

/** Before release 1.19 profiles were annotations. */
function seccompAnnotations(pod: CheckedPod): Finding | undefined {
  const { annotations = {} } = pod.metadata
  const keys = [
    SECCOMP_OF_POD,
    ...containersThat(pod, () => true).map(({ name }) => SECCOMP_OF_CONTAINER + name),
  ]
  const wrong = keys.flatMap((key) => {
    const value = entryOf(annotations, key)
    const allowed =
      value === undefined || /^(?:runtime\/default|docker\/default|localhost\/.*)$/.test(value)
    return allowed ? [] : `${key}=${JSON.stringify(value)}`
  })
  if (wrong.length === 0) return undefined
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${plural(wrong.length, 'annotation', 'annotations')} ${sorted(wrong).join(', ')}`,
  }
}

export const badSeccomp = (type: string | undefined): boolean =>
  type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost'

export function seccompSetters(pod: CheckedPod): Finding | undefined {
  const ofPod = pod.spec.securityContext?.seccompProfile?.type
  const containers = containersThat(pod, ({ securityContext }) =>
    badSeccomp(securityContext?.seccompProfile?.type),
  )
  const setters = settersText(badSeccomp(ofPod), containers)
  if (setters === '') return undefined
  const types = [
    ...(badSeccomp(ofPod) ? [ofPod ?? ''] : []),
    ...containers.map(({ securityContext }) => securityContext?.seccompProfile?.type ?? ''),
  ]
  return {
    reason: 'seccompProfile',
    detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(sorted(types))}`,
  }
}

const SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
]
const SYSCTLS_127 = [...SYSCTLS, 'net.ipv4.ip_local_reserved_ports']
const SYSCTLS_129 = [
  ...SYSCTLS_127,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
]

function sysctls(allowed: string[]): (pod: CheckedPod) => Finding | undefined {
  return ({ spec }) => {
    const wrong = (spec.securityContext?.sysctls ?? [])
      .map(({ name }) => name)
      .filter((name) => !allowed.includes(name))
    return wrong.length === 0
      ? undefined
      : { reason: 'forbidden sysctls', detail: wrong.join(', ') }
  }
}

const windowsHostProcess = check('windowsHostProcess', (pod) => {
  const containers = containersThat(
    pod,
    ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true,
  )
  const setters = settersText(
    pod.spec.securityContext?.windowsOptions?.hostProcess === true,
    containers,
  )
  if (setters === '') return undefined
  return {
    reason: 'hostProcess',
    detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true`,
  }
})

export const BASELINE_CHECKS: readonly Check[] = [
  appArmorProfile,
  capabilities,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  privileged,
  procMount,
  {
    id: 'seLinuxOptions',
    versions: [
      { since: 0, run: seLinuxOptions(SELINUX_TYPES) },
      { since: 31, run: seLinuxOptions([...SELINUX_TYPES, 'container_engine_t']) },
    ],
  },
  {
    id: 'seccompProfile_baseline',
    versions: [
      { since: 0, run: seccompAnnotations },
      { since: 19, run: seccompSetters },
    ],
  },
  {
    id: 'sysctls',
    versions: [
      { since: 0, run: sysctls(SYSCTLS) },
      { since: 27, run: sysctls(SYSCTLS_127) },
      { since: 29, run: sysctls(SYSCTLS_129) },
    ],
  },
  windowsHostProcess,
]
