/**
 * What a change of the release means, step by step: served versions, storage versions, feature
 * gates and behavior. Computed from the tables of the releases.
 */

import { entryOf, type KubeObject, parseApiVersion } from '../../../engine/core/object'
import type { FeatureGate } from '../../../engine/generated/feature-gates'
import { CHANGES } from '../../../engine/release-tables/changes'
import { type GateEffect, gateEffect } from '../../../engine/release-tables/gate-effects'
import { loadTables } from '../../../engine/release-tables/load-tables'
import { BASE_RELEASE } from '../../../engine/release-tables/minor'
import { STEPS, tablesOf } from '../../../engine/release-tables/tables'
import {
  ALL_RELEASES,
  compareReleases,
  type Release,
  servedVersions,
  storageVersionOf,
} from '../../../engine/releases'
import { endpointsOfMove, type Move } from './moves'

/** A gate with what it was before; absent before or after: the release does not have it. */
export interface GateChange {
  name: string
  before?: FeatureGate
  after?: FeatureGate
}

export interface StorageChange {
  group: string
  kind: string
  before: string
  after: string
  /** The number of stored objects of the kind. */
  objects: number
}

export interface BehaviorChange {
  name: string
  does: string
  source: string
}

export interface Step {
  from: Release
  to: Release
  endpoints: Move
  gates: GateChange[]
  storage: StorageChange[]
  /** Changes that come, or those that go with a step to an older release. */
  behavior: BehaviorChange[]
  /** The recorded release whose tables `to` uses, if it has none of its own. */
  tables?: string
}

/** @returns the releases from one to the other, both included, in the order of the steps */
export function releasesOnTheWay(from: Release, to: Release): Release[] {
  const [first, last] = compareReleases(from, to) <= 0 ? [from, to] : [to, from]
  const between = ALL_RELEASES.filter(
    (release) => compareReleases(first, release) <= 0 && compareReleases(release, last) <= 0,
  )
  return first === from ? between : between.reverse()
}

/** @param objects stored ones, which storage changes count */
export async function stepsOf(
  from: Release,
  to: Release,
  objects: readonly KubeObject[],
): Promise<Step[]> {
  const releases = releasesOnTheWay(from, to)
  for (const release of releases) await loadTables(release)
  return releases.slice(1).map((next, index) => stepOf(releases[index] as Release, next, objects))
}

function stepOf(from: Release, to: Release, objects: readonly KubeObject[]): Step {
  const [older, newer] = compareReleases(from, to) < 0 ? [from, to] : [to, from]
  const recorded = recordedFor(to)
  return {
    from,
    to,
    ...(recorded === to ? {} : { tables: recorded }),
    endpoints: endpointsOfMove(from, to),
    gates: gateChanges(from, to),
    storage: storageChanges(from, to, objects),
    behavior: Object.entries(CHANGES).flatMap(([name, { since, does, source }]) =>
      compareReleases(older, since) < 0 && compareReleases(since, newer) <= 0
        ? [{ name, does, source }]
        : [],
    ),
  }
}

/** The newest release with tables up to this one; releases up to the base one are derived from it. */
function recordedFor(release: Release): string {
  if (compareReleases(release, BASE_RELEASE) <= 0) return release
  return STEPS.findLast((step) => compareReleases(step, release) <= 0) ?? BASE_RELEASE
}

function gateChanges(from: Release, to: Release): GateChange[] {
  const [before, after] = [from, to].map((release) => tablesOf(release)?.gates() ?? {})
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names].sort().flatMap((name) => {
    const [then, now] = [entryOf(before ?? {}, name), entryOf(after ?? {}, name)]
    if (then?.stage === now?.stage && then?.default === now?.default) return []
    return [{ name, ...(then && { before: then }), ...(now && { after: now }) }]
  })
}

/** Kinds that both releases serve, with different storage versions. */
function storageChanges(
  from: Release,
  to: Release,
  objects: readonly KubeObject[],
): StorageChange[] {
  const counts = new Map<string, number>()
  for (const { apiVersion, kind } of objects) {
    const key = `${parseApiVersion(apiVersion).group} ${kind}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const kinds = new Map(
    servedVersions(from).map(({ group, kind }) => [`${group} ${kind}`, { group, kind }]),
  )
  return [...kinds].flatMap(([key, { group, kind }]) => {
    const [before, after] = [from, to].map((release) => storageVersionOf(group, kind, release))
    if (before === undefined || after === undefined || before === after) return []
    return [{ group, kind, before, after, objects: counts.get(key) ?? 0 }]
  })
}

/** Gates with the same effect here. */
export interface GatesOfEffect extends GateEffect {
  names: string[]
}

const EFFECTS: readonly GateEffect['kind'][] = ['obeyed', 'locked', 'withoutEffect', 'fixed']

/** The gates of the release after the step, by what setting them does here. */
export function gatesByEffect(gates: readonly GateChange[]): GatesOfEffect[] {
  const found = new Map<string, GatesOfEffect>()
  for (const { name, after } of gates) {
    if (after === undefined) continue
    const effect = gateEffect(name, after)
    const key = `${EFFECTS.indexOf(effect.kind)} ${effect.why ?? ''}`
    const same = found.get(key)
    if (same === undefined) found.set(key, { ...effect, names: [name] })
    else same.names.push(name)
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, same]) => same)
}

/**
 * Gates by what a change does to them, for a short list: what is on or off now comes first. A gate
 * that was removed at its last stage stays on, so that its return changes nothing.
 */
export function sortedGates(gates: readonly GateChange[]) {
  const wasOn = ({ before, after }: GateChange) =>
    before === undefined ? after?.stage === 'GA' && after.default : before.default
  const isOn = ({ after }: GateChange) => after?.default === true
  const present = gates.filter(({ after }) => after !== undefined)
  return {
    on: present.filter((gate) => isOn(gate) && !wasOn(gate)),
    off: present.filter((gate) => !isOn(gate) && wasOn(gate)),
    gone: gates.filter(({ after }) => after === undefined),
    others: present.filter((gate) => isOn(gate) === wasOn(gate)),
  }
}
