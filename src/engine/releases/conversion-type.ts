import type { KubeObject } from '../core/object'

/**
 * Conversions between a version of a kind and the stored one. Neither function changes its
 * argument; unchanged parts may be shared.
 */

export interface Conversion {
  /** The stored version. */
  hub: { group: string; version: string }
  /** @param object decoded, in the served version, with its defaults */
  toHub(object: KubeObject): KubeObject
  /** @param object in the stored version. @returns members in any order */
  fromHub(object: KubeObject): KubeObject
}
