import type { KubeObject } from '../object'

/** Something that differs between a removed version and its replacement. */

export interface NotableChange {
  /** Names it among the changes of all rows: `empty-selector`. */
  name: string
  /** A sentence. */
  text: string
  /** Members that it speaks of, in either version: `webhooks[].failurePolicy`; what lies below them belongs to them. */
  members: readonly string[]
  /**
   * Asked of a manifest that has been rewritten to the replacement. @returns what a person has to decide, since the replacement
   * refuses or loses it: one sentence each
   */
  undecided?(object: KubeObject, before: KubeObject): string[]
}
