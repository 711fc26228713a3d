/** A small manifest of each kind of a removed version: what it was before its replacement came. */
import type { Json, JsonObject } from '../../src/engine/core/object'

const labels = { app: 'web' }
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'img:1' }] } }
const matching = { selector: { matchLabels: labels }, template }
/** A certificate request of an arbitrary user. */
export const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIYU1JR0JBZ0VBTUI4eERqQU1CZ05WQkFNTUJXRnNhV05sTVEwd0N3WURWUVFLREFSMFpXRnRNRmt3RXdZSApLb1pJemowQ0FRWUlLb1pJemowREFRY0RRZ0FFRXY2clVDOTNXV0RRNEdIQkNjQVJRdnM5YS82YzVINFJoUE9rCjVtNkJuMDR1Tjd1U2lkYjhleHpka3FrNWZIZXNIdGh3L3M5WDFScVJqN2xxSHRzcEhLQUFNQW9HQ0NxR1NNNDkKQkFNQ0EwZ0FNRVVDSVFEbjZTZzJuTSt5elJOZktEMjVKblNoY1RpNU5MRFNxK2YwWndxUVFNbjdSZ0lnTTh2YQo0eDQvSGZlL1dURWpEVXJzL3ErL0xiYzdYa1Z3TDdOb0hNaWJad1E9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo='

const webhook = {
  name: 'check.example.com',
  clientConfig: { url: 'https://hooks.example.com/check' },
}
const rolls = { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }
const binding = (kind: string) => ({
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: 'reader' },
  subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'team' }],
})
const shares = (member: string) => ({
  spec: { type: 'Limited', limited: { [member]: 7, limitResponse: { type: 'Reject' } } },
})
const flow = { spec: { priorityLevelConfiguration: { name: 'exempt' }, matchingPrecedence: 900 } }
const reviewSpec = {
  spec: { user: 'alice', resourceAttributes: { verb: 'get', resource: 'pods' } },
}
const scaled = {
  scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  maxReplicas: 4,
}
const policy = {
  spec: {
    seLinux: { rule: 'RunAsAny' },
    runAsUser: { rule: 'RunAsAny' },
    supplementalGroups: { rule: 'RunAsAny' },
    fsGroup: { rule: 'RunAsAny' },
  },
}
const ingress = { spec: { backend: { serviceName: 'home', servicePort: 80 } } }

