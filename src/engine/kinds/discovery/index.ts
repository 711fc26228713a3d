import type { Kind } from '../../registry/kind'
import { OBJECT_ONLY } from '../../registry/update-order'
import { itemsAtMost, mustBeSet, mustNotChange, oneOf } from '../../validation/declared/rules'
import { endpointSliceStrategy } from './endpoint-slice'

export const discoveryKinds: readonly Kind[] = [
  {
    group: 'discovery.k8s.io',
    kind: 'EndpointSlice',
    strategy: endpointSliceStrategy,
    updateChecks: OBJECT_ONLY,
    declared: {
      members: {
        addressType: {
          first: [mustBeSet, mustNotChange],
          all: [oneOf('FQDN', 'IPv4', 'IPv6')],
          replaces: /^Unsupported value: ""/,
        },
        endpoints: { items: { members: { addresses: { first: [mustBeSet, itemsAtMost(100)] } } } },
      },
    },
  },
]
