/** The admission plugins of the release, in their order. Each is described in the public list of admission controllers, under its name. */
import { docs, type Entry, entriesOf, type Source, spec } from '../entry'

const DESCRIBED: Record<string, readonly [text: string, ...more: Source[]]> = {
  AlwaysAdmit: ['Lets everything pass. Deprecated: it does what no plugin at all does.'],
  NamespaceAutoProvision: ['Makes a namespace that is not there when something is to be created in it.'],
  NamespaceLifecycle: [
    'Nothing is created in a namespace that is missing or ending, and the three namespaces of the system cannot be deleted.',
    spec(1, 'Deletion lifecycle of an object'),
  ],
  NamespaceExists: ['Refuses writes into a namespace that is not there.'],
  LimitPodHardAntiAffinityTopology: ['Required anti-affinity of pods may only speak of single nodes.'],
  LimitRanger: [
    'Fills in the default requests and limits of a LimitRange, and refuses what is beyond its bounds.',
    docs('Limit ranges', 'concepts/policy/limit-range/'),
  ],
  ServiceAccount: [
    'Gives each pod a service account and mounts its token; refuses pods whose account is not there.',
    docs('Service accounts', 'concepts/security/service-accounts/'),
  ],
  NodeRestriction: ['A node may change only itself and the pods that run on it.'],
  TaintNodesByCondition: ['A new node begins with the taint not-ready, so that nothing is put on it too early.'],
  AlwaysPullImages: ['Sets the pull policy of all containers to Always: nobody uses a private image without the right to pull it.'],
  ImagePolicyWebhook: ['Asks a server elsewhere whether images may be used. This simulator does not have it.'],
  PodSecurity: [
    'Holds pods to the level that their namespace’s labels name: privileged, baseline or restricted; enforces, warns or only notes it.',
    docs('Pod Security admission', 'concepts/security/pod-security-admission/'),
  ],
  PodSecurityPolicy: [
    'What came before PodSecurity; gone with release 1.25.',
    docs('Pod security policies', 'concepts/security/pod-security-policy/'),
  ],
  PodNodeSelector: ['Adds the node selector that an annotation of the namespace names.'],
  Priority: [
    'Turns a pod’s priorityClassName into the number that the scheduler goes by.',
    docs('Pod priority and preemption', 'concepts/scheduling-eviction/pod-priority-preemption/'),
  ],
  DefaultTolerationSeconds: ['Lets pods stay five minutes on a node that fell silent, unless they say otherwise.'],
  PodTolerationRestriction: ['Holds the tolerations of pods to those that their namespace allows, and adds its defaults.'],
  EventRateLimit: ['Limits how many events are written, so that a loop cannot fill the store.'],
  ExtendedResourceToleration: ['Pods that ask for special hardware tolerate the taint of its nodes.'],
  DefaultStorageClass: [
    'A claim that names no storage class gets the default one.',
    docs('Storage classes', 'concepts/storage/storage-classes/'),
  ],
  StorageObjectInUseProtection: [
    'Puts a finalizer on volumes and claims, so that none vanishes while it is in use.',
    spec(1, 'Deletion lifecycle of an object'),
  ],
  OwnerReferencesPermissionEnforcement: [
    'Whoever changes owner references needs the right to delete the object, and to block the owner’s deletion.',
  ],
  PersistentVolumeClaimResize: ['A claim may only grow if its storage class allows it.'],
  RuntimeClass: [
    'Adds the overhead, node selector and tolerations of a pod’s runtime class.',
    docs('Runtime class', 'concepts/containers/runtime-class/'),
  ],
  CertificateApproval: ['Who approves a certificate request needs the right to approve for its signer.'],
  CertificateSigning: ['Who fills in a certificate needs the right to sign for its signer.'],
  ClusterTrustBundleAttest: ['Who writes a trust bundle of a signer needs the right to attest for it.'],
  CertificateSubjectRestriction: ['Refuses certificate requests for the group system:masters.'],
  DefaultIngressClass: ['An ingress that names no class gets the default one.'],
  DenyServiceExternalIPs: ['Refuses new external addresses of services.'],
  MutatingAdmissionWebhook: [
    'Calls the mutating webhooks that match, one after another; each may change the object.',
    docs('Dynamic admission control', 'reference/access-authn-authz/extensible-admission-controllers/'),
  ],
  ValidatingAdmissionPolicy: [
    'Evaluates the expressions of all policies that match and are bound.',
    spec(3, 'ValidatingAdmissionPolicy'),
    docs('Validating admission policy', 'reference/access-authn-authz/validating-admission-policy/'),
  ],
  ValidatingAdmissionWebhook: [
    'Calls the validating webhooks that match, at the same time; each may refuse.',
    docs('Dynamic admission control', 'reference/access-authn-authz/extensible-admission-controllers/'),
  ],
  ResourceQuota: [
    'Counts what the namespace uses, and refuses what goes beyond its quota. Comes last, so that nothing is counted that others refuse.',
    docs('Resource quotas', 'concepts/policy/resource-quotas/'),
  ],
  AlwaysDeny: ['Refuses everything. Deprecated; good for trying out.'],
}

const listed = (name: string): Source =>
  docs(`Admission controllers: ${name}`, `reference/access-authn-authz/admission-controllers/#${name.toLowerCase()}`)

export const PLUGINS: Entry[] = entriesOf(
  'plugin',
  Object.fromEntries(Object.entries(DESCRIBED).map(([name, [text, ...more]]) => [name, [text, ...more, listed(name)] as const])),
)
