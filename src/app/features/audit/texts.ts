export const AUDIT = {
  filter: 'Filter audit events',
  filterHint: 'Verb, user, path, code',
  which: 'Which events',
  userWrites: 'User writes',
  allWrites: 'All writes',
  everything: 'Everything',
  policy: 'Audit policy',
  events: 'Audit events',
  event: 'Audit event',
} as const

export const readFailed = (reason: string): string =>
  `Cannot read the audit events: ${reason}. Reload the page and try again.`

export const keptEvents = (count: number): string =>
  `The server keeps the newest ${count.toLocaleString('en')} audit events.`

export const NO_EVENTS = {
  offTitle: 'Auditing is off',
  off: 'The audit policy is empty. With a policy, the server records who sent each request, and its outcome.',
  noMatches: 'No matching events. “Everything” includes reads.',
  noneTitle: 'No audit events yet',
  none: 'For each request that matches the audit policy, the server records who sent it, and its outcome. Apply a manifest to see some events.',
} as const

export const EVENT = {
  copy: 'Copy',
  copied: 'The audit event',
  fields: 'Fields',
  raw: 'Raw',
} as const

export const POLICY = {
  label: 'Audit policy',
  set: 'Set the policy',
  isSet: 'The audit policy is set',
  back: 'Back',
  discard: 'Discard changes',
  about: 'The first matching rule applies. The policy lasts until the server restarts.',
} as const

export const policyRejected = (reason: string): string => `The policy was rejected: ${reason}`
