/**
 * Drops members of disabled gates, unless stored. Writes to the status keep its members. Recorded
 * from kube-apiserver 1.31.
 */

import { entryOf, isJsonObject, type JsonObject, type KubeObject } from '../../core/object'
import type { Engine } from '../../registry/engine'
import { dropGatedPaths, gatedPaths } from '../../registry/gated-paths'
import { deleteExplicitEmpty, isExplicitEmpty } from '../../schema/explicit-empties'
import { affinityTermsOf } from './pod-label-keys'
import type {
  Container,
  ContainerStatus,
  Lifecycle,
  PodSpec,
  PodStatus,
  PodTemplate,
} from './pod-types'

interface Gated {
  /** Absent: never enabled. */
  gate?: string
  uses(spec: PodSpec): boolean
  drop(spec: PodSpec): void
}

function containersIn({ initContainers, containers, ephemeralContainers }: PodSpec): Container[] {
  // Fast path for most pods.
  if (!initContainers && !ephemeralContainers) return containers ?? []
  return [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])]
}

function ofContainers(
  holds: (container: Container) => boolean,
  drop: (container: Container) => void,
  gate?: string,
): Gated {
  return {
    ...(gate !== undefined && { gate }),
    uses: (spec) => containersIn(spec).some(holds),
    drop: (spec) => containersIn(spec).forEach(drop),
  }
}

function ofConstraints(
  member: 'matchLabelKeys' | 'nodeAffinityPolicy' | 'nodeTaintsPolicy',
  gate: string,
): Gated {
  return {
    gate,
    uses: (spec) =>
      (spec.topologySpreadConstraints ?? []).some((constraint) => {
        const value = constraint[member]
        return Array.isArray(value) ? value.length > 0 : Boolean(value)
      }),
    drop(spec) {
      for (const constraint of spec.topologySpreadConstraints ?? []) delete constraint[member]
    },
  }
}

