/** Types of Pods, with only the members that validation reads. */
import type { JsonObject, KubeObject, ObjectMeta } from '../../core/object'
import type { LabelSelectorObject } from '../../validation/label-selectors'

type List<T> = T[] | null

export interface ContainerPort {
  name?: string
  hostPort?: number
  containerPort?: number
  protocol?: string
  hostIP?: string
}
export interface KeySelector {
  name?: string
  key?: string
}
export interface FileKeySelector {
  volumeName?: string
  path?: string
  key?: string
}
export interface FieldRef {
  apiVersion?: string
  fieldPath?: string
}
export interface ResourceFieldRef {
  containerName?: string
  resource?: string
  divisor?: string
}
export interface EnvVar {
  name?: string
  value?: string
  valueFrom?: {
    fieldRef?: FieldRef
    resourceFieldRef?: ResourceFieldRef
    configMapKeyRef?: KeySelector
    secretKeyRef?: KeySelector
    fileKeyRef?: FileKeySelector
  }
}
export interface EnvFromSource {
  prefix?: string
  configMapRef?: { name?: string }
  secretRef?: { name?: string }
}
export interface VolumeMount {
  name?: string
  mountPath?: string
  readOnly?: boolean
  subPath?: string
  subPathExpr?: string
  mountPropagation?: string
  recursiveReadOnly?: string
}
export interface VolumeDevice {
  name?: string
  devicePath?: string
}
export interface Handler {
  exec?: { command?: List<string> }
  httpGet?: {
    path?: string
    port?: number | string
    scheme?: string
    httpHeaders?: List<{ name?: string }>
  }
  tcpSocket?: { port?: number | string }
  grpc?: { port?: number }
  sleep?: { seconds?: number }
}
export interface Probe extends Handler {
  initialDelaySeconds?: number
  timeoutSeconds?: number
  periodSeconds?: number
  successThreshold?: number
  failureThreshold?: number
  terminationGracePeriodSeconds?: number
}
export interface ResourceClaim {
  name?: string
  resourceClaimName?: string
  resourceClaimTemplateName?: string
}
export interface Resources {
  limits?: Record<string, string>
  requests?: Record<string, string>
  claims?: List<{ name?: string; request?: string }>
}
export interface SeccompProfile {
  type?: string
  localhostProfile?: string
}
export interface WindowsOptions {
  gmsaCredentialSpecName?: string
  gmsaCredentialSpec?: string
  runAsUserName?: string
  hostProcess?: boolean
}
interface AnySecurityContext {
  seLinuxOptions?: JsonObject
  windowsOptions?: WindowsOptions
  runAsUser?: number
  runAsGroup?: number
  runAsNonRoot?: boolean
  seccompProfile?: SeccompProfile
  appArmorProfile?: SeccompProfile
}
export interface SecurityContext extends AnySecurityContext {
  capabilities?: { add?: List<string>; drop?: List<string> }
  privileged?: boolean
  readOnlyRootFilesystem?: boolean
  allowPrivilegeEscalation?: boolean
  procMount?: string
}
export interface PodSecurityContext extends AnySecurityContext {
  fsGroup?: number
  fsGroupChangePolicy?: string
  supplementalGroups?: List<number>
  supplementalGroupsPolicy?: string
  seLinuxChangePolicy?: string
  sysctls?: List<{ name?: string; value?: string }>
}
export interface RestartRule {
  action?: string
  exitCodes?: { operator?: string; values?: List<number> }
}
export interface Lifecycle {
  stopSignal?: string
  postStart?: Handler
  preStop?: Handler
}
export interface Container {
  name?: string
  image?: string
  ports?: List<ContainerPort>
  env?: List<EnvVar>
  envFrom?: List<EnvFromSource>
  resources?: Resources
  resizePolicy?: List<JsonObject>
  restartPolicy?: string
  restartPolicyRules?: List<RestartRule>
  volumeMounts?: List<VolumeMount>
  volumeDevices?: List<VolumeDevice>
  livenessProbe?: Probe
  readinessProbe?: Probe
  startupProbe?: Probe
  lifecycle?: Lifecycle
  terminationMessagePolicy?: string
  imagePullPolicy?: string
  securityContext?: SecurityContext
  /** Ephemeral containers only. */
  targetContainerName?: string
}
export interface Volume {
  name?: string
  [source: string]: unknown
}
export interface NodeSelectorRequirement {
  key?: string
  operator?: string
  values?: List<string>
}
export interface NodeSelectorTerm {
  matchExpressions?: List<NodeSelectorRequirement>
  matchFields?: List<NodeSelectorRequirement>
}
export interface PodAffinityTerm {
  labelSelector?: LabelSelectorObject
  namespaceSelector?: LabelSelectorObject
  namespaces?: List<string>
  topologyKey?: string
  matchLabelKeys?: List<string>
  mismatchLabelKeys?: List<string>
}
export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: List<PodAffinityTerm>
  preferredDuringSchedulingIgnoredDuringExecution?: List<{
    weight?: number
    podAffinityTerm?: PodAffinityTerm
  }>
}
export interface NodeSelector {
  nodeSelectorTerms?: List<NodeSelectorTerm>
}
export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector
  preferredDuringSchedulingIgnoredDuringExecution?: List<{
    weight?: number
    preference?: NodeSelectorTerm
  }>
}
export interface Affinity {
  nodeAffinity?: NodeAffinity
  podAffinity?: PodAffinity
  podAntiAffinity?: PodAffinity
}
export interface Toleration {
  key?: string
  operator?: string
  value?: string
  effect?: string
  tolerationSeconds?: number
}
export interface TopologySpreadConstraint {
  maxSkew?: number
  topologyKey?: string
  whenUnsatisfiable?: string
  labelSelector?: LabelSelectorObject
  minDomains?: number
  nodeAffinityPolicy?: string
  nodeTaintsPolicy?: string
  matchLabelKeys?: List<string>
}
export interface PodSpec {
  resources?: Resources
  volumes?: List<Volume>
  initContainers?: List<Container>
  containers?: List<Container>
  ephemeralContainers?: List<Container>
  restartPolicy?: string
  terminationGracePeriodSeconds?: number
  activeDeadlineSeconds?: number
  dnsPolicy?: string
  nodeSelector?: Record<string, string>
  serviceAccountName?: string
  nodeName?: string
  hostNetwork?: boolean
  hostPID?: boolean
  hostIPC?: boolean
  hostUsers?: boolean
  shareProcessNamespace?: boolean
  securityContext?: PodSecurityContext
  imagePullSecrets?: List<{ name?: string }>
  hostname?: string
  hostnameOverride?: string
  setHostnameAsFQDN?: boolean
  subdomain?: string
  affinity?: Affinity
  tolerations?: List<Toleration>
  hostAliases?: List<{ ip?: string; hostnames?: List<string> }>
  priorityClassName?: string
  preemptionPolicy?: string
  dnsConfig?: {
    nameservers?: List<string>
    searches?: List<string>
    options?: List<{ name?: string; value?: string }>
  }
  readinessGates?: List<{ conditionType?: string }>
  runtimeClassName?: string
  overhead?: Record<string, string>
  topologySpreadConstraints?: List<TopologySpreadConstraint>
  os?: { name?: string }
  schedulingGates?: List<{ name?: string }>
  resourceClaims?: List<ResourceClaim>
}
export interface PodCondition {
  type?: string
  status?: string
  reason?: string
  message?: string
  lastProbeTime?: string | null
  lastTransitionTime?: string | null
}
export interface ContainerStatus {
  name?: string
  state?: { terminated?: { exitCode?: number }; running?: JsonObject }
  resources?: Resources
  allocatedResources?: Record<string, string>
  allocatedResourcesStatus?: List<{
    name?: string
    resources?: List<{ resourceID?: string; health?: string }>
  }>
  user?: JsonObject
}
export interface PodStatus {
  phase?: string
  conditions?: List<PodCondition>
  podIP?: string
  podIPs?: List<{ ip?: string }>
  hostIP?: string
  hostIPs?: List<{ ip?: string }>
  containerStatuses?: List<ContainerStatus>
  initContainerStatuses?: List<ContainerStatus>
  ephemeralContainerStatuses?: List<ContainerStatus>
  resourceClaimStatuses?: List<{ name?: string; resourceClaimName?: string }>
  resize?: string
  qosClass?: string
  nominatedNodeName?: string
}
export interface Pod extends KubeObject {
  spec?: PodSpec
  status?: PodStatus
}
export interface PodTemplate {
  metadata?: ObjectMeta
  spec?: PodSpec
}

export interface PlacedContainer {
  container: Container
  path: string
}

/** In order of validation. */
export function containersOf(spec: PodSpec, path: string): PlacedContainer[] {
  const { initContainers, containers, ephemeralContainers } = spec
  const placed: PlacedContainer[] = []
  const place = (list: Container[], name: string) => {
    for (let i = 0; i < list.length; i++)
      placed.push({ container: list[i] as Container, path: `${path}.${name}[${i}]` })
  }
  if (initContainers) place(initContainers, 'initContainers')
  if (containers) place(containers, 'containers')
  if (ephemeralContainers) place(ephemeralContainers, 'ephemeralContainers')
  return placed
}
