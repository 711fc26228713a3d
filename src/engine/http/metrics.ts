/** `/metrics`: what the server has done and holds, for Prometheus. */
import type { Engine } from '../engine'
import { FEATURE_GATES } from '../facts/feature-gates'
import { LIFECYCLE } from '../facts/lifecycle'
import { RELEASE } from '../names'
import { apiVersionOf } from '../object'
import type { ServerMetrics } from '../observation/server-metrics'
import type { Asked } from '../observation/trace'
import type { Resource, ResourceTable } from '../registry/resource'

const BUILD = { major: RELEASE.major, minor: RELEASE.minor, git_version: RELEASE.git, platform: 'linux/amd64' }

/** Counts what is stored and writes everything down. */
export async function readMetrics(engine: Engine, metrics: ServerMetrics): Promise<string> {
  const objects = new Map<string, number>()
  for (const { group, resource, prefix, verbs } of engine.resources.all()) {
    // Questions (access reviews and the like) are answered, not kept.
    if (!verbs.includes('list')) continue
    const name = group === '' ? resource : `${resource}.${group}`
    if (!objects.has(name)) objects.set(name, await engine.storage.count(prefix))
  }
  const gates = Object.entries(FEATURE_GATES).map(([name, { stage }]) => ({
    name,
    stage: stage === 'GA' ? '' : stage,
    enabled: engine.featureGates[name] === true,
  }))
  const aggregated = new Map([...engine.remotes.all()].map(({ name, available }) => [name, available]))
  return metrics.text({ objects, gates, build: BUILD, aggregated })
}

/** @returns what is known of a requested resource; undefined where nothing is served */
export function describeResource(resources: ResourceTable): (asked: Asked) => { kind: string; removedRelease?: string } | undefined {
  const known = new WeakMap<Resource, { kind: string; removedRelease?: string }>()
  return ({ group, version, resource }) => {
    const found = resources.find(group, version, resource)
    if (found === undefined) return undefined
    let description = known.get(found)
    if (description === undefined) {
      const life = LIFECYCLE[apiVersionOf(group, version)]?.[found.kind]
      description = { kind: found.kind, ...(life?.deprecated === undefined ? {} : { removedRelease: life.removed ?? '' }) }
      known.set(found, description)
    }
    return description
  }
}
