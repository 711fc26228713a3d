/**
 * Follows k8s.io/kubernetes/pkg/controlplane (kubernetesservice, reconcilers). Reverts client
 * changes within an interval.
 */

import { entryOf, equalJson, type JsonObject, type KubeObject } from '../core/object'
import type { Engine } from '../registry/engine'
import { storageKey } from '../registry/resource'
import { changeOwn, createOwn, deleteOwn } from '../registry/server-writes'
import { RetryQueue } from '../time/retry-queue'
import { addressFamily, specialAddressProblems } from '../validation/addresses'
import { follow } from './controller'
import { liveAddresses, type ServerLease } from './server-leases'
import { SKIP_MIRROR } from './shared/services'

/** Milliseconds, as in kube-apiserver. */
const INTERVAL = 10_000
const NAMESPACE = 'default'
const NAME = 'kubernetes'
const PORT_NAME = 'https'

export interface Advertised {
  address: string
  port: number
}

type Subset = JsonObject & {
  addresses?: { ip: string }[]
  notReadyAddresses?: { ip: string }[]
  ports?: JsonObject[]
}
type Endpoints = KubeObject & { subsets?: Subset[] }

/**
 * Does nothing for an address that Endpoints reject, where kube-apiserver fails.
 * @param lease unset if no server shares the store
 * @returns starts the loop and returns how to stop it
 */
export const kubernetesEndpoints =
  (advertised: Advertised, lease?: ServerLease) =>
  (engine: Engine): (() => Promise<void> | undefined) => {
    const [problem] = specialAddressProblems(advertised.address)
    if (problem !== undefined) {
      engine.log.warn?.(
        `the service kubernetes has no endpoints: ${advertised.address}: ${problem}`,
      )
      return () => undefined
    }
    const keeper = new Keeper(engine, advertised, lease)
    keeper.begin()
    return () => keeper.stop()
  }

class Keeper {
  private readonly settling: RetryQueue
  private readonly keys: Record<'endpoints' | 'slices', string>
  private readonly stops: (() => void)[] = []
  private readonly started: number
  private callOff: (() => void) | undefined
  private callOffRenewal: (() => void) | undefined
  private stopped = false

  constructor(
    private readonly engine: Engine,
    private readonly advertised: Advertised,
    private readonly lease: ServerLease | undefined,
  ) {
    const keyOf = (group: string, version: string, plural: string) => {
      const resource = engine.resources.find(group, version, plural)
      return resource === undefined ? '' : storageKey(resource, NAMESPACE, NAME)
    }
    this.keys = {
      endpoints: keyOf('', 'v1', 'endpoints'),
      slices: keyOf('discovery.k8s.io', 'v1', 'endpointslices'),
    }
    this.started = engine.clock.now()
    this.settling = new RetryQueue(engine, () => this.settle())
  }

  begin(): void {
    const { endpoints, slices } = this.keys
    for (const key of [endpoints, slices].filter((one) => one !== ''))
      this.stops.push(
        follow(this.engine, key, ({ current }) => current.key === key && this.lookLater()),
      )
    this.settling.add(endpoints)
    if (this.lease) this.renewRegularly()
  }

  /** Removes the address if servers share the store. */
  stop(): Promise<void> | undefined {
    if (this.stopped) return undefined
    this.stopped = true
    this.callOff?.()
    this.callOffRenewal?.()
    for (const stop of this.stops) stop()
    this.settling.stop()
    if (this.lease === undefined) return undefined
    return this.leave(this.lease).catch((error: unknown) =>
      this.engine.log.error(
        'the address of this server stays in the endpoints of kubernetes',
        error,
      ),
    )
  }

  private async leave(lease: ServerLease): Promise<void> {
    await lease.end(this.engine, this.advertised.address)
    await this.settleEndpoints(await liveAddresses(this.engine))
  }

  private renewRegularly(): void {
    this.callOffRenewal = this.engine.wallClock.after(INTERVAL, () => {
      this.settling.add(this.keys.endpoints)
      this.renewRegularly()
    })
  }

  private lookLater(): void {
    if (this.callOff !== undefined || this.stopped) return
    const { clock } = this.engine
    const now = clock.now()
    this.callOff = clock.after(INTERVAL - ((now - this.started) % INTERVAL), () => {
      this.callOff = undefined
      this.settling.add(this.keys.endpoints)
    })
  }

