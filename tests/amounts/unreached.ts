/**
 * Fields that recorded objects cannot contain with a value of the table: related fields would have
 * to match, or they are dropped.
 */
export const UNREACHED: Readonly<Record<string, readonly string[]>> = {
  'v1 Pod': [
    'spec.volumes[].ephemeral.volumeClaimTemplate.spec.resources.limits{}',
    'spec.ephemeralContainers[].env[].valueFrom.resourceFieldRef.divisor',
    'spec.ephemeralContainers[].resources.limits{}',
    'spec.ephemeralContainers[].resources.requests{}',
    'spec.overhead{}',
  ],
  'v1 PersistentVolumeClaim': ['status.allocatedResources{}'],
  'apps/v1 Deployment': [
    'spec.template.spec.volumes[].ephemeral.volumeClaimTemplate.spec.resources.limits{}',
    'spec.template.spec.ephemeralContainers[].env[].valueFrom.resourceFieldRef.divisor',
    'spec.template.spec.ephemeralContainers[].resources.limits{}',
    'spec.template.spec.ephemeralContainers[].resources.requests{}',
  ],
  'apps/v1 ReplicaSet': [
    'spec.template.spec.volumes[].ephemeral.volumeClaimTemplate.spec.resources.limits{}',
    'spec.template.spec.ephemeralContainers[].env[].valueFrom.resourceFieldRef.divisor',
    'spec.template.spec.ephemeralContainers[].resources.limits{}',
    'spec.template.spec.ephemeralContainers[].resources.requests{}',
  ],
  'apps/v1 DaemonSet': [
    'spec.template.spec.volumes[].ephemeral.volumeClaimTemplate.spec.resources.limits{}',
    'spec.template.spec.ephemeralContainers[].env[].valueFrom.resourceFieldRef.divisor',
    'spec.template.spec.ephemeralContainers[].resources.limits{}',
    'spec.template.spec.ephemeralContainers[].resources.requests{}',
  ],
  'batch/v1 Job': [
    'spec.template.spec.volumes[].ephemeral.volumeClaimTemplate.spec.resources.limits{}',
    'spec.template.spec.ephemeralContainers[].env[].valueFrom.resourceFieldRef.divisor',
    'spec.template.spec.ephemeralContainers[].resources.limits{}',
    'spec.template.spec.ephemeralContainers[].resources.requests{}',
  ],
  'batch/v1 CronJob': [
    'spec.jobTemplate.spec.template.spec.volumes[].ephemeral.volumeClaimTemplate.spec.resources.limits{}',
    'spec.jobTemplate.spec.template.spec.ephemeralContainers[].env[].valueFrom.resourceFieldRef.divisor',
    'spec.jobTemplate.spec.template.spec.ephemeralContainers[].resources.limits{}',
    'spec.jobTemplate.spec.template.spec.ephemeralContainers[].resources.requests{}',
  ],
  'v1 ReplicationController': [
    'spec.template.spec.volumes[].ephemeral.volumeClaimTemplate.spec.resources.limits{}',
    'spec.template.spec.ephemeralContainers[].env[].valueFrom.resourceFieldRef.divisor',
    'spec.template.spec.ephemeralContainers[].resources.limits{}',
    'spec.template.spec.ephemeralContainers[].resources.requests{}',
  ],
  'v1 PodTemplate': [
    'template.spec.volumes[].ephemeral.volumeClaimTemplate.spec.resources.limits{}',
    'template.spec.ephemeralContainers[].env[].valueFrom.resourceFieldRef.divisor',
    'template.spec.ephemeralContainers[].resources.limits{}',
    'template.spec.ephemeralContainers[].resources.requests{}',
  ],
  'autoscaling/v2 HorizontalPodAutoscaler': [
    'spec.metrics[].pods.target.value',
    'spec.metrics[].containerResource.target.value',
    'spec.metrics[].containerResource.target.averageValue',
  ],
  'events.k8s.io/v1 Event': [
    'series.lastObservedTime',
    'deprecatedFirstTimestamp',
    'deprecatedLastTimestamp',
  ],
  'flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration': [
    'status.conditions[].lastTransitionTime',
  ],
  'flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration': [
    'status.conditions[].lastTransitionTime',
  ],
  'flowcontrol.apiserver.k8s.io/v1 FlowSchema': ['status.conditions[].lastTransitionTime'],
  'storage.k8s.io/v1 VolumeAttachment': ['spec.source.inlineVolumeSpec.capacity{}'],
  'internal.apiserver.k8s.io/v1alpha1 StorageVersion': ['status.conditions[].lastTransitionTime'],
  'storagemigration.k8s.io/v1alpha1 StorageVersionMigration': [
    'status.conditions[].lastUpdateTime',
  ],
}
