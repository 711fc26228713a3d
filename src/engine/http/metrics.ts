import { memoizeByIdentity } from '../core/identity-memo'
import { entryOf } from '../core/object'
import { handedOut, openRanges, takenByServices } from '../kinds/core/service-addresses'
import type { Engine } from '../registry/engine'
import type { Resource } from '../registry/resource'
import type { ResourceTable } from '../registry/resource-table'
import { PRE_ALPHA } from '../release-tables/gate-history'
import type { Release } from '../releases/release'
import { storedBytes } from '../storage/stored-size'
import type { Allocations } from '../telemetry/allocation-metrics'
import type { ServerMetrics } from '../telemetry/server-metrics'
import type { RequestAttributes } from '../telemetry/trace'
import { placeInRange } from '../validation/addresses'
import { BUILD } from './build'
import { deprecationOf } from './deprecation'

export async function readMetrics(engine: Engine, metrics: ServerMetrics): Promise<string> {
  const objects = new Map<string, number>()
  const prefixes = new Map<string, string>()
  for (const { group, resource, prefix, verbs } of engine.resources.all()) {
    // Access reviews and the like are not stored.
    if (!verbs.includes('list')) continue
    const name = group === '' ? resource : `${resource}.${group}`
    prefixes.set(name, prefix)
    if (!objects.has(name)) objects.set(name, await engine.storage.count(prefix))
  }
  const states = Object.entries(engine.tables.gates())
  const gates = states
    .filter(([, { stage }]) => stage !== PRE_ALPHA)
    .map(([name, { stage }]) => ({
      name,
      stage: stage === 'GA' ? '' : stage,
      enabled: entryOf(engine.featureGates, name) === true,
    }))
  const aggregated = new Map(
    [...engine.remotes.all()].map(({ name, available }) => [name, available]),
  )
  const { name: release, major, minor, git, showsHiddenMetrics: showsHidden } = engine.release
  const { gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } = BUILD
  const made = {
    git_commit: gitCommit,
    git_tree_state: gitTreeState,
    build_date: buildDate,
    go_version: goVersion,
  }
  const build = { major, minor, git_version: git, ...made, compiler, platform }
  metrics.events.read(prefixes)
  metrics.allocations.read(await allocationsOf(engine))
  metrics.readFlows(engine.flows, await engine.flows.storedLevels())
  const state = engine.storage.snapshot?.()
  const bytes = state && storedBytes(state)
  return metrics.text({ objects, bytes, gates, build, aggregated, release, showsHidden })
}

async function allocationsOf(engine: Engine): Promise<Allocations> {
  const { addresses, ports } = await takenByServices(engine)
  const ranges = await openRanges(engine)
  const { first, last } = engine.nodePorts
  return {
    ranges: ranges.map((range) => {
      const allocated = [...addresses].filter(
        (address) => placeInRange(address, range.text) !== undefined,
      ).length
      return { cidr: range.text, allocated, available: handedOut(range) - allocated }
    }),
    ports: { allocated: ports.size, available: last - first + 1 - ports.size },
  }
}

/** @returns describes the resource of a request, or of `served` */
export function describeResource(
  resources: ResourceTable,
  release: Release,
): (
  requested: RequestAttributes,
  served?: object,
) => { kind: string; removedRelease?: string } | undefined {
  const describe = memoizeByIdentity((found: Resource) => {
    const life = found.custom ? undefined : deprecationOf(found, release)
    return {
      kind: found.kind,
      ...(life === undefined ? {} : { removedRelease: life.removed ?? '' }),
    }
  })
  return ({ group, version, resource }, served) => {
    const found = (served as Resource | undefined) ?? resources.find(group, version, resource)
    return found && describe(found)
  }
}