const GATED: Gated[] = [
  {
    gate: 'UserNamespacesSupport',
    uses: (spec) => spec.hostUsers !== undefined,
    drop: (spec) => {
      delete spec.hostUsers
    },
  },
  {
    gate: 'DynamicResourceAllocation',
    uses: (spec) =>
      Boolean(spec.resourceClaims?.length) ||
      containersIn(spec).some(({ resources }) => resources?.claims?.length),
    drop(spec) {
      delete spec.resourceClaims
      for (const { resources } of containersIn(spec)) delete resources?.claims
    },
  },
  {
    gate: 'SupplementalGroupsPolicy',
    uses: (spec) => spec.securityContext?.supplementalGroupsPolicy !== undefined,
    drop: (spec) => {
      delete spec.securityContext?.supplementalGroupsPolicy
    },
  },
  ofContainers(
    (container) =>
      Boolean(container.resizePolicy?.length) || isExplicitEmpty(container, 'resizePolicy'),
    (container) => {
      delete container.resizePolicy
      deleteExplicitEmpty(container, 'resizePolicy')
    },
    'InPlacePodVerticalScaling',
  ),
  ofContainers(
    ({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default',
    ({ securityContext }) => {
      if (securityContext?.procMount !== undefined) securityContext.procMount = 'Default'
    },
    'ProcMountType',
  ),
  {
    gate: 'ImageVolume',
    // Dropping rebuilds lists, so an empty one becomes absent.
    uses: (spec) =>
      (spec.volumes ?? []).some(({ image }) => image !== undefined) ||
      isExplicitEmpty(spec, 'volumes') ||
      containersIn(spec).some((container) => isExplicitEmpty(container, 'volumeMounts')),
    drop(spec) {
      deleteExplicitEmpty(spec, 'volumes')
      const gone = new Set(
        (spec.volumes ?? []).filter(({ image }) => image !== undefined).map(({ name }) => name),
      )
      const left = (spec.volumes ?? []).filter(({ image }) => image === undefined)
      if (left.length > 0) spec.volumes = left
      else delete spec.volumes
      for (const container of containersIn(spec)) {
        deleteExplicitEmpty(container, 'volumeMounts')
        container.volumeMounts =
          container.volumeMounts?.filter(({ name }) => !gone.has(name)) ?? null
      }
    },
  },
  {
    gate: 'VolumeAttributesClass',
    uses: (spec) =>
      claimTemplates(spec).some(
        ({ volumeAttributesClassName }) => volumeAttributesClassName !== undefined,
      ),
    drop(spec) {
      for (const claim of claimTemplates(spec)) delete claim.volumeAttributesClassName
    },
  },
  {
    gate: 'ClusterTrustBundleProjection',
    uses: (spec) => trustBundles(spec).length > 0,
    drop(spec) {
      for (const source of trustBundles(spec)) delete source.clusterTrustBundle
    },
  },
  {
    gate: 'SidecarContainers',
    uses: (spec) => (spec.initContainers ?? []).some(({ restartPolicy }) => restartPolicy),
    drop(spec) {
      for (const container of spec.initContainers ?? []) delete container.restartPolicy
    },
  },
  ofContainers(
    ({ lifecycle = {} }) => sleepersOf(lifecycle).length > 0,
    (container) => {
      const { lifecycle } = container
      if (!lifecycle) return
      for (const hook of sleepersOf(lifecycle)) {
        delete lifecycle[hook]?.sleep
        if (Object.keys(lifecycle[hook] ?? {}).length === 0) delete lifecycle[hook]
      }
      if (Object.keys(lifecycle).length === 0) delete container.lifecycle
    },
    'PodLifecycleSleepAction',
  ),
  ofContainers(
    ({ lifecycle }) => lifecycle?.stopSignal !== undefined,
    (container) => {
      const { lifecycle } = container
      if (lifecycle?.stopSignal === undefined) return
      delete lifecycle.stopSignal
      if (Object.keys(lifecycle).length === 0) delete container.lifecycle
    },
    'ContainerStopSignals',
  ),
  ofContainers(
    ({ volumeMounts }) =>
      (volumeMounts ?? []).some(({ recursiveReadOnly }) => recursiveReadOnly !== undefined),
    ({ volumeMounts }) => {
      for (const mount of volumeMounts ?? []) delete mount.recursiveReadOnly
    },
    'RecursiveReadOnlyMounts',
  ),
  {
    gate: 'MatchLabelKeysInPodAffinity',
    uses: (spec) =>
      affinityTermsOf(spec).some(
        ({ matchLabelKeys, mismatchLabelKeys }) =>
          Boolean(matchLabelKeys?.length) || Boolean(mismatchLabelKeys?.length),
      ),
    drop(spec) {
      for (const term of affinityTermsOf(spec)) {
        delete term.matchLabelKeys
        delete term.mismatchLabelKeys
      }
    },
  },
  ofConstraints('matchLabelKeys', 'MatchLabelKeysInPodTopologySpread'),
  ofConstraints('nodeAffinityPolicy', 'NodeInclusionPolicyInPodTopologySpread'),
  ofConstraints('nodeTaintsPolicy', 'NodeInclusionPolicyInPodTopologySpread'),
]

const HOOKS = ['postStart', 'preStop'] as const

const sleepersOf = (lifecycle: Lifecycle): (typeof HOOKS)[number][] =>
  HOOKS.filter((hook) => lifecycle[hook]?.sleep !== undefined)
const IN_CONTAINERS = ['containers[].', 'initContainers[].', 'ephemeralContainers[].']
const PROBES = ['livenessProbe.', 'readinessProbe.', 'startupProbe.']
const each = (prefixes: readonly string[], ...members: readonly string[]): string[] =>
  prefixes.flatMap((prefix) => members.map((member) => prefix + member))
const ofProbes = (member: string): string[] => each(IN_CONTAINERS, ...each(PROBES, member))
const FILES = ['configMap', 'secret', 'downwardAPI']

/** Members of later releases, always dropped. */
const LATER_GATED = gatedPaths({
  HostnameOverride: ['hostnameOverride'],
  GenericWorkload: ['workloadRef', 'schedulingGroup'],
  EvictionRequestAPI: ['evictionResponders'],
  PodLevelResources: ['resources'],
  SELinuxChangePolicy: ['securityContext.seLinuxChangePolicy'],
  EnvFiles: each(IN_CONTAINERS, 'env[].valueFrom.fileKeyRef'),
  PodCertificateRequest: ['volumes[].projected.sources[].podCertificate'],
  EmptyDirVolumeMode: ['volumes[].emptyDir.mode'],
  VolumeBindMountOptions: each(IN_CONTAINERS, 'volumeMounts[].bindMountOptions'),
  GRPCContainerProbeTLS: ofProbes('grpc.mode'),
  H2CContainerProbe: ofProbes('httpGet.protocol'),
  AtomicWriteVolumeUserFields: [
    'volumes[].projected.defaultUser',
    ...each(
      FILES.map((source) => `volumes[].${source}.`),
      'defaultUser',
      'items[].user',
    ),
    ...each(
      FILES.map((source) => `volumes[].projected.sources[].${source}.`),
      'items[].user',
    ),
    ...each(
      ['serviceAccountToken.', 'clusterTrustBundle.', 'podCertificate.'].map(
        (source) => `volumes[].projected.sources[].${source}`,
      ),
      'user',
    ),
  ],
})

function claimTemplates(spec: PodSpec): JsonObject[] {
  return (spec.volumes ?? []).flatMap(({ ephemeral }) => {
    const template = isJsonObject(ephemeral as JsonObject)
      ? (ephemeral as JsonObject).volumeClaimTemplate
      : undefined
    return isJsonObject(template) && isJsonObject(template.spec) ? [template.spec] : []
  })
}

function trustBundles(spec: PodSpec): JsonObject[] {
  const found: JsonObject[] = []
  for (const { projected } of spec.volumes ?? []) {
    const sources = isJsonObject(projected as JsonObject)
      ? (projected as JsonObject).sources
      : undefined
    if (!Array.isArray(sources)) continue
    for (const source of sources)
      if (isJsonObject(source) && source.clusterTrustBundle !== undefined) found.push(source)
  }
  return found
}

export function dropGatedTemplateMembers(
  engine: Pick<Engine, 'featureGates'>,
  object: KubeObject,
  old?: KubeObject,
): void {
  dropGatedPodMembers(engine, podTemplateOf(object)?.spec, old && podTemplateOf(old)?.spec)
}

export const podTemplateOf = ({ spec }: KubeObject): PodTemplate | undefined =>
  (spec as { template?: PodTemplate } | undefined)?.template

export function dropGatedPodMembers(
  { featureGates }: Pick<Engine, 'featureGates'>,
  spec: PodSpec | undefined,
  old?: PodSpec,
): void {
  if (!spec) return
  for (const { gate, uses, drop } of GATED) {
    const isOn = gate !== undefined && entryOf(featureGates, gate) === true
    if (!isOn && uses(spec) && !(old && uses(old))) drop(spec)
  }
  dropGatedPaths(featureGates, LATER_GATED, spec, old)
}

/** Gates of container status members. */
const GATE_OF_STATUS: Readonly<Record<string, string>> = {
  allocatedResources: 'InPlacePodVerticalScalingAllocatedStatus',
  allocatedResourcesStatus: 'ResourceHealthStatus',
  resources: 'InPlacePodVerticalScaling',
  user: 'SupplementalGroupsPolicy',
  volumeMounts: 'RecursiveReadOnlyMounts',
}
const CONTAINER_STATUSES = [
  'containerStatuses',
  'initContainerStatuses',
  'ephemeralContainerStatuses',
] as const

/** @returns the same status if there are none */
export function withoutGatedStatus(status: PodStatus, gates: Engine['featureGates']): PodStatus {
  const isHidden = (member: string) => {
    const gate = entryOf(GATE_OF_STATUS, member)
    return gate !== undefined && entryOf(gates, gate) !== true
  }
  const isGated = (container: ContainerStatus) => Object.keys(container).some(isHidden)
  const lists = CONTAINER_STATUSES.filter((list) => status[list]?.some(isGated))
  const losesResize = status.resize !== undefined && !gates.InPlacePodVerticalScaling
  if (lists.length === 0 && !losesResize) return status
  const left: PodStatus = { ...status }
  if (losesResize) delete left.resize
  for (const list of lists)
    left[list] =
      status[list]?.map(
        (container): ContainerStatus =>
          Object.fromEntries(Object.entries(container).filter(([member]) => !isHidden(member))),
      ) ?? null
  return left
}
