/** The authorization modes AlwaysAllow and AlwaysDeny. Recorded from kube-apiserver 1.31. */
import type { Authorizer } from './authorizer'
import { ALL } from './rbac/rules'

export const alwaysAllow: Authorizer = {
  authorize: () => ({ decision: 'allow', reason: '' }),
  rules: async () => ({
    resourceRules: [{ verbs: [ALL], apiGroups: [ALL], resources: [ALL] }],
    nonResourceRules: [{ verbs: [ALL], nonResourceURLs: [ALL] }],
    incomplete: false,
  }),
  holders: () =>
    ['system:authenticated', 'system:unauthenticated'].map((name) => ({
      subject: { kind: 'Group', name },
    })),
}

/** A later mode may still allow the request. */
export const alwaysDeny: Authorizer = {
  authorize: () => ({ decision: 'noOpinion', reason: 'Everything is forbidden.' }),
  rules: async () => ({ resourceRules: [], nonResourceRules: [], incomplete: false }),
  holders: () => [],
}
