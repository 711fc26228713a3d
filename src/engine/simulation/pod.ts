/** The parts of a pod that its programs can see. */

export interface KeyReference {
  name?: string
  key: string
  optional?: boolean
}

export interface Item {
  key: string
  path: string
  /** The mode of the file; the default mode of the volume if absent. */
  mode?: number
}

export interface FieldReference {
  fieldPath: string
}

export interface ResourceReference {
  containerName?: string
  resource: string
  divisor?: string
}

interface Reference {
  name?: string
  optional?: boolean
  items?: Item[]
}

interface DownwardFile {
  path: string
  mode?: number
  fieldRef?: FieldReference
  resourceFieldRef?: ResourceReference
}

export interface SeenContainer {
  name?: string
  image?: string
  command?: string[]
  args?: string[]
  stdin?: boolean
  stdinOnce?: boolean
  tty?: boolean
  env?: {
    name: string
    value?: string
    valueFrom?: {
      fieldRef?: FieldReference
      resourceFieldRef?: ResourceReference
      configMapKeyRef?: KeyReference
      secretKeyRef?: KeyReference
    }
  }[]
  envFrom?: { prefix?: string; configMapRef?: { name?: string }; secretRef?: { name?: string } }[]
  volumeMounts?: {
    name: string
    mountPath: string
    subPath?: string
    subPathExpr?: string
    readOnly?: boolean
  }[]
  workingDir?: string
  terminationMessagePath?: string
  terminationMessagePolicy?: string
  securityContext?: {
    readOnlyRootFilesystem?: boolean
    privileged?: boolean
    allowPrivilegeEscalation?: boolean
    runAsUser?: number
    runAsGroup?: number
  }
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> }
}

export interface SeenVolume {
  name: string
  emptyDir?: { medium?: string; sizeLimit?: string }
  hostPath?: { path: string; type?: string }
  configMap?: Reference & { defaultMode?: number }
  secret?: { secretName?: string; optional?: boolean; items?: Item[]; defaultMode?: number }
  downwardAPI?: { items?: DownwardFile[]; defaultMode?: number }
  projected?: {
    defaultMode?: number
    sources?: {
      configMap?: Reference
      secret?: Reference
      downwardAPI?: { items?: DownwardFile[] }
      serviceAccountToken?: { path: string; audience?: string; expirationSeconds?: number }
      clusterTrustBundle?: { path: string }
    }[]
  }
}

interface SeenRun {
  startedAt?: string
  finishedAt?: string
}

interface SeenState {
  waiting?: { reason?: string }
  running?: { startedAt?: string }
  terminated?: SeenRun
}

export interface SeenStatus {
  name?: string
  restartCount?: number
  state?: SeenState
  lastState?: SeenState
}

export interface SeenPod {
  metadata: {
    name?: string
    namespace?: string
    uid?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
  }
  spec?: {
    nodeName?: string
    hostname?: string
    serviceAccountName?: string
    enableServiceLinks?: boolean
    containers?: SeenContainer[]
    initContainers?: SeenContainer[]
    volumes?: SeenVolume[]
    dnsPolicy?: string
    dnsConfig?: {
      nameservers?: string[]
      searches?: string[]
      options?: { name?: string; value?: string }[]
    }
    subdomain?: string
    hostNetwork?: boolean
    hostAliases?: { ip?: string; hostnames?: string[] }[]
    securityContext?: {
      runAsUser?: number
      runAsGroup?: number
      fsGroup?: number
      supplementalGroups?: number[]
      sysctls?: { name: string; value: string }[]
    }
  }
  status?: {
    startTime?: string
    containerStatuses?: SeenStatus[]
    initContainerStatuses?: SeenStatus[]
    ephemeralContainerStatuses?: SeenStatus[]
  }
}

export interface SeenService {
  metadata: { name?: string; namespace?: string }
  spec?: { clusterIP?: string; ports?: { name?: string; port: number; protocol?: string }[] }
}

/** The environment of a pod. */
export interface Seen {
  configMap(
    name: string,
  ): { data?: Record<string, string>; binaryData?: Record<string, string> } | undefined
  secret(name: string): { data?: Record<string, string> } | undefined
  /** In the order of their creation. */
  services: Iterable<SeenService>
  podIP: string
  hostIP: string
  /** Allocatable resources of the node. */
  allocatable: Record<string, string>
}

/** The services visible in the environment of a pod: those of its namespace, and kubernetes. */
export function servicesFor(
  namespace: string,
  of: (namespace: string) => Iterable<SeenService>,
): SeenService[] {
  return [...new Set(['default', namespace])].flatMap((place) => [...of(place)])
}

export function statusOf({ status }: SeenPod, container: string): SeenStatus | undefined {
  const {
    containerStatuses = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = status ?? {}
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    ({ name }) => name === container,
  )
}
