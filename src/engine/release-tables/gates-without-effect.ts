/**
 * No client can observe these gates here; both values are accepted, with a warning, so that command
 * lines of kube-apiserver work. See k8s.io/kubernetes, pkg/features/kube_features.go.
 */

interface Group {
  /** `feature gate WinDSR has no effect: …` */
  why: string
  gates: readonly string[]
}

const GROUPS: readonly Group[] = [
  {
    why: 'only the kubelet reads it, and nodes are simulated',
    gates: [
      'AllowDNSOnlyNodeCSR',
      'CPUManagerPolicyAlphaOptions',
      'CPUManagerPolicyBetaOptions',
      'CPUManagerPolicyOptions',
      'CSIVolumeHealth',
      'ContainerCheckpoint',
      'CustomCPUCFSQuotaPeriod',
      'DisableNodeKubeProxyVersion',
      'EventedPLEG',
      'ExecProbeTimeout',
      'GracefulNodeShutdown',
      'GracefulNodeShutdownBasedOnPodPriority',
      'ImageMaximumGCAge',
      'KubeletCgroupDriverFromCRI',
      'KubeletInUserNamespace',
      'KubeletPodResourcesDynamicResources',
      'KubeletPodResourcesGet',
      'KubeletSeparateDiskGC',
      'KubeletTracing',
      'LocalStorageCapacityIsolationFSQuotaMonitoring',
      'MemoryManager',
      'MemoryQoS',
      'NodeLogQuery',
      'NodeSwap',
      'PodAndContainerStatsFromCRI',
      'PodReadyToStartContainersCondition',
      'QOSReserved',
      'ReloadKubeletServerCertificateFile',
      'RotateKubeletServerCertificate',
      'RuntimeClassInImageCriApi',
      'SELinuxMount',
      'SizeMemoryBackedVolumes',
      'TopologyManagerPolicyAlphaOptions',
      'TopologyManagerPolicyBetaOptions',
      'TopologyManagerPolicyOptions',
      'WindowsHostNetwork',
    ],
  },
  {
    why: 'only kube-proxy reads it, and services have no traffic',
    gates: ['NFTablesProxyMode', 'WinDSR', 'WinOverlay'],
  },
  {
    why: 'it selects how kube-apiserver reads etcd, with the same responses',
    gates: [
      'ConcurrentWatchObjectDecode',
      'ConsistentListFromCache',
      'ResilientWatchCacheInitialization',
      'SeparateCacheWatchRPC',
      'StorageNamespaceIndex',
      'WatchFromStorageWithoutResourceVersion',
    ],
  },
  {
    why: 'it selects how kube-apiserver serves and logs, with the same responses',
    gates: [
      'APIServingWithRoutine',
      'ContextualLogging',
      'LoggingAlphaOptions',
      'LoggingBetaOptions',
      'UnauthenticatedHTTP2DOSMitigation',
    ],
  },
  {
    why: 'streams of pods end at this server, which has no kubelet behind it',
    gates: ['PortForwardWebsockets', 'TranslateStreamCloseWebsocketRequests'],
  },
  {
    why: 'servers that share a store do not call each other',
    gates: ['UnknownVersionInteroperabilityProxy'],
  },
  {
    why: 'addresses have no second allocator',
    gates: ['DisableAllocatorDualWrite'],
  },
  {
    why: 'only clients read it',
    gates: ['InformerResourceVersion', 'WatchListClient'],
  },
  {
    why: 'the controllers and the scheduler here have one behavior for both values',
    gates: [
      'CSIMigrationPortworx',
      'CloudControllerManagerWebhook',
      'HonorPVReclaimPolicy',
      'InTreePluginPortworxUnregister',
      'SchedulerQueueingHints',
      'SeparateTaintEvictionController',
      'VolumeCapacityPriority',
    ],
  },
  {
    why: 'there is no flag for the configuration that it allows',
    gates: ['APIServerTracing', 'KMSv1'],
  },
]

const reasons = new Map(
  GROUPS.flatMap(({ why, gates }) => gates.map((name) => [name, why] as const)),
)

/** @returns undefined for all other gates */
export const gateWithoutEffect = (name: string): string | undefined => reasons.get(name)

/** A line for each reason. */
export const gatesWithoutEffectHelp = (): string[] =>
  GROUPS.map(({ why, gates }) => `${gates.join(', ')}: ${why}`)
