export interface SeenEvent {
  id: number
  at: number
  /** ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
  type: string
  /** The object's name, or an error's message. */
  name: string
  namespace: string
  resourceVersion: string
  object: unknown
  /** Length of its text. */
  size: number
  past: boolean
}
