import type { Operation } from '../../generated/operations'

/** A route with its generated entry and its context. */

export interface Route {
  path: string
  /** `get`, `post` … */
  method: string
  facts: Operation
  origin: ResourceOrigin
  /** For subresources. */
  parentKind?: string
  /** The schemas of one object and of a list. */
  schema: string
  listSchema: string
  returnsDeletedObject: boolean
  /** A deletion can ignore that the stored object cannot be decoded. */
  deletesUnsafely: boolean
  /** A list can be limited to a shard of its objects. */
  listsShards: boolean
}
export type ResourceOrigin = 'builtin' | 'custom'
