import { defineChanges } from './change'

/** What release 1.36 changes. */
export const CHANGES_IN_1_36 = defineChanges('1.36', {
  AddressesStrict: {
    does: 'New addresses may have no leading zeros and may not be IPv4-mapped; CIDRs may have no bits beyond their prefix.',
    source: 'KEP-4858',
  },
  RestartRulesCounted: {
    does: 'The error about too many restart rules or exit codes counts them.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
  PodRestartPolicyNamed: {
    does: 'The error about the resize policy of a pod that never restarts names the restart policy of the pod.',
    source: 'kubernetes/kubernetes, pkg/apis/core/validation/validation.go',
  },
})
