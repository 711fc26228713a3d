import { docs, entriesOf, PAGES } from '../entry'

const budget = docs('Disruption budgets', 'tasks/run-application/configure-pdb/')
const autoscaler = docs(
  'Horizontal pod autoscaling',
  'tasks/run-application/horizontal-pod-autoscale/',
)
const signing = docs(
  'Certificate signing requests',
  'reference/access-authn-authz/certificate-signing-requests/',
)
const namespaces = docs('Namespaces', 'concepts/overview/working-with-objects/namespaces/')
const flow = docs('API priority and fairness', 'concepts/cluster-administration/flow-control/')
const aggregation = docs(
  'Aggregation layer',
  'concepts/extend-kubernetes/api-extension/apiserver-aggregation/',
)

export const CONDITIONS = entriesOf('condition', {
  Ready: [
    'It can do its work. A pod that is not ready gets no traffic from its services; a node that is not ready gets no pods.',
    PAGES.podLifecycle,
    PAGES.node,
  ],
  Initialized: ['All init containers of the pod completed successfully.', PAGES.podLifecycle],
  ContainersReady: [
    'All containers of the pod are ready; readiness gates can still be pending.',
    PAGES.podLifecycle,
  ],
  PodScheduled: [
    'The pod is scheduled to a node. If False, the message explains why no node fits.',
    PAGES.podLifecycle,
    docs('Scheduler', 'concepts/scheduling-eviction/kube-scheduler/'),
  ],
  PodReadyToStartContainers: ['The pod’s sandbox and network are there.', PAGES.podLifecycle],
  DisruptionTarget: [
    'The pod is about to end for a reason outside of it: eviction, preemption, a node that is gone.',
    docs('Disruptions', 'concepts/workloads/pods/disruptions/'),
  ],
  MemoryPressure: ['The node is short of memory.', PAGES.node],
  DiskPressure: ['The node is short of disk.', PAGES.node],
  PIDPressure: ['The node is running out of process IDs.', PAGES.node],
  NetworkUnavailable: ['The node’s network is not set up.', PAGES.node],
  Available: [
    'Enough pods have been ready long enough; of a group of the API: its server can be reached.',
    PAGES.deployment,
    aggregation,
  ],
  Progressing: [
    'The rollout is in progress or complete. False after the progress deadline; the controller keeps retrying.',
    PAGES.deployment,
  ],
  ReplicaFailure: [
    'Pods could not be created or deleted, usually because of a quota, a limit or a missing service account. The message is the server’s error.',
    PAGES.deployment,
  ],
  Complete: ['The Job is complete: the required number of pods succeeded.', PAGES.job],
  Completed: [
    'The pod terminated; the reason states whether it succeeded or failed.',
    PAGES.podLifecycle,
  ],
  Healthy: [
    'The component is healthy.',
    docs('Cluster components', 'concepts/overview/components/'),
  ],
  Failed: ['It has failed for good and is not tried again.', PAGES.job],
  FailureTarget: ['The Job is going to fail; its pods are terminated first.', PAGES.job],
  SuccessCriteriaMet: ['The success policy is met; the remaining pods are terminated.', PAGES.job],
  Suspended: ['Suspended by its spec.', PAGES.job],
  Established: ['The definition is in force: its objects are served.', PAGES.definitions],
  NamesAccepted: ['No other definition has the names that this one wants.', PAGES.definitions],
  NonStructuralSchema: [
    'The schema leaves types open, which rules out defaults and pruning.',
    PAGES.definitions,
  ],
  KubernetesAPIApprovalPolicyConformant: [
    'Whether a definition in a protected group has the approval that it needs.',
    PAGES.definitions,
  ],
  Terminating: ['It is being deleted, and its cleanup is running.'],
  Approved: [
    'The certificate signing request was approved; a signer can issue the certificate.',
    signing,
  ],
  Denied: ['The request for a certificate was turned down.', signing],
  ScalingActive: [
    'The autoscaler can compute the desired number of replicas. False if metrics are missing or the target has no replicas.',
    autoscaler,
  ],
  AbleToScale: ['The autoscaler can read and set the replicas of its target.', autoscaler],
  ScalingLimited: [
    'The desired number of replicas is limited by minReplicas or maxReplicas.',
    autoscaler,
  ],
  DisruptionAllowed: ['Whether the budget allows disruptions; none if False.', budget],
  NamespaceContentRemaining: [
    'Objects are still in the namespace that is being deleted.',
    namespaces,
  ],
  NamespaceFinalizersRemaining: [
    'Objects in the namespace wait for their finalizers.',
    namespaces,
    PAGES.finalizers,
  ],
  NamespaceDeletionDiscoveryFailure: [
    'Discovery failed, so the content of the namespace cannot be deleted; often an aggregated API server is unavailable.',
    namespaces,
  ],
  NamespaceDeletionGroupVersionParsingFailure: [
    'A group or version of the API has a name that cannot be read.',
    namespaces,
  ],
  NamespaceDeletionContentFailure: [
    'Some objects of the namespace could not be deleted.',
    namespaces,
  ],
  Dangling: ['The flow schema names a priority level that is not there.', flow],
  Resizing: [
    'The volume is being resized.',
    docs('Persistent volumes', 'concepts/storage/persistent-volumes/'),
  ],
  FileSystemResizePending: [
    'The volume is larger; the file system on it is not yet.',
    docs('Persistent volumes', 'concepts/storage/persistent-volumes/'),
  ],
})

