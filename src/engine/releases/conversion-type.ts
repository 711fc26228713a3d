import type { KubeObject } from '../object'

/** How one version of a kind relates to the stored one. Neither function changes its argument; what is unchanged may be shared. */

export interface Conversion {
  /** The stored version. */
  hub: { group: string; version: string }
  /** @param object decoded, in the served version, with its defaults */
  toHub(object: KubeObject): KubeObject
  /** @param object in the stored version. @returns members in any order */
  fromHub(object: KubeObject): KubeObject
}
