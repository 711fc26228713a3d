/** The Endpoints controller. Recorded from kube-controller-manager 1.31. */
import type { EndpointSubset, Endpoints, Pod, Service } from 'kubernetes-types/core/v1'
import { draftOf, equalJson } from '../../core/object'
import { ApiError } from '../../http/status'
import { inTerminatingNamespace } from '../runtime/client'
import type { Controller } from '../runtime/manager'
import { type Stored, splitKey } from '../runtime/stored'
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
import { type Part, subsetsOf } from './subsets'

const NAME = 'endpoints-controller'
const COMPONENT = 'endpoint-controller'
const CAPACITY = 'endpoints.kubernetes.io/over-capacity'
const MAX_ADDRESSES = 1000

export const endpoints: Controller = {
  name: NAME,
  run(manager) {
    const services = manager.informer<Service>('', 'services')
    const pods = manager.informer<Pod>('', 'pods')
    const informer = manager.informer<Endpoints>('', 'endpoints')
    const client = manager.client(COMPONENT)
    const recorder = manager.recorder(client, COMPONENT)
    const times = new TriggerTimes()
    const queue = manager.queue(NAME, async (key) => {
      const service = services.get(key)
      const present = informer.get(key)
      if (service === undefined) {
        times.delete(key)
        if (present) await client.delete(present)
        return
      }
      if (service.spec?.type === 'ExternalName' || !service.spec?.selector) return
      const behind = podsBehind(pods, service)
      const time = times.next(key, service, behind)
      const { subsets, truncated } = limited(
        subsetsOf(behind.flatMap((pod) => partOf(service, pod) ?? [])),
      )
      const wanted = labelsOf(service)
      const annotations =
        withTriggerTime(
          { ...present?.metadata.annotations, ...(truncated && { [CAPACITY]: 'truncated' }) },
          time,
        ) ?? {}
      if (!truncated) delete annotations[CAPACITY]
      const same =
        present &&
        equalJson(present.subsets ?? [], subsets) &&
        equalJson(present.metadata.labels ?? {}, wanted) &&
        (present.metadata.annotations?.[CAPACITY] !== undefined) === truncated
      if (same) return
      const { namespace, name } = splitKey(key)
      try {
        const members = { labels: wanted, annotations }
        if (present === undefined) {
          await client.create({
            apiVersion: 'v1',
            kind: 'Endpoints',
            metadata: { name, namespace, ...members },
            subsets,
          })
        } else {
          const draft = draftOf(present)
          await client.update({ ...draft, metadata: { ...draft.metadata, ...members }, subsets })
        }
      } catch (error) {
        if (inTerminatingNamespace(error) || !(error instanceof ApiError)) throw error
        // Without an object the event is in namespace default.
        const about = present ?? { kind: 'Endpoints', apiVersion: 'v1', name }
        if (present)
          recorder.event(
            about,
            'Warning',
            'FailedToUpdateEndpoint',
            `Failed to update endpoint ${key}: ${error.message}`,
          )
        else
          recorder.event(
            about,
            'Warning',
            'FailedToCreateEndpoint',
            `Failed to create endpoint for service ${key}: ${error.message}`,
          )
        throw error
      }
    })
    services.onChange(({ key }) => queue.add(key))
    onServicePods(pods, services, (key) => queue.add(key))
    informer.onChange(({ type, key }) => type === 'DELETED' && services.get(key) && queue.add(key))
  },
}

function partOf(service: Stored<Service>, pod: Stored<Pod>): Part | undefined {
  const { publishNotReadyAddresses = false } = service.spec ?? {}
  if (!canServe(pod, publishNotReadyAddresses)) return undefined
  const ip = addressFor(service, pod)
  if (ip === undefined) return undefined
  const { name = '', namespace = '', uid = '' } = pod.metadata
  const hostname = hostnameIn(service, pod)
  const ports = portsOn(pod, service)
  // Without any of the named ports it is not an endpoint.
  if (ports.length === 0 && (service.spec?.ports?.length || !isHeadless(service))) return undefined
  const address = {
    ip,
    ...(hostname && { hostname }),
    nodeName: pod.spec?.nodeName ?? '',
    targetRef: { kind: 'Pod', namespace, name, uid },
  }
  return { address, ports, ready: publishNotReadyAddresses || isReady(pod) }
}

function addressFor({ spec }: Stored<Service>, { status }: Stored<Pod>): string | undefined {
  const wantsV6 = spec?.ipFamilies?.[0] === 'IPv6'
  const own = status?.podIPs ?? [{ ip: status?.podIP }]
  return own.map(({ ip }) => ip).find((ip) => ip?.includes(':') === wantsV6)
}

function labelsOf(service: Stored<Service>): Record<string, string> {
  const { [HEADLESS_LABEL]: _, ...labels } = service.metadata.labels ?? {}
  return isHeadless(service) ? { ...labels, [HEADLESS_LABEL]: '' } : labels
}

/** Ready addresses take precedence. */
function limited(subsets: EndpointSubset[]): { subsets: EndpointSubset[]; truncated: boolean } {
  const count = (of: 'addresses' | 'notReadyAddresses') =>
    subsets.reduce((sum, subset) => sum + (subset[of]?.length ?? 0), 0)
  if (count('addresses') + count('notReadyAddresses') <= MAX_ADDRESSES)
    return { subsets, truncated: false }
  let room = MAX_ADDRESSES
  const cut: EndpointSubset[] = subsets.map(({ ports }) => ({ ...(ports && { ports }) }))
  for (const of of ['addresses', 'notReadyAddresses'] as const) {
    subsets.forEach((subset, i) => {
      const kept = (subset[of] ?? []).slice(0, room)
      room -= kept.length
      if (kept.length > 0) Object.assign(cut[i] ?? {}, { [of]: kept })
    })
  }
  return {
    subsets: cut.filter(({ addresses, notReadyAddresses }) => addresses || notReadyAddresses),
    truncated: true,
  }
}
