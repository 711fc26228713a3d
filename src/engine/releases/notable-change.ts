import type { KubeObject } from '../core/object'

/** A difference between a removed version and its replacement. */

export interface NotableChange {
  /** A unique name among the changes of all rows: `empty-selector`. */
  name: string
  /** A sentence. */
  text: string
  /**
   * Affected members in either version: `webhooks[].failurePolicy`; nested members belong to them.
   */
  members: readonly string[]
  /**
   * Checks a manifest that was rewritten to the replacement.
   * @returns decisions that the user must make, since the replacement rejects or loses something:
   *   one sentence each
   */
  undecided?(object: KubeObject, before: KubeObject): string[]
}
