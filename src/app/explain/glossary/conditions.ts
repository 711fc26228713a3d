/** Conditions in the status of objects, and the words that stand beside them: phases, states of containers, reasons of events. */
import { docs, entriesOf, PAGES, spec } from '../entry'

const budget = docs('Disruption budgets', 'tasks/run-application/configure-pdb/')
const autoscaler = docs('Horizontal pod autoscaling', 'tasks/run-application/horizontal-pod-autoscale/')
const signing = docs('Certificate signing requests', 'reference/access-authn-authz/certificate-signing-requests/')
const namespaces = docs('Namespaces', 'concepts/overview/working-with-objects/namespaces/')
const flow = docs('API priority and fairness', 'concepts/cluster-administration/flow-control/')
const aggregation = docs('Aggregation layer', 'concepts/extend-kubernetes/api-extension/apiserver-aggregation/')

export const CONDITIONS = entriesOf('condition', {
  Ready: [
    'It can do its work. A pod that is not ready gets no traffic from its services; a node that is not ready gets no pods.',
    PAGES.podLifecycle,
    PAGES.node,
  ],
  Initialized: ['All init containers of the pod have ended well.', PAGES.podLifecycle],
  ContainersReady: ['All containers of the pod are ready; gates of the pod’s own readiness may still be missing.', PAGES.podLifecycle],
  PodScheduled: [
    'The pod has a node. When False, the message tells why no node fits.',
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
  PIDPressure: ['The node is short of process numbers.', PAGES.node],
  NetworkUnavailable: ['The node’s network is not set up.', PAGES.node],
  Available: [
    'Enough pods have been ready long enough; of a group of the API: its server can be reached.',
    spec(3, 'Deployment'),
    PAGES.deployment,
    aggregation,
  ],
  Progressing: [
    'The roll-out goes on or is complete. False after the progress deadline: it is stuck, and is tried further.',
    spec(3, 'Deployment'),
    PAGES.deployment,
  ],
  ReplicaFailure: [
    'Pods could not be made or deleted: mostly a quota, a limit or a missing service account. The message has the server’s words.',
    spec(3, 'Deployment'),
    PAGES.deployment,
  ],
  Complete: ['The job is done: as many pods have succeeded as it wanted.', PAGES.job],
  Completed: ['The pod has ended; the reason tells whether well or badly.', PAGES.podLifecycle],
  Healthy: ['It is well, as far as the server can tell.', docs('Cluster components', 'concepts/overview/components/')],
  Failed: ['It has failed for good and is not tried again.', PAGES.job],
  FailureTarget: ['The job will fail; its pods are being ended first.', PAGES.job],
  SuccessCriteriaMet: ['Enough has succeeded for the job’s policy; the rest is being ended.', PAGES.job],
  Suspended: ['It stands still, because its spec says so.', PAGES.job],
  Established: ['The definition is in force: its objects are served.', PAGES.definitions],
  NamesAccepted: ['No other definition has the names that this one wants.', PAGES.definitions],
  NonStructuralSchema: ['The schema leaves types open, which rules out defaults and pruning.', PAGES.definitions],
  KubernetesAPIApprovalPolicyConformant: ['Whether a definition in a protected group has the approval that it needs.', PAGES.definitions],
  Terminating: ['It is being deleted and cleans up first.', spec(1, 'Deletion lifecycle of an object')],
  Approved: ['The request for a certificate was approved; a signer may issue it.', signing],
  Denied: ['The request for a certificate was turned down.', signing],
  ScalingActive: [
    'The autoscaler can work out how many replicas are wanted. False: it gets no figures, or the target has no replicas.',
    autoscaler,
  ],
  AbleToScale: ['The autoscaler can read and set the replicas of its target.', autoscaler],
  ScalingLimited: ['The wanted number is beyond what minReplicas and maxReplicas allow.', autoscaler],
  DisruptionAllowed: ['How many more pods the budget lets go: none when False.', budget],
  NamespaceContentRemaining: [
    'Objects are still in the namespace that is being deleted.',
    namespaces,
    spec(1, 'Deletion lifecycle of an object'),
  ],
  NamespaceFinalizersRemaining: ['Objects in the namespace wait for their finalizers.', namespaces, PAGES.finalizers],
  NamespaceDeletionDiscoveryFailure: [
    'What kinds there are could not be found out, so the namespace cannot be emptied: often a server of an API group that does not answer.',
    namespaces,
  ],
  NamespaceDeletionGroupVersionParsingFailure: ['A group or version of the API has a name that cannot be read.', namespaces],
  NamespaceDeletionContentFailure: ['Some objects of the namespace could not be deleted.', namespaces],
  Dangling: ['The flow schema names a priority level that is not there.', flow],
  Resizing: ['The volume is being made larger.', docs('Persistent volumes', 'concepts/storage/persistent-volumes/')],
  FileSystemResizePending: [
    'The volume is larger; the file system on it is not yet.',
    docs('Persistent volumes', 'concepts/storage/persistent-volumes/'),
  ],
})

const conditions = spec(3, 'Deployment')

export const STATES = entriesOf('state', {
  Pending: [
    'Of a pod: taken in, and not yet running: it waits for a node, an image or a volume. Of a claim: no volume yet.',
    PAGES.podLifecycle,
  ],
  Running: ['At least one container runs, starts or restarts.', PAGES.podLifecycle],
  Succeeded: ['All containers ended well and will not be restarted.', PAGES.podLifecycle],
  Failed: ['All containers ended, at least one of them badly.', PAGES.podLifecycle],
  Unknown: ['The node does not say how it is.', PAGES.podLifecycle],
  Active: ['The namespace is in use.', namespaces],
  Terminating: ['Being deleted; held by what is still in it, or by finalizers.', spec(1, 'Deletion lifecycle of an object')],
  Bound: ['Volume and claim belong to each other.', docs('Persistent volumes', 'concepts/storage/persistent-volumes/')],
  Released: ['The claim is gone; the volume still holds what it held.', docs('Persistent volumes', 'concepts/storage/persistent-volumes/')],
  CrashLoopBackOff: ['The container ends again and again; the node waits longer each time before it starts it anew.', PAGES.podLifecycle],
  ImagePullBackOff: ['The image cannot be had; the node waits before it tries again.', docs('Images', 'concepts/containers/images/')],
  ErrImagePull: ['The image could not be had.', docs('Images', 'concepts/containers/images/')],
  ContainerCreating: ['The node prepares the container: image, volumes, network.', PAGES.podLifecycle],
  OOMKilled: [
    'The container wanted more memory than its limit.',
    docs('Assign memory resources', 'tasks/configure-pod-container/assign-memory-resource/'),
  ],
  Completed: ['The container ended well.', PAGES.podLifecycle],
  Error: ['The container ended with another exit code than 0.', PAGES.podLifecycle],
  Evicted: ['The pod had to leave its node.', docs('Node-pressure eviction', 'concepts/scheduling-eviction/node-pressure-eviction/')],
  MinimumReplicasAvailable: ['As many pods are available as the strategy asks for at least.', conditions, PAGES.deployment],
  MinimumReplicasUnavailable: ['Fewer pods are available than the strategy asks for at least.', conditions, PAGES.deployment],
  NewReplicaSetAvailable: ['The roll-out is complete: the new replica set has all of its pods.', conditions, PAGES.deployment],
  ReplicaSetUpdated: ['The roll-out goes on.', conditions, PAGES.deployment],
  NewReplicaSetCreated: ['The template is new: a replica set was made for it.', conditions, PAGES.deployment],
  FoundNewReplicaSet: ['A replica set of this template was there already.', conditions, PAGES.deployment],
  ProgressDeadlineExceeded: ['No progress for progressDeadlineSeconds. The controller goes on trying.', conditions, PAGES.deployment],
  DeploymentPaused: ['Changes of the template wait until the deployment is resumed.', conditions, PAGES.deployment],
  FailedCreate: ['A controller could not make a pod; the message has the server’s refusal.', PAGES.deployment],
  FailedScheduling: [
    'No node fits. The message counts the nodes by what is in the way.',
    docs('Scheduler', 'concepts/scheduling-eviction/kube-scheduler/'),
  ],
  Scheduled: ['The scheduler gave the pod a node.', docs('Scheduler', 'concepts/scheduling-eviction/kube-scheduler/')],
  Unschedulable: ['No node fits the pod now.', docs('Scheduler', 'concepts/scheduling-eviction/kube-scheduler/')],
  SchedulingGated: [
    'The pod waits for its scheduling gates to be removed.',
    docs('Scheduling readiness', 'concepts/scheduling-eviction/pod-scheduling-readiness/'),
  ],
  Preempted: [
    'A pod of higher priority took its place.',
    docs('Pod priority and preemption', 'concepts/scheduling-eviction/pod-priority-preemption/'),
  ],
  BackOff: ['The node waits before it starts the container again.', PAGES.podLifecycle],
  Pulled: ['The image is on the node.', docs('Images', 'concepts/containers/images/')],
  Created: ['The container was made.', PAGES.podLifecycle],
  Started: ['The container was started.', PAGES.podLifecycle],
  KubeletReady: ['The node says that it is well.', PAGES.node],
  NodeStatusUnknown: ['The node has not been heard of for too long.', PAGES.node],
  NodeStatusNeverUpdated: ['The node has never been heard of.', PAGES.node],
  DeletionByTaintManager: [
    'The node got a taint that the pod does not tolerate.',
    docs('Taints and tolerations', 'concepts/scheduling-eviction/taint-and-toleration/'),
  ],
  EvictionByEvictionAPI: [
    'Somebody asked for the pod to leave: a drain, for instance.',
    docs('API-initiated eviction', 'concepts/scheduling-eviction/api-eviction/'),
  ],
  PreemptionByScheduler: [
    'The scheduler makes room for a pod of higher priority.',
    docs('Pod priority and preemption', 'concepts/scheduling-eviction/pod-priority-preemption/'),
  ],
  InsufficientPods: ['The budget lets no pod go: fewer are healthy than it asks for, or just as many.', budget],
})