/** Fields other than apiVersion, kind and metadata, by version and kind. */
export const SAMPLES: Record<string, JsonObject> = {
  'admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration': { webhooks: [webhook] },
  'admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration': { webhooks: [webhook] },
  'apiextensions.k8s.io/v1beta1 CustomResourceDefinition': {
    metadata: { name: 'crons.example.com' },
    spec: { group: 'example.com', version: 'v1', names: { plural: 'crons', kind: 'Cron' } },
  },
  'apiregistration.k8s.io/v1beta1 APIService': {
    metadata: { name: 'v1.other.example.com' },
    spec: {
      group: 'other.example.com',
      version: 'v1',
      service: { name: 'api', namespace: 'default' },
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      insecureSkipTLSVerify: true,
    },
  },
  'apps/v1beta1 Deployment': { spec: { template } },
  'apps/v1beta1 StatefulSet': { spec: { serviceName: 'web', template } },
  'apps/v1beta2 DaemonSet': { spec: matching },
  'apps/v1beta2 Deployment': { spec: matching },
  'apps/v1beta2 ReplicaSet': { spec: matching },
  'apps/v1beta2 StatefulSet': { spec: { serviceName: 'web', ...matching } },
  'authentication.k8s.io/v1beta1 TokenReview': { spec: { token: 'admin' } },
  'authorization.k8s.io/v1beta1 LocalSubjectAccessReview': {
    metadata: { namespace: 'default' },
    spec: {
      user: 'alice',
      resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' },
    },
  },
  'authorization.k8s.io/v1beta1 SelfSubjectAccessReview': {
    spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
  },
  'authorization.k8s.io/v1beta1 SelfSubjectRulesReview': { spec: { namespace: 'default' } },
  'authorization.k8s.io/v1beta1 SubjectAccessReview': reviewSpec,
  'autoscaling/v2beta1 HorizontalPodAutoscaler': {
    spec: {
      ...scaled,
      metrics: [{ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 60 } }],
    },
  },
  'autoscaling/v2beta2 HorizontalPodAutoscaler': {
    spec: {
      ...scaled,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
        },
      ],
    },
  },
  'batch/v1beta1 CronJob': {
    spec: {
      schedule: '* * * * *',
      jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
    },
  },
  'certificates.k8s.io/v1beta1 CertificateSigningRequest': { spec: { request: REQUEST } },
  'coordination.k8s.io/v1beta1 Lease': { spec: { holderIdentity: 'me' } },
  'discovery.k8s.io/v1beta1 EndpointSlice': {
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: ['10.1.2.3'],
        nodeName: 'node-1',
        topology: {
          'kubernetes.io/hostname': 'node-1',
          'topology.kubernetes.io/zone': 'a',
          rack: '7',
        },
      },
    ],
    ports: [{ port: 80 }],
  },
  'events.k8s.io/v1beta1 Event': {
    regarding: { kind: 'Pod', name: 'web', namespace: 'default' },
    note: 'it happened',
    reason: 'Happened',
    type: 'Normal',
    deprecatedCount: 3,
  },
  'extensions/v1beta1 DaemonSet': { spec: { template } },
  'extensions/v1beta1 Deployment': { spec: { template } },
  'extensions/v1beta1 Ingress': ingress,
  'extensions/v1beta1 NetworkPolicy': { spec: { podSelector: {} } },
  'extensions/v1beta1 PodSecurityPolicy': policy,
  'extensions/v1beta1 ReplicaSet': { spec: { template } },
  'flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema': flow,
  'flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration': shares(
    'assuredConcurrencyShares',
  ),
  'flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema': flow,
  'flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration': shares(
    'assuredConcurrencyShares',
  ),
  'flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema': flow,
  'flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration': shares(
    'nominalConcurrencyShares',
  ),
  'networking.k8s.io/v1beta1 Ingress': ingress,
  'networking.k8s.io/v1beta1 IngressClass': { spec: { controller: 'example.com/controller' } },
  'node.k8s.io/v1beta1 RuntimeClass': { handler: 'runc' },
  'policy/v1beta1 PodDisruptionBudget': { spec: { minAvailable: 1, selector: {} } },
  'policy/v1beta1 PodSecurityPolicy': policy,
  'rbac.authorization.k8s.io/v1beta1 ClusterRole': rolls,
  'rbac.authorization.k8s.io/v1beta1 ClusterRoleBinding': binding('ClusterRole'),
  'rbac.authorization.k8s.io/v1beta1 Role': rolls,
  'rbac.authorization.k8s.io/v1beta1 RoleBinding': binding('Role'),
  'scheduling.k8s.io/v1beta1 PriorityClass': { value: 10 },
  'storage.k8s.io/v1beta1 CSIDriver': { spec: { attachRequired: true } },
  'storage.k8s.io/v1beta1 CSINode': {
    spec: { drivers: [{ name: 'example.com', nodeID: 'node-1', topologyKeys: ['zone'] }] },
  },
  'storage.k8s.io/v1beta1 CSIStorageCapacity': { storageClassName: 'fast', capacity: '1Gi' },
  'storage.k8s.io/v1beta1 StorageClass': { provisioner: 'example.com/disk' },
  'storage.k8s.io/v1beta1 VolumeAttachment': {
    spec: { attacher: 'example.com', nodeName: 'node-1', source: { persistentVolumeName: 'disk' } },
  },
}

/** A manifest of that kind in that version. @throws Error where there is no sample */
export function sampleOf(apiVersion: string, kind: string): JsonObject & { metadata: JsonObject } {
  const members = SAMPLES[`${apiVersion} ${kind}`]
  if (members === undefined) throw new Error(`no sample of ${apiVersion} ${kind}`)
  const named: JsonObject = REVIEW_KINDS.includes(kind) ? {} : { name: 'it' }
  const metadata = { ...named, ...(members.metadata as Record<string, Json> | undefined) }
  return { apiVersion, kind, ...structuredClone(members), metadata }
}

/** Review kinds, which are not stored. */
export const REVIEW_KINDS = [
  'TokenReview',
  'LocalSubjectAccessReview',
  'SelfSubjectAccessReview',
  'SubjectAccessReview',
  'SelfSubjectRulesReview',
]
