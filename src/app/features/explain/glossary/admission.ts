/** Admission plugins, in their order; each links to its entry in the public list. */
import { docs, type Entry, entriesOf, type Source } from '../entry'

const DESCRIBED: Record<string, readonly [text: string, ...more: Source[]]> = {
  AlwaysAdmit: ['Admits all requests. Deprecated: it has no effect.'],
  NamespaceAutoProvision: ['Creates a missing namespace when an object is created in it.'],
  NamespaceLifecycle: [
    'Nothing is created in a namespace that is missing or ending, and the three namespaces of the system cannot be deleted.',
  ],
  NamespaceExists: ['Rejects writes into a namespace that does not exist.'],
  LimitPodHardAntiAffinityTopology: [
    'Required pod anti-affinity can only use the topology key kubernetes.io/hostname.',
  ],
  LimitRanger: [
    'Applies the default requests and limits of a LimitRange, and rejects values outside its bounds.',
    docs('Limit ranges', 'concepts/policy/limit-range/'),
  ],
  ServiceAccount: [
    'Assigns a service account to each pod and mounts its token; rejects pods whose service account does not exist.',
    docs('Service accounts', 'concepts/security/service-accounts/'),
  ],
  NodeRestriction: ['Limits a kubelet to its own Node and the pods bound to it.'],
  TaintNodesByCondition: [
    'Taints a new node as NotReady, so that no pods are scheduled before it is ready.',
  ],
  AlwaysPullImages: [
    'Sets the image pull policy of all containers to Always, so that private images require credentials.',
  ],
  ImagePolicyWebhook: ['Lets a backend webhook decide on images. Not part of this simulator.'],
  PodSecurity: [
    'Holds pods to the level that their namespace’s labels name: privileged, baseline or restricted; enforces, warns or only notes it.',
    docs('Pod Security admission', 'concepts/security/pod-security-admission/'),
  ],
  PodSecurityPolicy: [
    'Predecessor of PodSecurity; removed in 1.25.',
    docs('Pod security policies', 'concepts/security/pod-security-policy/'),
  ],
  PodNodeSelector: ['Adds the node selector that an annotation of the namespace names.'],
  Priority: [
    'Resolves a pod’s priorityClassName to its integer priority.',
    docs('Pod priority and preemption', 'concepts/scheduling-eviction/pod-priority-preemption/'),
  ],
  DefaultTolerationSeconds: [
    'Adds default tolerations: pods stay five minutes on a NotReady or unreachable node.',
  ],
  PodTolerationRestriction: [
    'Holds the tolerations of pods to those that their namespace allows, and adds its defaults.',
  ],
  EventRateLimit: ['Limits how many events are written, so that a loop cannot fill the store.'],
  ExtendedResourceToleration: [
    'Pods that request extended resources tolerate the taint of their nodes.',
  ],
  DefaultStorageClass: [
    'A claim that names no storage class gets the default one.',
    docs('Storage classes', 'concepts/storage/storage-classes/'),
  ],
  StorageObjectInUseProtection: [
    'Puts a finalizer on volumes and claims, so that none vanishes while it is in use.',
  ],
  OwnerReferencesPermissionEnforcement: [
    'Changing owner references requires delete permission on the object, and update permission on the owner’s finalizers to block its deletion.',
  ],
  PersistentVolumeClaimResize: [
    'A PersistentVolumeClaim can grow only if its StorageClass allows volume expansion.',
  ],
  RuntimeClass: [
    'Adds the overhead, node selector and tolerations of a pod’s runtime class.',
    docs('Runtime class', 'concepts/containers/runtime-class/'),
  ],
  CertificateApproval: ['Approving a CSR requires approve permission on its signer.'],
  CertificateSigning: ['Signing a CSR requires sign permission on its signer.'],
  ClusterTrustBundleAttest: [
    'Writing a ClusterTrustBundle requires attest permission on its signer.',
  ],
  CertificateSubjectRestriction: [
    'Rejects certificate signing requests for the group system:masters.',
  ],
  DefaultIngressClass: ['An ingress that names no class gets the default one.'],
  DenyServiceExternalIPs: ['Rejects new external IPs of Services.'],
  MutatingAdmissionPolicy: [
    'Applies the mutations of all policies that match and are bound, from release 1.32 on.',
    docs('Mutating admission policy', 'reference/access-authn-authz/mutating-admission-policy/'),
  ],
  MutatingAdmissionWebhook: [
    'Calls matching mutating webhooks one after another; each can modify the object.',
    docs(
      'Dynamic admission control',
      'reference/access-authn-authz/extensible-admission-controllers/',
    ),
  ],
  ValidatingAdmissionPolicy: [
    'Evaluates the expressions of all policies that match and are bound.',
    docs(
      'Validating admission policy',
      'reference/access-authn-authz/validating-admission-policy/',
    ),
  ],
  ValidatingAdmissionWebhook: [
    'Calls matching validating webhooks in parallel; each can deny the request.',
    docs(
      'Dynamic admission control',
      'reference/access-authn-authz/extensible-admission-controllers/',
    ),
  ],
  ResourceQuota: [
    'Tracks usage per namespace, and rejects requests that exceed its quota. Runs last, so that only admitted requests count.',
    docs('Resource quotas', 'concepts/policy/resource-quotas/'),
  ],
  AlwaysDeny: ['Rejects all requests. Deprecated; for testing only.'],
}

const listed = (name: string): Source =>
  docs(
    `Admission controllers: ${name}`,
    `reference/access-authn-authz/admission-controllers/#${name.toLowerCase()}`,
  )

export const PLUGINS: Entry[] = entriesOf(
  'plugin',
  Object.fromEntries(
    Object.entries(DESCRIBED).map(([name, [text, ...more]]) => [
      name,
      [text, ...more, listed(name)] as const,
    ]),
  ),
)
