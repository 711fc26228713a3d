import type { KubeObject } from '../core/object'

/** Changes `object` in place, because later steps hold a reference to it. */
export function replaceMembers(object: KubeObject, changed: KubeObject): void {
  for (const member of Object.keys(object)) if (!(member in changed)) delete object[member]
  Object.assign(object, changed)
}
