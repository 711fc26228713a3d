/**
 * Limits how fast Nodes of a zone are tainted.
 * https://kubernetes.io/docs/concepts/architecture/nodes/#rate-limits-on-eviction
 */

import type { Node } from 'kubernetes-types/core/v1'
import { entryOf } from '../../core/object'
import type { Stored } from '../runtime/stored'

/** `held`: keeps taints, adds none; `revoked`: removes them. */
export type Evictions = 'granted' | 'held' | 'revoked'

const REGION = ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region']
const ZONE = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone']
/** A zone with this share of unready nodes is unhealthy, if they are more than FEW_NODES. */
const UNHEALTHY_SHARE = 0.55
const FEW_NODES = 2
/** large-cluster-size-threshold: larger unhealthy zones use the reduced rate, smaller ones stop. */
const LARGE_ZONE = 50
const INTERVAL = 10_000
const REDUCED_INTERVAL = 100_000

interface Zone {
  ready: number
  silent: number
}

export interface Outlook {
  /** @param paced whether the rate limit applies */
  of(node: Stored<Node>, paced: boolean): Evictions
  took(node: Stored<Node>): void
}

export class Zones {
  private readonly next = new Map<string, number>()

  look(now: number, nodes: Iterable<Stored<Node>>): Outlook {
    const zones = new Map<string, Zone>()
    for (const node of nodes) {
      const zone = zones.get(zoneOf(node)) ?? { ready: 0, silent: 0 }
      zones.set(zoneOf(node), zone)
      zone[isReady(node) ? 'ready' : 'silent']++
    }
    const noneIsReady = [...zones.values()].every(({ ready }) => ready === 0)
    const isDisturbedAt = (node: Stored<Node>) =>
      isDisturbed(zones.get(zoneOf(node)) ?? { ready: 0, silent: 0 })
    const isLarge = (node: Stored<Node>) =>
      sizeOf(zones.get(zoneOf(node)) ?? { ready: 0, silent: 0 }) > LARGE_ZONE
    return {
      of: (node, paced) => {
        if (noneIsReady) return 'revoked'
        if (isDisturbedAt(node) && !isLarge(node)) return 'held'
        return paced && now < (this.next.get(zoneOf(node)) ?? 0) ? 'held' : 'granted'
      },
      took: (node) =>
        void this.next.set(zoneOf(node), now + (isDisturbedAt(node) ? REDUCED_INTERVAL : INTERVAL)),
    }
  }
}

const isReady = ({ status }: Node): boolean =>
  status?.conditions?.some(({ type, status: state }) => type === 'Ready' && state === 'True') ??
  false
const sizeOf = ({ ready, silent }: Zone): number => ready + silent

/** Pods of a zone without ready nodes are evicted while other zones are healthy. */
const isDisturbed = (zone: Zone): boolean =>
  zone.ready > 0 && zone.silent > FEW_NODES && zone.silent / sizeOf(zone) >= UNHEALTHY_SHARE

function zoneOf({ metadata: { labels } }: Stored<Node>): string {
  const first = (keys: string[]) => keys.map((key) => entryOf(labels, key)).find(Boolean) ?? ''
  return `${first(REGION)}/${first(ZONE)}`
}
