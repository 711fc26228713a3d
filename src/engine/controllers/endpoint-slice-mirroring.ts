/**
 * Recorded from kube-controller-manager 1.31.
 * https://kubernetes.io/docs/concepts/services-networking/endpoint-slices/#endpointslice-mirroring
 */
import type { EndpointAddress, EndpointSubset, Endpoints, Service } from 'kubernetes-types/core/v1'
import type { Endpoint, EndpointSlice } from 'kubernetes-types/discovery/v1'
import { ANNOTATION } from '../core/names'
import { MANAGED_BY, SERVICE_NAME } from './endpoint-slices'
import { type Group, portsKey, reconcileSlices } from './endpoint-slices/reconcile'
import { inTerminatingNamespace } from './runtime/client'
import type { Controller } from './runtime/manager'
import type { Stored } from './runtime/stored'
import { SKIP_MIRROR, TRIGGER_TIME } from './shared/services'

const NAME = 'endpointslice-mirroring-controller'
const MANAGER = 'endpointslicemirroring-controller.k8s.io'
const LEADER = 'control-plane.alpha.kubernetes.io/leader'
/** Per subset. */
const MAXIMUM = 1000

export const endpointSliceMirroring: Controller = {
  name: NAME,
  run(manager) {
    const services = manager.informer<Service>('', 'services')
    const endpoints = manager.informer<Endpoints>('', 'endpoints')
    const slices = manager.informer<EndpointSlice>('discovery.k8s.io', 'endpointslices')
    const ofService = slices.groupedBy(({ metadata }) =>
      metadata.labels?.[MANAGED_BY] === MANAGER
        ? `${metadata.namespace}/${metadata.labels?.[SERVICE_NAME] ?? ''}`
        : undefined,
    )
    const client = manager.client('endpointslicemirroring-controller')
    const recorder = manager.recorder(client, 'endpoint-slice-mirroring-controller')
    const queue = manager.queue(NAME, async (key) => {
      const source = endpoints.get(key)
      const service = services.get(key)
      const present = ofService.of(key)
      const mirrored = source && service && isMirrored(source) && !service.spec?.selector
      const { subsets, skipped } = limited((mirrored && source.subsets) || [])
      if (source && skipped > 0) {
        const message = `A max of ${MAXIMUM} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`
        recorder.event(source, 'Warning', 'TooManyAddressesToMirror', message)
      }
      try {
        for (const addressType of ['IPv4', 'IPv6']) {
          const mine = present.filter((slice) => slice.addressType === addressType)
          if (!mirrored) {
            for (const slice of mine) await client.delete(slice)
            continue
          }
          const annotationsOf = () => annotationsFor(source)
          const labels = labelsOf(source)
          const plan = {
            client,
            owner: source,
            labels,
            addressType,
            maximum: MAXIMUM,
            annotationsOf,
            annotated: true,
            placeholder: false,
          }
          await reconcileSlices(plan, groupsOf(subsets, addressType), mine)
        }
      } catch (error) {
        if (!inTerminatingNamespace(error)) throw error
      }
    })
    endpoints.onChange(
      ({ key, type, object }) => (type !== 'DELETED' || isMirrored(object)) && queue.add(key),
    )
    services.onChange(({ key }) => endpoints.get(key) && queue.add(key))
    slices.onChange(({ type, object: { metadata } }) => {
      if (type !== 'ADDED' && metadata.labels?.[MANAGED_BY] === MANAGER)
        queue.add(`${metadata.namespace}/${metadata.labels[SERVICE_NAME] ?? ''}`)
    })
  },
}

const isMirrored = ({ metadata }: Stored<Endpoints>): boolean =>
  metadata.labels?.[SKIP_MIRROR] !== 'true' && metadata.annotations?.[LEADER] === undefined

const labelsOf = ({ metadata }: Stored<Endpoints>): Record<string, string> => ({
  ...metadata.labels,
  [SERVICE_NAME]: metadata.name ?? '',
  [MANAGED_BY]: MANAGER,
})

function annotationsFor({ metadata }: Stored<Endpoints>): Record<string, string> | undefined {
  const {
    [TRIGGER_TIME]: _,
    [ANNOTATION.lastApplied]: __,
    ...annotations
  } = metadata.annotations ?? {}
  return Object.keys(annotations).length > 0 ? annotations : undefined
}

/** Ready addresses take precedence. */
function limited(given: EndpointSubset[]): { subsets: EndpointSubset[]; skipped: number } {
  let skipped = 0
  const subsets = given.map(({ addresses = [], notReadyAddresses = [], ...rest }) => {
    skipped += Math.max(0, addresses.length + notReadyAddresses.length - MAXIMUM)
    const room = Math.max(0, MAXIMUM - addresses.length)
    return {
      ...rest,
      addresses: addresses.slice(0, MAXIMUM),
      notReadyAddresses: notReadyAddresses.slice(0, room),
    }
  })
  return { subsets, skipped }
}

function groupsOf(subsets: EndpointSubset[], addressType: string): Group[] {
  const groups = new Map<string, Group>()
  for (const { ports = [], addresses = [], notReadyAddresses = [] } of subsets) {
    const named = ports.map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
      name,
      port,
      protocol,
      appProtocol,
    }))
    const group = groups.get(portsKey(named)) ?? { ports: named, endpoints: [] }
    for (const [list, ready] of [
      [addresses, true],
      [notReadyAddresses, false],
    ] as const) {
      for (const address of list)
        if ((address.ip.includes(':') ? 'IPv6' : 'IPv4') === addressType)
          group.endpoints.push(endpointOf(address, ready))
    }
    if (group.endpoints.length > 0) groups.set(portsKey(named), group)
  }
  return [...groups.values()]
}

const endpointOf = (
  { ip, hostname, nodeName, targetRef }: EndpointAddress,
  ready: boolean,
): Endpoint => ({
  addresses: [ip],
  conditions: { ready },
  ...(hostname && { hostname }),
  ...(targetRef && { targetRef }),
  ...(nodeName && { nodeName }),
})