export const STATES = entriesOf('state', {
  Pending: [
    'Of a pod: taken in, and not yet running: it waits for a node, an image or a volume. Of a claim: no volume yet.',
    PAGES.podLifecycle,
  ],
  Running: ['At least one container runs, starts or restarts.', PAGES.podLifecycle],
  Succeeded: [
    'All containers terminated successfully and will not be restarted.',
    PAGES.podLifecycle,
  ],
  Failed: ['All containers terminated, at least one with a failure.', PAGES.podLifecycle],
  Unknown: ['The node does not report its status.', PAGES.podLifecycle],
  Active: ['The namespace is in use.', namespaces],
  Terminating: ['Being deleted; held by what is still in it, or by finalizers.'],
  Bound: [
    'Volume and claim belong to each other.',
    docs('Persistent volumes', 'concepts/storage/persistent-volumes/'),
  ],
  Released: [
    'The claim is gone; the volume still holds what it held.',
    docs('Persistent volumes', 'concepts/storage/persistent-volumes/'),
  ],
  CrashLoopBackOff: [
    'The container fails repeatedly; the kubelet restarts it with an exponential back-off delay.',
    PAGES.podLifecycle,
  ],
  ImagePullBackOff: [
    'The image cannot be pulled; the kubelet waits before it retries.',
    docs('Images', 'concepts/containers/images/'),
  ],
  ErrImagePull: ['The image could not be pulled.', docs('Images', 'concepts/containers/images/')],
  ContainerCreating: [
    'The node prepares the container: image, volumes, network.',
    PAGES.podLifecycle,
  ],
  OOMKilled: [
    'The container exceeded its memory limit.',
    docs('Assign memory resources', 'tasks/configure-pod-container/assign-memory-resource/'),
  ],
  Completed: ['The container exited with code 0.', PAGES.podLifecycle],
  Error: ['The container exited with a non-zero exit code.', PAGES.podLifecycle],
  Evicted: [
    'The pod had to leave its node.',
    docs('Node-pressure eviction', 'concepts/scheduling-eviction/node-pressure-eviction/'),
  ],
  MinimumReplicasAvailable: ['The minimum number of pods is available.', PAGES.deployment],
  MinimumReplicasUnavailable: [
    'Fewer than the minimum number of pods are available.',
    PAGES.deployment,
  ],
  NewReplicaSetAvailable: [
    'The rollout is complete: the new ReplicaSet has all of its pods.',
    PAGES.deployment,
  ],
  ReplicaSetUpdated: ['The rollout is in progress.', PAGES.deployment],
  NewReplicaSetCreated: ['A ReplicaSet was created for the new template.', PAGES.deployment],
  FoundNewReplicaSet: ['A replica set of this template was there already.', PAGES.deployment],
  ProgressDeadlineExceeded: [
    'No progress for progressDeadlineSeconds. The controller keeps retrying.',
    PAGES.deployment,
  ],
  DeploymentPaused: [
    'Changes of the template wait until the deployment is resumed.',
    PAGES.deployment,
  ],
  FailedCreate: [
    'A controller could not create a pod; the message is the server’s error.',
    PAGES.deployment,
  ],
  FailedScheduling: [
    'No node fits. The message counts the nodes by what is in the way.',
    docs('Scheduler', 'concepts/scheduling-eviction/kube-scheduler/'),
  ],
  Scheduled: [
    'The scheduler gave the pod a node.',
    docs('Scheduler', 'concepts/scheduling-eviction/kube-scheduler/'),
  ],
  Unschedulable: [
    'No node fits the pod now.',
    docs('Scheduler', 'concepts/scheduling-eviction/kube-scheduler/'),
  ],
  SchedulingGated: [
    'The pod waits for its scheduling gates to be removed.',
    docs('Scheduling readiness', 'concepts/scheduling-eviction/pod-scheduling-readiness/'),
  ],
  Preempted: [
    'Preempted by a pod with a higher priority.',
    docs('Pod priority and preemption', 'concepts/scheduling-eviction/pod-priority-preemption/'),
  ],
  BackOff: ['The node waits before it starts the container again.', PAGES.podLifecycle],
  Pulled: ['The image is on the node.', docs('Images', 'concepts/containers/images/')],
  Created: ['The container was created.', PAGES.podLifecycle],
  Started: ['The container was started.', PAGES.podLifecycle],
  KubeletReady: ['The node reports that it is healthy.', PAGES.node],
  NodeStatusUnknown: ['The node has not been heard of for too long.', PAGES.node],
  NodeStatusNeverUpdated: ['The node has never been heard of.', PAGES.node],
  DeletionByTaintManager: [
    'The node got a taint that the pod does not tolerate.',
    docs('Taints and tolerations', 'concepts/scheduling-eviction/taint-and-toleration/'),
  ],
  EvictionByEvictionAPI: [
    'The pod was evicted through the API, for example by kubectl drain.',
    docs('API-initiated eviction', 'concepts/scheduling-eviction/api-eviction/'),
  ],
  PreemptionByScheduler: [
    'The scheduler preempts the pod for one with a higher priority.',
    docs('Pod priority and preemption', 'concepts/scheduling-eviction/pod-priority-preemption/'),
  ],
  InsufficientPods: [
    'The budget allows no disruption: at most the required number of pods is healthy.',
    budget,
  ],
})
