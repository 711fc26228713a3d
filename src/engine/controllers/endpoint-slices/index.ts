/** The EndpointSlice controller. Recorded from kube-controller-manager 1.31. */

import type { Node, Pod, Service } from 'kubernetes-types/core/v1'
import type { Endpoint, EndpointSlice } from 'kubernetes-types/discovery/v1'
import { entryOf } from '../../core/object'
import { inTerminatingNamespace } from '../runtime/client'
import type { Controller } from '../runtime/manager'
import type { Stored } from '../runtime/stored'
import { isReady } from '../shared/pods'
import {
  canServe,
  HEADLESS_LABEL,
  hostnameIn,
  isHeadless,
  onServicePods,
  podsBehind,
  portsOn,
  TriggerTimes,
  withTriggerTime,
} from '../shared/services'
import { type Group, portsKey, reconcileSlices } from './reconcile'

const NAME = 'endpointslice-controller'
export const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by'
export const SERVICE_NAME = 'kubernetes.io/service-name'
const MANAGER = 'endpointslice-controller.k8s.io'
const MAXIMUM = 100
const TOPOLOGY_MODES = [
  'service.kubernetes.io/topology-aware-hints',
  'service.kubernetes.io/topology-mode',
]

export const endpointSlices: Controller = {
  name: NAME,
  run(manager) {
    const services = manager.informer<Service>('', 'services')
    const pods = manager.informer<Pod>('', 'pods')
    const nodes = manager.informer<Node>('', 'nodes')
    const slices = manager.informer<EndpointSlice>('discovery.k8s.io', 'endpointslices')
    const ofService = slices.groupedBy(serviceKey)
    const podsOn = pods.groupedBy(({ spec }) => spec?.nodeName)
    const client = manager.client(NAME)
    const recorder = manager.recorder(client, 'endpoint-slice-controller')
    const times = new TriggerTimes()
    const queue = manager.queue(NAME, async (key) => {
      const service = services.get(key)
      if (service === undefined) {
        times.delete(key)
        return
      }
      if (service.spec?.type === 'ExternalName' || !service.spec?.selector) return
      const behind = podsBehind(pods, service)
      const time = times.next(key, service, behind)
      const present = ofService.of(key).filter(({ metadata }) => !metadata.deletionTimestamp)
      const families = service.spec.ipFamilies?.length ? service.spec.ipFamilies : ['IPv4']
      const problems: string[] = []
      try {
        for (const addressType of families) {
          const groups = grouped(service, behind, addressType, {
            nodes: (name) => nodes.get(name),
            problem: (text) => problems.push(text),
            staysClose:
              manager.engine.featureGates.ServiceTrafficDistribution === true &&
              prefersClose(service),
          })
          const annotationsOf = (annotations: Record<string, string> | undefined) =>
            withTriggerTime(annotations, time)
          const plan = {
            client,
            owner: service,
            labels: labelsOf(service),
            addressType,
            maximum: MAXIMUM,
            annotationsOf,
            placeholder: true,
          }
          await reconcileSlices(
            plan,
            groups,
            present.filter((slice) => slice.addressType === addressType),
          )
        }
        for (const slice of present)
          if (!families.includes(slice.addressType)) await client.delete(slice)
      } catch (error) {
        if (inTerminatingNamespace(error)) return
        throw error
      }
      const texts = [...new Set(problems)]
      if (texts.length === 0) return
      const why = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
      recorder.event(
        service,
        'Warning',
        'FailedToUpdateEndpointSlices',
        `Error updating Endpoint Slices for Service ${key}: ${why}`,
      )
    })
    services.onChange(({ key }) => queue.add(key))
    onServicePods(pods, services, (key) => queue.add(key))
    slices.onChange(({ type, object, previous }) => {
      const key = serviceKey(object) ?? (previous && serviceKey(previous))
      if (key !== undefined && (type === 'DELETED' || type === 'MODIFIED')) queue.add(key)
    })
    nodes.onChange(({ type, key, object, previous }) => {
      if (
        type === 'MODIFIED' &&
        previous?.metadata.labels?.[ZONE] === object.metadata.labels?.[ZONE]
      )
        return
      for (const pod of podsOn.of(key)) {
        for (const service of services.list(pod.metadata.namespace)) {
          if (podsBehind(pods, service).includes(pod))
            queue.add(`${service.metadata.namespace}/${service.metadata.name}`)
        }
      }
    })
  },
}

