/** Versions whose objects differ from the stored ones in nothing but the version's name. */
import { apiVersionOf } from '../../object'
import type { Conversion } from '../conversion-type'

export function sameAs(
  group: string,
  hub: string,
  served: string,
  servedGroup = group,
): Conversion {
  return {
    hub: { group, version: hub },
    toHub: (object) => ({ ...object, apiVersion: apiVersionOf(group, hub) }),
    fromHub: (object) => ({ ...object, apiVersion: apiVersionOf(servedGroup, served) }),
  }
}
