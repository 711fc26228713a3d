import type { Pod, Service, ServicePort } from 'kubernetes-types/core/v1'
import { entryOf } from '../../core/object'
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

/** Whether the pod has an address and has not finished. */
export function canServe(pod: Stored<Pod>, terminatingToo: boolean): boolean {
  const { podIP, podIPs } = pod.status ?? {}
  return (
    !hasEnded(pod) &&
    Boolean(podIP || podIPs?.length) &&
    (terminatingToo || !pod.metadata.deletionTimestamp)
  )
}

/** Omits named ports that the pod does not have. */
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

/** @returns undefined unless the Service is the pod's subdomain */
export function hostnameIn({ metadata }: Stored<Service>, pod: Stored<Pod>): string | undefined {
  const { hostname, subdomain } = pod.spec ?? {}
  return hostname && subdomain === metadata.name ? hostname : undefined
}

/** Computes `last-change-trigger-time` from the current and the previous sync. */
export class TriggerTimes {
  private readonly known = new Map<string, { service: string; pods: Map<string, string> }>()

  /** @returns the earliest new time (RFC 3339) */
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

  delete(key: string): void {
    this.known.delete(key)
  }
}

/** @param time undefined removes the annotation */
export function withTriggerTime(
  annotations: Record<string, string> | undefined,
  time: string | undefined,
): Record<string, string> | undefined {
  const { [TRIGGER_TIME]: _, ...others } = annotations ?? {}
  const all = time === undefined ? others : { ...others, [TRIGGER_TIME]: time }
  return Object.keys(all).length > 0 ? all : undefined
}

/** Also Services that selected the pod before. */
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