const ZONE = 'topology.kubernetes.io/zone'

function serviceKey({ metadata }: Stored<EndpointSlice>): string | undefined {
  const service = metadata.labels?.[SERVICE_NAME]
  return service !== undefined && metadata.labels?.[MANAGED_BY] === MANAGER
    ? `${metadata.namespace}/${service}`
    : undefined
}

function labelsOf(service: Stored<Service>): Record<string, string> {
  const {
    [HEADLESS_LABEL]: _,
    [SERVICE_NAME]: __,
    [MANAGED_BY]: ___,
    ...labels
  } = service.metadata.labels ?? {}
  return {
    ...labels,
    ...(isHeadless(service) && { [HEADLESS_LABEL]: '' }),
    [SERVICE_NAME]: service.metadata.name ?? '',
    [MANAGED_BY]: MANAGER,
  }
}

interface Surroundings {
  staysClose: boolean
  nodes(name: string): Stored<Node> | undefined
  problem(text: string): void
}

function grouped(
  service: Stored<Service>,
  pods: Stored<Pod>[],
  addressType: string,
  surroundings: Surroundings,
): Group[] {
  const groups = new Map<string, Group>()
  for (const pod of pods) {
    if (!canServe(pod, true)) continue
    const address = (pod.status?.podIPs ?? []).find(
      ({ ip }) => (ip?.includes(':') ? 'IPv6' : 'IPv4') === addressType,
    )?.ip
    if (!address) continue
    const node = surroundings.nodes(pod.spec?.nodeName ?? '')
    if (node === undefined && !service.spec?.publishNotReadyAddresses) {
      const { namespace, name } = service.metadata
      surroundings.problem(
        `skipping Pod ${pod.metadata.name} for Service ${namespace}/${name}: Node ${pod.spec?.nodeName ?? ''} Not Found`,
      )
      continue
    }
    const ports = portsOn(pod, service)
    const key = portsKey(ports)
    const group = groups.get(key) ?? { ports, endpoints: [] }
    group.endpoints.push(endpointOf(service, pod, address, node, surroundings.staysClose))
    groups.set(key, group)
  }
  return [...groups.values()]
}

function endpointOf(
  service: Stored<Service>,
  pod: Stored<Pod>,
  address: string,
  node: Stored<Node> | undefined,
  staysClose: boolean,
): Endpoint {
  const serving = isReady(pod)
  const terminating = Boolean(pod.metadata.deletionTimestamp)
  const hostname = hostnameIn(service, pod)
  const zone = node?.metadata.labels?.[ZONE]
  const { namespace = '', name = '', uid = '' } = pod.metadata
  const ready = Boolean(service.spec?.publishNotReadyAddresses) || (serving && !terminating)
  // Without a zone the hint has an empty name.
  const hints = ready && staysClose ? { forZones: [{ name: zone ?? '' }] } : undefined
  return {
    addresses: [address],
    conditions: { ready, serving, terminating },
    ...(hostname && { hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(pod.spec?.nodeName && { nodeName: pod.spec.nodeName }),
    ...(zone && { zone }),
    ...(hints && { hints }),
  }
}

/**
 * The older annotation takes precedence.
 * https://kubernetes.io/docs/concepts/services-networking/service/#traffic-distribution
 */
function prefersClose({ spec, metadata }: Stored<Service>): boolean {
  const mode = TOPOLOGY_MODES.map((name) => entryOf(metadata.annotations, name)).find(
    (value) => value !== undefined,
  )
  const { trafficDistribution } = (spec ?? {}) as { trafficDistribution?: string }
  return trafficDistribution === 'PreferClose' && mode?.toLowerCase() !== 'auto'
}
