import { apiVersionOf } from '../../core/object'
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
