import type { Operation } from '../../generated/operations'

/** A route with its generated entry and its context. */

export interface Route {
  path: string
  /** `get`, `post` … */
  method: string
  facts: Operation
  origin: ResourceOrigin
  /** Kind of the resource above, for subresources. */
  parentKind?: string
  /** Names of the schemas of one object and of a list. */
  schema: string
  listSchema: string
  /** DELETE returns the deleted object. */
  returnsDeletedObject: boolean
  /** A deletion can ignore that the stored object is unreadable. */
  deletesUnsafely: boolean
}
export type ResourceOrigin = 'builtin' | 'custom'
