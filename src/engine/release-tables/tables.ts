/**
 * What a release has: its types, versions, gates, objects, columns and numbers. The oldest release with tables of its own stands
 * in the engine; each later one is what it has otherwise than the one before, loaded when a server is to answer as it.
 */
import type { DiscoveryGroup } from '../generated/discovery'
import type { FeatureGate } from '../generated/feature-gates'
import type { Lifecycle } from '../generated/lifecycle'
import type { Operation } from '../generated/operations'
import { type Json, setMember } from '../object'
import { type ChangeName, changesOf } from './changes'
import { applied, type Difference } from './difference'

export type Column = [
  name: string,
  type: string,
  format: string,
  description: string,
  priority: number,
]

/** The tables by name. */
export interface Tables {
  types: Record<string, string>
  commonVersions: Record<string, string>
  discovery: DiscoveryGroup[]
  discoveryAll: DiscoveryGroup[]
  lifecycle: Record<string, Record<string, Lifecycle>>
  featureGates: Record<string, FeatureGate>
  bootstrapObjects: { path: string; object: Json }[]
  operations: Record<string, Record<string, Operation>>
  protobuf: Record<string, Record<string, [number: number, type: string]>>
  tableColumns: Record<string, Column[]>
}

/** What a release has otherwise than the one before. */
export type Step = { [Name in keyof Tables]?: Difference }

/** The release whose tables stand in the engine; servers of earlier ones answer by them too. */
export const BASE_RELEASE = '1.31'

/** Releases with recorded tables of their own, oldest first. Those between answer by the nearest one below. */
export const STEPS: readonly string[] = ['1.33', '1.35', '1.37']

/** The tables that stand in the engine, each made when it is first asked for. */
export type BaseTables = { readonly [Name in keyof Tables]: () => Tables[Name] } & {
  readonly bootstrapText: () => string
}

/** One object for each release, for as long as the program runs: what is made of it can be remembered by it. */
export class ReleaseTables {
  private readonly made: Partial<Tables> = {}
  /** What the release does otherwise than those before, by name. */
  readonly changes: ReadonlySet<ChangeName>

  constructor(
    readonly release: string,
    private readonly origin: BaseTables | { before: ReleaseTables; step: Step },
  ) {
    this.changes = changesOf(release)
  }

  get isBase(): boolean {
    return !('step' in this.origin)
  }

  /** Whether its tables are recorded ones of a later release than the base, or at least made of such. */
  get isRecorded(): boolean {
    const { origin } = this
    return 'step' in origin && (origin.before.isRecorded || Object.keys(origin.step).length > 0)
  }

  /** Each table is put together when it is first asked for. */
  table<Name extends keyof Tables>(name: Name): Tables[Name] {
    const known: Tables[Name] | undefined = this.made[name]
    if (known !== undefined) return known
    const table = this.make(name)
    this.made[name] = table
    return table
  }

  private make<Name extends keyof Tables>(name: Name): Tables[Name] {
    const { origin } = this
    if (!('step' in origin)) return origin[name]() as Tables[Name]
    const earlier = origin.before.table(name)
    const difference = origin.step[name]
    if (difference === undefined) return earlier
    return applied(earlier as unknown as Json, difference) as unknown as Tables[Name]
  }

  /** The objects of a fresh server, as a text in which moments are to be put (generated/bootstrap-objects.ts). */
  bootstrapText(): string {
    const { origin } = this
    return 'step' in origin
      ? JSON.stringify(this.table('bootstrapObjects'))
      : origin.bootstrapText()
  }

  /** Gates that earlier releases had, at what they last were: the release itself may know them no more. */
  earlierGates(): Record<string, boolean> {
    const { origin } = this
    if (!('step' in origin)) return {}
    const gates = origin.before.earlierGates()
    for (const [name, gate] of Object.entries(origin.before.table('featureGates')))
      setMember(gates, name, gate.default)
    return gates
  }
}

const loaded = new Map<string, ReleaseTables>()

export const minorOf = (release: string): number => Number(release.split('.')[1])

/** Makes tables known to `tablesOf`: for base-tables.ts and load-tables.ts. */
export function provide(tables: ReleaseTables): void {
  loaded.set(tables.release, tables)
}

/** All releases up to the base one answer by its tables. @returns undefined where they have not been loaded */
export function tablesOf(release: string): ReleaseTables | undefined {
  if (minorOf(release) <= minorOf(BASE_RELEASE)) return loaded.get(BASE_RELEASE)
  const found = loaded.get(release)
  if (found !== undefined) return found
  // Releases without tables of their own need nothing but those below them.
  if (STEPS.includes(release)) return undefined
  const below = tablesOf(releaseBelow(release))
  if (below === undefined) return undefined
  const tables = new ReleaseTables(release, { before: below, step: {} })
  loaded.set(release, tables)
  return tables
}

/** `1.34`: `1.33`. */
export const releaseBelow = (release: string): string => `1.${minorOf(release) - 1}`
