/**
 * Keeps an IPAddress for each address of a Service, and the default ServiceCIDR. Recorded from
 * kube-apiserver 1.31.
 */

import { timestamp } from '../core/environment'
import type { KubeObject } from '../core/object'
import type { Engine } from '../registry/engine'
import { applyStatus, createOwn, deleteOwn } from '../registry/server-writes'
import { RetryQueue } from '../time/retry-queue'
import { follow, type Loop } from './controller'

const SERVICES = '/registry/services/specs/'
const ADDRESSES = '/registry/ipaddresses/'
const RANGES = '/registry/servicecidrs/'
const VERSION = 'networking.k8s.io/v1beta1'
const DEFAULT_RANGE = 'kubernetes'
const RANGE_MANAGER = 'kubernetes-service-cidr-controller'

interface Service extends KubeObject {
  spec?: { clusterIPs?: string[] }
}

const addressesOf = (object: KubeObject | undefined): string[] =>
  ((object as Service | undefined)?.spec?.clusterIPs ?? []).filter(
    (address) => address !== '' && address !== 'None',
  )

export const serviceAddresses: Loop = (engine) => {
  const resource = engine.resources.find('networking.k8s.io', 'v1beta1', 'ipaddresses')
  if (!engine.featureGates.MultiCIDRServiceAllocator || resource === undefined) return () => {}
  const { storage } = engine
  const held = new Map<string, string[]>()
  const settling = new RetryQueue(engine, async (key) => {
    const service = (await storage.get(key))?.object
    const wanted = addressesOf(service)
    for (const address of (held.get(key) ?? []).filter((other) => !wanted.includes(other))) {
      const stored = await storage.get(ADDRESSES + address)
      if (stored !== undefined) await deleteOwn(engine, resource, stored.object)
    }
    if (service === undefined) held.delete(key)
    else held.set(key, wanted)
    for (const address of wanted)
      if ((await storage.get(ADDRESSES + address)) === undefined)
        await createOwn(engine, addressOf(address, service as KubeObject))
  })
  void ensureRange(engine).catch((error: unknown) =>
    engine.log.error('no range of service addresses', error),
  )
  const stopFollowing = follow(engine, SERVICES, ({ type, current: { key, object } }) => {
    // A deleted Service keeps addresses until their IPAddresses are deleted.
    if (type === 'DELETED')
      held.set(key, [...new Set([...(held.get(key) ?? []), ...addressesOf(object)])])
    settling.add(key)
  })
  return () => {
    stopFollowing()
    settling.stop()
  }
}

function addressOf(address: string, { metadata }: KubeObject): KubeObject {
  const labels = {
    'ipaddress.kubernetes.io/ip-family': address.includes(':') ? 'IPv6' : 'IPv4',
    'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
  }
  const parentRef = {
    resource: 'services',
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
  }
  return {
    kind: 'IPAddress',
    apiVersion: VERSION,
    metadata: { name: address, labels },
    spec: { parentRef },
  }
}

async function ensureRange(engine: Engine): Promise<void> {
  const key = RANGES + DEFAULT_RANGE
  if ((await engine.storage.get(key)) !== undefined) return
  const cidrs = engine.serviceRanges.map(({ text }) => text)
  await createOwn(engine, {
    kind: 'ServiceCIDR',
    apiVersion: VERSION,
    metadata: { name: DEFAULT_RANGE },
    spec: { cidrs },
  })
  const stored = await engine.storage.get(key)
  if (stored === undefined) return
  const lastTransitionTime = timestamp(engine.clock.now())
  const ready = {
    type: 'Ready',
    status: 'True',
    lastTransitionTime,
    message: 'Kubernetes default Service CIDR is ready',
  }
  const status = { conditions: [ready] }
  await applyStatus(engine, stored.object, status, RANGE_MANAGER)
}