  private async settle(): Promise<void> {
    const { address } = this.advertised
    if (this.lease === undefined) return this.settleEndpoints([address])
    await this.lease.renew(this.engine, address)
    const live = await liveAddresses(this.engine)
    if (live.length > 0) await this.settleEndpoints(live)
  }

  private async settleEndpoints(addresses: readonly string[]): Promise<void> {
    const stored = await this.stored(this.keys.endpoints)
    const port = { name: PORT_NAME, port: this.advertised.port, protocol: 'TCP' }
    const subsets = subsetsOf(stored, addresses, port)
    if (stored === undefined) {
      const metadata = { name: NAME, namespace: NAMESPACE, labels: { [SKIP_MIRROR]: 'true' } }
      await createOwn(this.engine, { kind: 'Endpoints', apiVersion: 'v1', metadata, subsets })
    } else if (
      !equalJson(stored.subsets, subsets) ||
      entryOf(stored.metadata.labels ?? {}, SKIP_MIRROR) !== 'true'
    ) {
      await changeOwn(this.engine, stored, (draft) => {
        draft.metadata.labels = { ...draft.metadata.labels, [SKIP_MIRROR]: 'true' }
        draft.subsets = subsets
      })
    }
    const endpoints = await this.stored(this.keys.endpoints)
    if (endpoints !== undefined) await this.settleSlice(sliceOf(endpoints))
  }

  private async settleSlice(wanted: KubeObject): Promise<void> {
    const resource = this.engine.resources.find('discovery.k8s.io', 'v1', 'endpointslices')
    if (resource === undefined) return
    const stored = await this.stored(this.keys.slices)
    if (stored !== undefined && stored.addressType === wanted.addressType) {
      const { endpoints, ports, metadata } = stored
      const current = [endpoints ?? [], ports ?? [], metadata.labels ?? {}]
      if (
        equalJson(current, [
          wanted.endpoints ?? [],
          wanted.ports ?? [],
          wanted.metadata.labels ?? {},
        ])
      )
        return
      await changeOwn(this.engine, stored, (draft) => {
        const { annotations: _, ...others } = draft.metadata
        draft.metadata = { ...others, labels: wanted.metadata.labels ?? {} }
        draft.endpoints = wanted.endpoints
        draft.ports = wanted.ports
      })
      return
    }
    if (stored !== undefined) await deleteOwn(this.engine, resource, stored)
    await createOwn(this.engine, wanted)
  }

  private async stored(key: string): Promise<Endpoints | undefined> {
    return (await this.engine.storage.get(key))?.object as Endpoints | undefined
  }
}

/** A single subset keeps its ports and notReadyAddresses (kube-apiserver 1.31). */
function subsetsOf(
  stored: Endpoints | undefined,
  addresses: readonly string[],
  port: JsonObject,
): Subset[] {
  const ready = addresses.map((ip) => ({ ip }))
  const [only, ...others] = stored?.subsets ?? []
  if (only === undefined || others.length > 0)
    return ready.length === 0 ? [] : [{ addresses: ready, ports: [port] }]
  const there = (only.addresses ?? []).map(({ ip }) => ip)
  const same =
    there.length === addresses.length && addresses.every((address) => there.includes(address))
  if (same) return [only]
  const { addresses: _, ...kept } = only
  return ready.length === 0 && only.notReadyAddresses === undefined
    ? []
    : [{ ...(ready.length === 0 ? {} : { addresses: ready }), ...kept }]
}

function sliceOf({ subsets = [] }: Endpoints): KubeObject {
  const [{ addresses = [], notReadyAddresses = [], ports = [] } = {} as Subset] = subsets
  const all = [
    ...addresses.map(({ ip }) => ({ ip, ready: true })),
    ...notReadyAddresses.map(({ ip }) => ({ ip, ready: false })),
  ]
  const isIPv6 = ({ ip }: { ip: string }) => addressFamily(ip) === 'IPv6'
  const addressType = all.length > 0 && all.every(isIPv6) ? 'IPv6' : 'IPv4'
  return {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    metadata: { name: NAME, namespace: NAMESPACE, labels: { 'kubernetes.io/service-name': NAME } },
    addressType,
    endpoints: all
      .filter((one) => isIPv6(one) === (addressType === 'IPv6'))
      .map(({ ip, ready }) => ({ addresses: [ip], conditions: { ready } })),
    ports: ports.map(({ name = '', protocol = 'TCP', port = 0 }) => ({ name, protocol, port })),
  }
}
