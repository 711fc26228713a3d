/**
 * Kinds check an update in different orders, which determine order and number of errors. Recorded
 * from kube-apiserver 1.31; the rest is from k8s.io/kubernetes, pkg/registry.
 */

export type Check =
  /** As on create. */
  'metadata' | 'metadata change' | 'object' | 'change'

/** The default. */
export const CHANGE_FIRST: readonly Check[] = ['metadata change', 'change', 'metadata', 'object']
export const OBJECT_FIRST: readonly Check[] = ['metadata', 'object', 'metadata change', 'change']
export const OBJECT_AGAIN: readonly Check[] = [
  'metadata',
  'object',
  'metadata change',
  'object',
  'change',
]
export const AGAIN_WHOLE: readonly Check[] = ['metadata', 'object', 'metadata', 'object', 'change']
export const CHANGED_OBJECT: readonly Check[] = ['metadata change', 'metadata', 'object', 'change']
export const OBJECT_ONLY: readonly Check[] = ['metadata', 'object', 'change']
export const WITHOUT_METADATA: readonly Check[] = ['metadata change', 'object', 'change']
export const TWICE: readonly Check[] = [
  'metadata',
  'object',
  'metadata',
  'object',
  'metadata change',
  'change',
]

export const WHOLE_AROUND_CHANGE: readonly Check[] = [
  'metadata',
  'object',
  'metadata change',
  'metadata',
  'object',
  'change',
]

/** Of subresources and custom resources. */
export const CHANGE_ONLY: readonly Check[] = ['metadata change', 'change']
