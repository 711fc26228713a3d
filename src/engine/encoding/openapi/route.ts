import type { Operation } from '../../generated/operations'

export interface Route {
  path: string
  /** `get`, `post` … */
  method: string
  facts: Operation
  origin: ResourceOrigin
  /** For subresources. */
  parentKind?: string
  schema: string
  listSchema: string
  returnsDeletedObject: boolean
  /** Can ignore that the stored object cannot be decoded. */
  deletesUnsafely: boolean
  /** Can be limited to a shard of the objects. */
  listsShards: boolean
}
export type ResourceOrigin = 'builtin' | 'custom'
