import { defineChanges } from './change'

export const CHANGES_IN_1_32 = defineChanges('1.32', {
  EmulatesPreviousRelease: {
    does: 'The flag --emulated-version takes the previous release.',
    source: 'KEP-4330',
  },
  TooLongNamesBytes: {
    does: 'Values that are too long "may not be more than N bytes".',
    source: 'k8s.io/apimachinery, pkg/util/validation/field/errors.go',
  },
  MountableSecretsDeprecated: {
    does: 'The annotation kubernetes.io/enforce-mountable-secrets gets a warning.',
    source: 'kubernetes/kubernetes, pkg/registry/core/serviceaccount/strategy.go',
  },
  PodQosClassKept: {
    does: 'The qosClass of a pod is immutable, and a status without one keeps it.',
    source: 'kubernetes/kubernetes#127744',
  },
  VolumeAttributesClassProtected: {
    does: 'VolumeAttributesClasses get the finalizer kubernetes.io/vac-protection.',
    source: 'KEP-3751',
  },
})
