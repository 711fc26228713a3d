/**
 * Kubelets renew every 10 s. Here reads and watches cause due renewals, so that unread leases cause
 * no writes. https://kubernetes.io/docs/concepts/architecture/leases/#node-heart-beats
 */

import type { Lease } from 'kubernetes-types/coordination/v1'
import type { Node } from 'kubernetes-types/core/v1'
import { smallest } from '../../core/lists'
import { SIMULATION } from '../../core/names'
import { draftOf } from '../../core/object'
import { ApiError } from '../../http/status'
import type { ReadAttributes } from '../../registry/engine'
import { storageKey } from '../../registry/resource'
import type { Client } from '../runtime/client'
import { Manager, type ManagerOptions } from '../runtime/manager'
import type { Stored } from '../runtime/stored'

export const LEASES = 'kube-node-lease'
const GROUP = 'coordination.k8s.io'
const RENEWAL_MILLISECONDS = 10_000
const LEASE_SECONDS = 40

export const kubeletGroups = ['system:nodes', 'system:authenticated']

/** @param time milliseconds */
export const leaseSpec = (holderIdentity: string, time: number) => ({
  holderIdentity,
  leaseDurationSeconds: LEASE_SECONDS,
  renewTime: `${new Date(time).toISOString().slice(0, -1)}000Z`,
})

/**
 * @returns the latest due renewal; undefined if the lease shows it; `now` if renewTime is invalid
 * or in the future
 */
export function lastRenewal({ spec }: Lease, now: number): number | undefined {
  const known = Date.parse(String(spec?.renewTime ?? ''))
  if (Number.isNaN(known) || known > now) return now
  const renewals = Math.floor((now - known) / RENEWAL_MILLISECONDS)
  return renewals === 0 ? undefined : known + renewals * RENEWAL_MILLISECONDS
}

/** Also renews leases of nodes in other engines. @returns stops renewals */
export function keepLeases(count: number, options: ManagerOptions): () => void {
  const leases = new NodeLeases(count, options)
  options.engine.beforeRead.set(`${GROUP}/leases`, (info) => leases.looked(info))
  return () => {
    options.engine.beforeRead.delete(`${GROUP}/leases`)
    leases.stop()
  }
}

class NodeLeases {
  private readonly clients: ReadonlyMap<string, Client>
  private readonly underWay = new Map<string, Promise<number>>()
  private stopTimer: (() => void) | undefined
  private stopped = false

  constructor(
    count: number,
    private readonly options: ManagerOptions,
  ) {
    const manager = new Manager(options)
    const names = Array.from({ length: count }, (_, index) => `node-${index + 1}`)
    const clientOf = (name: string) =>
      manager.clientOf({ name: `system:node:${name}`, groups: kubeletGroups }, 'kubelet')
    this.clients = new Map(names.map((name) => [name, clientOf(name)]))
  }

  stop(): void {
    this.stopped = true
    this.stopTimer?.()
    this.stopTimer = undefined
  }

  /** Runs before reads and watches. */
  looked({ verb, namespace, name }: ReadAttributes): Promise<void> | undefined {
    if (namespace !== '' && namespace !== LEASES) return undefined
    const names = name === '' ? [...this.clients.keys()] : this.clients.has(name) ? [name] : []
    if (names.length === 0) return undefined
    return this.renewAll(names).then((due) => {
      if (verb === 'watch') this.waitUntil(due)
    })
  }

  private async renewAll(names: readonly string[]): Promise<number> {
    return smallest(await Promise.all(names.map((name) => this.renew(name))))
  }

  private renew(name: string): Promise<number> {
    const known = this.underWay.get(name)
    if (known) return known
    const renewing = this.renewNow(name).finally(() => this.underWay.delete(name))
    this.underWay.set(name, renewing)
    return renewing
  }

  private async renewNow(name: string): Promise<number> {
    const now = this.options.engine.clock.now()
    const lease = await this.stored<Lease>(GROUP, 'leases', LEASES, name)
    if (lease === undefined) return now + RENEWAL_MILLISECONDS
    const time = lastRenewal(lease, now)
    if (time === undefined) return Date.parse(String(lease.spec?.renewTime)) + RENEWAL_MILLISECONDS
    const node = await this.stored<Node>('', 'nodes', '', name)
    if (node === undefined || node.metadata.annotations?.[SIMULATION.state] === 'failed')
      return now + RENEWAL_MILLISECONDS
    try {
      await this.clients
        .get(name)
        ?.update({ ...draftOf(lease), spec: { ...lease.spec, ...leaseSpec(name, time) } })
    } catch (error) {
      // After a conflict, the next renewal retries.
      if (!(error instanceof ApiError)) throw error
    }
    return time + RENEWAL_MILLISECONDS
  }

  private async stored<Kind>(
    group: string,
    plural: string,
    namespace: string,
    name: string,
  ): Promise<Stored<Kind> | undefined> {
    const { resources, storage } = this.options.engine
    const resource = resources.find(group, 'v1', plural)
    return (
      resource &&
      ((await storage.get(storageKey(resource, namespace, name)))?.object as
        | Stored<Kind>
        | undefined)
    )
  }

  private waitUntil(due: number): void {
    if (this.stopTimer || this.stopped) return
    const { clock, log } = this.options.engine
    this.stopTimer = clock.after(Math.max(1, due - clock.now()), () => {
      this.stopTimer = undefined
      if (!this.isWatched()) return
      this.renewAll([...this.clients.keys()])
        .then((next) => this.waitUntil(next))
        .catch((error: unknown) => log.error('leases of nodes could not be renewed', error))
    })
  }

  private isWatched(): boolean {
    return [...this.options.engine.watches.open.values()].some(
      ({ resource, namespace }) =>
        resource.group === GROUP &&
        resource.resource === 'leases' &&
        (namespace === '' || namespace === LEASES),
    )
  }
}
