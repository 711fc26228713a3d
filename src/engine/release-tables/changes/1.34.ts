import { defineChanges } from './change'

/** What release 1.34 changes. */
export const CHANGES_IN_1_34 = defineChanges('1.34', {
  UnderscorePatternPrinted: {
    does: 'The error about a DNS search path prints the pattern with underscores.',
    source: 'kubernetes/kubernetes#132034',
  },
  OverlappingPathsOncePerSource: {
    does: 'A projected source without a list of files has no warning about overlapping paths.',
    source: 'kubernetes/kubernetes, pkg/api/pod/warnings.go',
  },
  ValuesPrintedAsJson: {
    does: 'Field errors print structures, lists, maps, quantities and times as JSON, and nil as null.',
    source: 'kubernetes/kubernetes#132314',
  },
  RedundantDetailsOmitted: {
    does: 'Errors of required fields do not repeat that they are required.',
    source: 'kubernetes/kubernetes#132472',
  },
  FieldNamesOmitted: {
    does: 'Errors of invalid fields do not repeat the name of the field.',
    source: 'kubernetes/kubernetes#132513',
  },
  StatefulSetTemplatesChecked: {
    does: 'The pod template of a new StatefulSet is validated like those of other workloads.',
    source: 'kubernetes/kubernetes, pkg/apis/apps/validation/validation.go',
  },
  PodResourcesRejectedByOs: {
    does: 'Resources of a Windows pod as a whole are forbidden, and errors of such resources name spec.resources.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  DevicesRejectedWithoutHostUsers: {
    does: 'Containers of pods with hostUsers false may have no volumeDevices.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  EnvFilesNamed: {
    does: 'Errors of environment variables without a source name fileKeyRef.',
    source: 'KEP-3721',
  },
  TokenRequestsHaveUids: {
    does: 'Token requests contain the UID of the service account.',
    source: 'kubernetes/kubernetes, pkg/registry/core/serviceaccount/storage/token.go',
  },
  MemoryLimitsDecrease: {
    does: 'A resize may lower the memory limit of a container that it does not restart.',
    source: 'KEP-1287',
  },
  WorkloadUpdatesCheckedOnce: {
    does: 'Updates of ReplicaSets and DaemonSets are validated once, so their errors are listed once.',
    source: 'kubernetes/kubernetes#131873, kubernetes/kubernetes#132548',
  },
  KeysOfItemsOptional: {
    does: 'Items of associative lists may lack keys, if they have at least one of them.',
    source: 'sigs.k8s.io/structured-merge-diff, typed/helpers.go',
  },
  NameFormats: {
    does: 'Schemas of custom resources have the string formats k8s-short-name and k8s-long-name.',
    source: 'k8s.io/apiextensions-apiserver, pkg/apiserver/validation/formats.go',
  },
  DifferencesOfJson: {
    does: 'Errors of immutable structures print the difference of their JSON by line.',
    source: 'k8s.io/apimachinery, pkg/util/diff/diff.go',
  },
  ServiceCidrsBecomeDual: {
    does: 'A ServiceCIDR with one range may get one of the other IP family.',
    source: 'kubernetes/kubernetes#131261',
  },
})
