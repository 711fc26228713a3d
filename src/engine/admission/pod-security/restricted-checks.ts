import { badSeccomp, seccompSetters } from './baseline-checks'
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

type Run = (pod: CheckedPod) => Finding | undefined

/** Since 1.25, Windows pods need not set members of Linux. */
function exceptOnWindows(run: Run): Run {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : run(pod))
}

function privilegeEscalation(pod: CheckedPod): Finding | undefined {
  const containers = containersThat(
    pod,
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  )
  if (containers.length === 0) return undefined
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersText(containers)} must set securityContext.allowPrivilegeEscalation=false`,
  }
}

const ALLOWED_CAPABILITY = 'NET_BIND_SERVICE'

function capabilities(pod: CheckedPod): Finding | undefined {
  const forbidden = (added: string[] = []) => added.filter((name) => name !== ALLOWED_CAPABILITY)
  const keeping = containersThat(
    pod,
    ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'),
  )
  const adding = containersThat(
    pod,
    ({ securityContext }) => forbidden(securityContext?.capabilities?.add).length > 0,
  )
  const added = sorted(
    adding.flatMap(({ securityContext }) => forbidden(securityContext?.capabilities?.add)),
  )
  const details = [
    ...(keeping.length > 0
      ? [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(adding.length > 0
      ? [
          `${containersText(adding)} must not include ${quoted(added)} in securityContext.capabilities.add`,
        ]
      : []),
  ]
  return details.length === 0
    ? undefined
    : { reason: 'unrestricted capabilities', detail: details.join('; ') }
}

const VOLUME_TYPES = new Set([
  'configMap',
  'downwardAPI',
  'emptyDir',
  'projected',
  'secret',
  'csi',
  'persistentVolumeClaim',
  'ephemeral',
])
/** The other volume types of release 1.31. */
const NAMED_TYPES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
]

const restrictedVolumes: Check = {
  ...check('restrictedVolumes', ({ spec }) => {
    const bad = (spec.volumes ?? []).filter(
      (volume) => !Object.keys(volume).some((type) => VOLUME_TYPES.has(type)),
    )
    if (bad.length === 0) return undefined
    const types = sorted(bad.map((volume) => NAMED_TYPES.find((type) => volume[type]) ?? 'unknown'))
    const volumes = `${plural(bad.length, 'volume', 'volumes')} ${quoted(bad.map(({ name }) => name))}`
    const uses = `${plural(bad.length, 'uses', 'use')} ${plural(types.length, 'restricted volume type', 'restricted volume types')}`
    return { reason: 'restricted volume types', detail: `${volumes} ${uses} ${quoted(types)}` }
  }),
  replaces: 'hostPathVolumes',
}

const runAsNonRoot = check(
  'runAsNonRoot',
  exceptOwnUsers((pod) => {
    const reason = 'runAsNonRoot != true'
    const ofPod = pod.spec.securityContext?.runAsNonRoot
    const denying = containersThat(
      pod,
      ({ securityContext }) => securityContext?.runAsNonRoot === false,
    )
    const setters = settersText(ofPod === false, denying)
    if (setters !== '')
      return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` }
    const silent = ofPod
      ? []
      : containersThat(
          pod,
          ({ securityContext }) => (securityContext?.runAsNonRoot ?? undefined) === undefined,
        )
    return silent.length === 0
      ? undefined
      : {
          reason,
          detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true`,
        }
  }),
)

function runAsUser(pod: CheckedPod): Finding | undefined {
  const root = containersThat(pod, ({ securityContext }) => securityContext?.runAsUser === 0)
  const setters = settersText(pod.spec.securityContext?.runAsUser === 0, root)
  return setters === ''
    ? undefined
    : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` }
}

function seccompProfile(pod: CheckedPod): Finding | undefined {
  const wrong = seccompSetters(pod)
  if (wrong !== undefined) return wrong
  const ofPod = pod.spec.securityContext?.seccompProfile?.type
  if (ofPod !== undefined && !badSeccomp(ofPod)) return undefined
  const silent = containersThat(pod, ({ securityContext }) => !securityContext?.seccompProfile)
  if (silent.length === 0) return undefined
  const detail = `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`
  return { reason: 'seccompProfile', detail }
}

export const RESTRICTED_CHECKS: readonly Check[] = [
  {
    id: 'allowPrivilegeEscalation',
    versions: [
      { since: 8, run: privilegeEscalation },
      { since: 25, run: exceptOnWindows(privilegeEscalation) },
    ],
  },
  {
    id: 'capabilities_restricted',
    replaces: 'capabilities_baseline',
    versions: [
      { since: 22, run: capabilities },
      { since: 25, run: exceptOnWindows(capabilities) },
    ],
  },
  restrictedVolumes,
  runAsNonRoot,
  { id: 'runAsUser', versions: [{ since: 23, run: exceptOwnUsers(runAsUser) }] },
  {
    id: 'seccompProfile_restricted',
    replaces: 'seccompProfile_baseline',
    versions: [
      { since: 19, run: seccompProfile },
      { since: 25, run: exceptOnWindows(seccompProfile) },
    ],
  },
]
