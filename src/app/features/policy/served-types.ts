import { useDiscovery } from '../../state/discovery'
import { typeOfKind } from '../objects/types'
import type { ServedTypes } from './policy-checks'

export const SERVED: ServedTypes = {
  kindOf: (group, version, resource) =>
    useDiscovery
      .getState()
      .resources.find(
        (one) => one.group === group && one.version === version && one.resource === resource,
      )?.kind,
  typeOf: typeOfKind,
}
