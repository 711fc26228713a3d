import type { KubeObject } from '../core/object'

/** The request continues with the same draft. */
export function replaceMembers(object: KubeObject, changed: KubeObject): void {
  for (const member of Object.keys(object)) if (!(member in changed)) delete object[member]
  Object.assign(object, changed)
}
