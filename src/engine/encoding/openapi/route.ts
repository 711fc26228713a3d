import type { Operation } from '../../generated/operations'

export interface Route {
  path: string
  method: string
  facts: Operation
  origin: ResourceOrigin
  parentKind?: string
  schema: string
  listSchema: string
  returnsDeletedObject: boolean
  /** Deletes even if the stored object cannot be decoded. */
  deletesUnsafely: boolean
  listsShards: boolean
}
export type ResourceOrigin = 'builtin' | 'custom'
