/** Facts of each release, from `facts/` and the differences in `facts/releases/`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../src/engine/core/object'
import { applied, type Difference } from '../../src/engine/release-tables/difference'
import { compareReleases } from '../../src/engine/releases/release'

export const FACT_NAMES = [
  'types',
  'go-fields',
  'patch-strategies',
  'protobuf',
  'discovery',
  'discovery-runtime-config-all',
  'operations',
  'tables',
  'lifecycle',
  'feature-gates',
  'bootstrap-objects',
  'descriptions',
] as const

export type FactName = (typeof FACT_NAMES)[number]
export type Facts = Record<FactName, Json>

const folder = fileURLToPath(new URL('../../facts/', import.meta.url))

export const releaseFile = (release: string): string => `${folder}releases/${release}.json`

const read = (path: string): Json => JSON.parse(readFileSync(path, 'utf8')) as Json

/** Releases whose facts are stored as differences, oldest first. */
export function recordedReleases(): string[] {
  if (!existsSync(`${folder}releases`)) return []
  return readdirSync(`${folder}releases`)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort(compareReleases)
}

/** @param before returns those of the previous recorded release */
export function factsOf(release: string, before = false): Facts {
  const facts = Object.fromEntries(
    FACT_NAMES.map((name) => [name, read(`${folder}${name}.json`)]),
  ) as Facts
  for (const step of recordedReleases()) {
    const order = compareReleases(step, release)
    if (order > 0 || (before && order === 0)) break
    const differences = read(releaseFile(step)) as unknown as Partial<Record<FactName, Difference>>
    for (const name of FACT_NAMES) {
      const difference = differences[name]
      if (difference) facts[name] = applied(facts[name], difference)
    }
  }
  return facts
}
