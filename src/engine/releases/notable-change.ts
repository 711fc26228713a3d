import type { KubeObject } from '../core/object'

/** Between a removed version and its replacement. */

export interface NotableChange {
  /** Unique: `empty-selector`. */
  name: string
  /** A sentence. */
  text: string
  /** In either version, with nested members: `webhooks[].failurePolicy`. */
  members: readonly string[]
  /**
   * Checks a rewritten manifest.
   * @returns one sentence for each decision of the user about what the replacement rejects or loses
   */
  undecided?(object: KubeObject, before: KubeObject): string[]
}
