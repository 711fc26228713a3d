/**
 * From which nodes pods may be driven off (public documentation, "Nodes", "Rate limits on eviction"): from one of a zone in ten seconds;
 * from none where most of a small zone is not ready, or all nodes of all zones: then the fault is rather ours.
 */

import type { Node } from 'kubernetes-types/core/v1'
import { entryOf } from '../../object'
import type { Stored } from '../runtime/stored'

/** `held`: what is driven off already stays so, no other node follows. `revoked`: not even that. */
export type Evictions = 'granted' | 'held' | 'revoked'

const REGION = ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region']
const ZONE = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone']
/** The share of nodes that are not ready from which on a zone counts as disturbed, if more than so many are. */
const UNHEALTHY_SHARE = 0.55
const FEW_NODES = 2
/** Zones of more nodes go on more slowly rather than not at all. */
const LARGE_ZONE = 50
const INTERVAL = 10_000
const REDUCED_INTERVAL = 100_000

interface Zone {
  ready: number
  silent: number
}

/** The zones as they are at a moment. */
export interface Outlook {
  /** @param paced whether it must be the node's turn */
  of(node: Stored<Node>, paced: boolean): Evictions
  /** Pods are driven off this node: the next of its zone has to wait. */
  took(node: Stored<Node>): void
}

export class Zones {
  /** When a node of a zone may be the next. */
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

/** A zone of which nothing is ready is not: pods are driven off it as usual while others are well. */
const isDisturbed = (zone: Zone): boolean =>
  zone.ready > 0 && zone.silent > FEW_NODES && zone.silent / sizeOf(zone) >= UNHEALTHY_SHARE

function zoneOf({ metadata: { labels } }: Stored<Node>): string {
  const first = (keys: string[]) => keys.map((key) => entryOf(labels, key)).find(Boolean) ?? ''
  return `${first(REGION)}/${first(ZONE)}`
}
