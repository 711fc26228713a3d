import { entryOf, type KubeObject, type ObjectMeta } from '../core/object'

export type ResourceAmounts = Record<string, string>

export interface EnvironmentSource {
  prefix?: string
  secretRef?: { name?: string }
  configMapRef?: { name?: string }
}

export interface EnvironmentVariable {
  name: string
  valueFrom?: { secretKeyRef?: { name?: string }; configMapKeyRef?: { name?: string } }
}

export interface Container {
  name: string
  image?: string
  imagePullPolicy?: string
  restartPolicy?: string
  resources?: { requests?: ResourceAmounts; limits?: ResourceAmounts }
  env?: EnvironmentVariable[]
  envFrom?: EnvironmentSource[]
  ports?: { containerPort?: number; hostPort?: number }[]
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[]
  securityContext?: ContainerSecurity
}

export interface CommonSecurity {
  runAsNonRoot?: boolean
  runAsUser?: number
  seccompProfile?: { type: string }
  appArmorProfile?: { type: string }
  seLinuxOptions?: { type?: string; user?: string; role?: string }
  windowsOptions?: { hostProcess?: boolean }
}

export interface ContainerSecurity extends CommonSecurity {
  privileged?: boolean
  allowPrivilegeEscalation?: boolean
  capabilities?: { add?: string[]; drop?: string[] }
  procMount?: string
}

export interface PodSecurityContext extends CommonSecurity {
  sysctls?: { name: string }[]
}

export interface Toleration {
  key?: string
  operator?: string
  value?: string
  effect?: string
  tolerationSeconds?: number
}

/** The second member names the source. */
export type Volume = { name: string } & Record<string, unknown>

export interface PodAffinityTerm {
  topologyKey?: string
  namespaces?: string[]
  namespaceSelector?: unknown
}

interface WeightedTerms {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[]
  preferredDuringSchedulingIgnoredDuringExecution?: { podAffinityTerm?: PodAffinityTerm }[]
}

export interface PodSpec {
  resources?: { requests?: ResourceAmounts; limits?: ResourceAmounts }
  containers?: Container[]
  initContainers?: Container[]
  ephemeralContainers?: Container[]
  volumes?: Volume[]
  serviceAccountName?: string
  serviceAccount?: string
  automountServiceAccountToken?: boolean
  imagePullSecrets?: { name?: string }[]
  nodeName?: string
  nodeSelector?: Record<string, string>
  hostNetwork?: boolean
  hostPID?: boolean
  hostUsers?: boolean
  hostIPC?: boolean
  securityContext?: PodSecurityContext
  affinity?: { podAffinity?: WeightedTerms; podAntiAffinity?: WeightedTerms }
  tolerations?: Toleration[]
  priorityClassName?: string
  priority?: number
  preemptionPolicy?: string
  runtimeClassName?: string
  overhead?: ResourceAmounts
  activeDeadlineSeconds?: number
  resourceClaims?: {
    name: string
    resourceClaimName?: string
    resourceClaimTemplateName?: string
  }[]
  os?: { name?: string }
}

export interface Pod extends KubeObject {
  spec: PodSpec
  status?: { phase?: string; qosClass?: string; resourceClaimStatuses?: unknown[] }
}

export interface PodTemplate {
  metadata?: Partial<ObjectMeta>
  spec?: PodSpec
}

export const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror'

/** Rejected later without `spec`. */
export function podOf(object: KubeObject | undefined): Pod {
  const pod = object as Pod
  pod.spec ??= {}
  return pod
}

export function isMirrorPod({ metadata }: Pod): boolean {
  return metadata.annotations?.[MIRROR_ANNOTATION] !== undefined
}

/** In kube-apiserver's order; maybe not validated yet. */
export function containersOf({
  initContainers = [],
  containers,
  ephemeralContainers = [],
}: PodSpec): Container[] {
  return [...initContainers, ...(containers ?? []), ...ephemeralContainers]
}

export function* secretNamesOf(spec: PodSpec): Generator<string> {
  for (const { name } of spec.imagePullSecrets ?? []) yield name ?? ''
  for (const { env = [], envFrom = [] } of containersOf(spec)) {
    for (const { secretRef } of envFrom) if (secretRef) yield secretRef.name ?? ''
    for (const { valueFrom } of env)
      if (valueFrom?.secretKeyRef) yield valueFrom.secretKeyRef.name ?? ''
  }
  for (const volume of spec.volumes ?? []) yield* secretNamesOfVolume(volume)
}

export function* configMapNamesOf(spec: PodSpec): Generator<string> {
  for (const { env = [], envFrom = [] } of containersOf(spec)) {
    for (const { configMapRef } of envFrom) if (configMapRef) yield configMapRef.name ?? ''
    for (const { valueFrom } of env)
      if (valueFrom?.configMapKeyRef) yield valueFrom.configMapKeyRef.name ?? ''
  }
  for (const volume of spec.volumes ?? []) {
    if (volume.configMap) yield (volume.configMap as { name?: string }).name ?? ''
    for (const { configMap } of projectedSources(volume)) if (configMap) yield configMap.name ?? ''
  }
}

const SECRET_MEMBERS: Record<string, readonly string[]> = {
  azureFile: ['secretName'],
  secret: ['secretName'],
  cephfs: ['secretRef'],
  cinder: ['secretRef'],
  flexVolume: ['secretRef'],
  rbd: ['secretRef'],
  scaleIO: ['secretRef'],
  iscsi: ['secretRef'],
  storageos: ['secretRef'],
  csi: ['nodePublishSecretRef'],
}

function* secretNamesOfVolume(volume: Volume): Generator<string> {
  for (const [type, members] of Object.entries(SECRET_MEMBERS)) {
    const source = volume[type] as Record<string, string | { name?: string }> | undefined
    for (const member of members) {
      const named = entryOf(source, member)
      if (named !== undefined) yield typeof named === 'string' ? named : (named.name ?? '')
    }
  }
  for (const { secret } of projectedSources(volume)) if (secret) yield secret.name ?? ''
}

export interface ProjectedSource {
  secret?: { name?: string }
  configMap?: { name?: string }
  serviceAccountToken?: unknown
}

export function projectedSources(volume: Volume): ProjectedSource[] {
  return (volume.projected as { sources?: ProjectedSource[] } | undefined)?.sources ?? []
}
