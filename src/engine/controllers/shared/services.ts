/** What the two controllers of endpoints share: which pods are behind a service, on which ports, and since when. */

import type { Pod, Service, ServicePort } from 'kubernetes-types/core/v1'
import { entryOf } from '../../object'
import { matchesLabels } from '../../selectors/labels'
import type { Informer } from '../runtime/informer'
import type { Stored } from '../runtime/stored'
import { condition, hasEnded } from './pods'

export const HEADLESS_LABEL = 'service.kubernetes.io/headless'
export const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time'
export const SKIP_MIRROR = 'endpointslice.kubernetes.io/skip-mirror'

export interface Port {
  name: string
  port: number
  protocol: string
  appProtocol: string | undefined
}

export const isHeadless = ({ spec }: Service): boolean =>
  !spec?.clusterIP || spec.clusterIP === 'None'

/** The pods that a service selects. */
export function podsBehind(pods: Informer<Pod>, service: Stored<Service>): Stored<Pod>[] {
  const selector = Object.entries(service.spec?.selector ?? {}).map(([key, value]) => ({
    key,
    operator: '=' as const,
    values: [value],
  }))
  return [...pods.list(service.metadata.namespace)].filter((pod) =>
    matchesLabels(selector, pod.metadata.labels),
  )
}

/** A pod with an address, that has not ended, and that is not going away unless those count too. */
export function canServe(pod: Stored<Pod>, terminatingToo: boolean): boolean {
  const { podIP, podIPs } = pod.status ?? {}
  return (
    !hasEnded(pod) &&
    Boolean(podIP || podIPs?.length) &&
    (terminatingToo || !pod.metadata.deletionTimestamp)
  )
}

/** The service's ports as numbers on this pod; one that names a port that the pod lacks is left out. */
export function portsOn(pod: Pod, service: Service): Port[] {
  return (service.spec?.ports ?? []).flatMap((port) => {
    const number = targetOf(pod, port)
    return number === undefined
      ? []
      : [
          {
            name: port.name ?? '',
            port: number,
            protocol: port.protocol ?? 'TCP',
            appProtocol: port.appProtocol,
          },
        ]
  })
}

function targetOf(
  { spec }: Pod,
  { targetPort, port, protocol = 'TCP' }: ServicePort,
): number | undefined {
  if (targetPort === undefined) return port
  if (typeof targetPort === 'number') return targetPort === 0 ? port : targetPort
  const sidecars = (spec?.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  )
  for (const container of [...(spec?.containers ?? []), ...sidecars]) {
    const named = container.ports?.find(
      ({ name, protocol: own = 'TCP' }) => name === targetPort && own === protocol,
    )
    if (named) return named.containerPort
  }
  return undefined
}

/** The pod's own name within a headless service. */
export function hostnameIn({ metadata }: Stored<Service>, pod: Stored<Pod>): string | undefined {
  const { hostname, subdomain } = pod.spec ?? {}
  return hostname && subdomain === metadata.name ? hostname : undefined
}

/** What changed last: the time that a change of endpoints is measured from. Remembers what it was told of before. */
export class TriggerTimes {
  private readonly known = new Map<string, { service: string; pods: Map<string, string> }>()

  /** @returns the earliest of the times that are new (RFC 3339); undefined: none is */
  next(key: string, service: Stored<Service>, pods: Stored<Pod>[]): string | undefined {
    const before = this.known.get(key)
    const now = {
      service: service.metadata.creationTimestamp ?? '',
      pods: new Map<string, string>(),
    }
    const fresh: string[] = []
    for (const pod of pods) {
      const time = condition(pod, 'Ready')?.lastTransitionTime
      if (!time) continue
      const name = pod.metadata.name ?? ''
      now.pods.set(name, time)
      if (time > (before?.pods.get(name) ?? '')) fresh.push(time)
    }
    if (now.service > (before?.service ?? '')) fresh.push(now.service)
    this.known.set(key, now)
    return fresh.sort()[0]
  }

  forget(key: string): void {
    this.known.delete(key)
  }
}

/** Annotations with the time of the change that they tell of. */
export function withTriggerTime(
  annotations: Record<string, string> | undefined,
  time: string | undefined,
): Record<string, string> | undefined {
  const { [TRIGGER_TIME]: _, ...others } = annotations ?? {}
  const all = time === undefined ? others : { ...others, [TRIGGER_TIME]: time }
  return Object.keys(all).length > 0 ? all : undefined
}

/** Calls back with the keys of the services that a pod's change concerns: those that select it now or did before. */
export function onServicePods(
  pods: Informer<Pod>,
  services: Informer<Service>,
  changed: (service: string) => void,
): void {
  pods.onChange(({ object, previous }) => {
    for (const service of services.list(object.metadata.namespace)) {
      const { selector } = service.spec ?? {}
      if (!selector || Object.keys(selector).length === 0) continue
      const selects = ({ metadata }: Stored<Pod>) =>
        Object.entries(selector).every(([name, value]) => entryOf(metadata.labels, name) === value)
      if (selects(object) || (previous && selects(previous)))
        changed(`${service.metadata.namespace}/${service.metadata.name}`)
    }
  })
}
