import type { KubeObject } from '../core/object'

/** Does not change arguments; may share unchanged parts. */

export interface Conversion {
  /** The stored version. */
  hub: { group: string; version: string }
  /** @param object decoded, with defaults */
  toHub(object: KubeObject): KubeObject
  /** @returns members in any order */
  fromHub(object: KubeObject): KubeObject
}
