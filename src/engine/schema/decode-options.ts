import type { Json, KubeObject } from '../core/object'
import type { DocumentDetails } from './json-parser'

export interface DecodeOptions {
  /**
   * Duplicates found by the parser; listed before unknown fields unless `details` has their place.
   */
  duplicates?: string[]
  details?: DocumentDetails | undefined
  /**
   * A canonical value of the same type that the document was derived from. Parts that both share at
   * the same path are copied without checks. No shared part may be at a path of another type.
   */
  madeOf?: Json | undefined
  /**
   * A custom resource from storage, which may predate its schema: invalid parts of embedded objects
   * are omitted, not errors.
   */
  stored?: boolean
  /**
   * A custom resource that an apply produced: invalid parts of its metadata are omitted. Recorded
   * from kube-apiserver 1.31.
   */
  applied?: boolean
}
export interface Decoded {
  object: KubeObject
  /**
   * For strict decoding and warnings: `unknown field "spec.foo"`, `duplicate field
   * "spec.replicas"`. At most a hundred.
   */
  problems: string[]
}
