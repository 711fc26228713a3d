import type { Json, KubeObject } from '../object'
import type { DocumentDetails } from './json-parser'

export interface DecodeOptions {
  /** From reading the text; listed before the unknown fields unless `details` tells their place. */
  duplicates?: string[]
  details?: DocumentDetails | undefined
  /**
   * What the document was made of, of the same type and canonical: what they share at the same place is copied without a look.
   * Nothing of it may stand at a place of another type.
   */
  madeOf?: Json | undefined
  /** A custom resource from the store, perhaps written under another schema: what cannot be read of embedded objects is left out, not refused. */
  stored?: boolean
  /** A custom resource that an apply made: what cannot be read of its metadata is left out (recorded). */
  applied?: boolean
}
export interface Decoded {
  object: KubeObject
  /** For strict decoding and warnings: `unknown field "spec.foo"`, `duplicate field "spec.replicas"`. At most a hundred. */
  problems: string[]
}
