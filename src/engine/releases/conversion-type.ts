import type { KubeObject } from '../core/object'

/** Arguments are not changed; parts may be shared. */

export interface Conversion {
  hub: { group: string; version: string }
  toHub(object: KubeObject): KubeObject
  /** Members in any order. */
  fromHub(object: KubeObject): KubeObject
}
