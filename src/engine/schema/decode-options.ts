import type { Json, KubeObject } from '../core/object'
import type { DocumentDetails } from './json-parser'

export interface DecodeOptions {
  /** Listed before unknown fields unless `details` has their place. */
  duplicates?: string[]
  details?: DocumentDetails | undefined
  /**
   * The canonical value of which the document is a changed copy. Shared parts at the same path are
   * copied without checks. No shared part may be at a path of another type.
   */
  madeOf?: Json | undefined
  /** From storage, so possibly older than its schema: omits invalid parts of embedded objects. */
  stored?: boolean
  /**
   * From an apply: omits invalid metadata of custom resources. Recorded from kube-apiserver 1.31.
   */
  applied?: boolean
}
export interface Decoded {
  object: KubeObject
  /** `unknown field "spec.foo"`, `duplicate field "spec.replicas"`; at most 100. */
  problems: string[]
}
