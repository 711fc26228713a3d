export interface SeenEvent {
  id: number
  at: number
  /** ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  type: string
  /** The object's name; an error's message. */
  name: string
  namespace: string
  resourceVersion: string
  object: unknown
  /** Length of its text. */
  size: number
  /** It had happened before the connection began: replayed, or the state at its start. */
  past: boolean
}
