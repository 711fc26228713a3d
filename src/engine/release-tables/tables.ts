/**
 * The tables of a release: types, versions, feature gates, bootstrap objects, columns, Protobuf
 * numbers. The engine contains the tables of the base release. Each later release is a step: its
 * differences from the previous one, loaded before a server emulates it.
 */

import { type Json, setMember } from '../core/object'
import type { DiscoveryGroup } from '../generated/discovery'
import type { FeatureGate } from '../generated/feature-gates'
import type { Lifecycle } from '../generated/lifecycle'
import type { Operation } from '../generated/operations'
import { type ChangeName, changesOf } from './changes'
import { applied, type Difference } from './difference'
import { type GateState, gatesAt } from './gate-history'
import { BASE_RELEASE, minorOf } from './minor'

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

/** The differences of a release from the previous one. */
export type Step = { [Name in keyof Tables]?: Difference }

/** Releases with recorded tables, oldest first. Other releases use the nearest one below. */
export const STEPS: readonly string[] = ['1.33', '1.35', '1.37']

/** The tables of the base release, each created on first use. */
export type BaseTables = { readonly [Name in keyof Tables]: () => Tables[Name] } & {
  readonly bootstrapText: () => string
}

/** One object per release, never replaced, so that caches can be keyed by it. */
export class ReleaseTables {
  private readonly made: Partial<Tables> = {}
  private gateStates: Readonly<Record<string, GateState>> | undefined
  /** The names of the behavior changes that apply to the release. */
  readonly changes: ReadonlySet<ChangeName>

  constructor(
    readonly release: string,
    private readonly origin: BaseTables | { before: ReleaseTables; step: Step },
    /** The feature gates, if they are not those of the release. */
    gates?: Readonly<Record<string, GateState>>,
  ) {
    this.changes = changesOf(release)
    this.gateStates = gates
  }

  get isBase(): boolean {
    return !('step' in this.origin)
  }

  /** Whether its tables include a recorded step above the base release. */
  get isRecorded(): boolean {
    const { origin } = this
    return 'step' in origin && (origin.before.isRecorded || Object.keys(origin.step).length > 0)
  }

  /** Creates each table on first use. */
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

  /** The objects of a fresh server as text with placeholders (generated/bootstrap-objects.ts). */
  bootstrapText(): string {
    const { origin } = this
    return 'step' in origin
      ? JSON.stringify(this.table('bootstrapObjects'))
      : origin.bootstrapText()
  }

  /** The feature gates with their locks. Unlike tables, each release has its own. */
  gates(): Readonly<Record<string, GateState>> {
    this.gateStates ??= gatesAt(
      this.release,
      this.table('featureGates'),
      this.isBase || STEPS.includes(this.release),
    )
    return this.gateStates
  }

  /** Gates of earlier releases with their last default, including gates removed since. */
  earlierGates(): Record<string, boolean> {
    const { origin } = this
    if (!('step' in origin)) return {}
    const gates = origin.before.earlierGates()
    for (const [name, gate] of Object.entries(origin.before.gates()))
      setMember(gates, name, gate.default)
    return gates
  }
}

const loaded = new Map<string, ReleaseTables>()

/** Registers tables for `tablesOf`. Called by base-tables.ts and `provideStep`. */
export function provide(tables: ReleaseTables): void {
  loaded.set(tables.release, tables)
}

/** The recorded steps that a server of the release needs and that are not registered, oldest first. */
export function missingSteps(release: string): string[] {
  return STEPS.filter((name) => minorOf(name) <= minorOf(release) && tablesOf(name) === undefined)
}

/** Registers the tables of a recorded step, unless a parallel call did. */
export function provideStep(name: string, step: Step): void {
  const before = tablesOf(releaseBelow(name))
  if (before !== undefined && tablesOf(name) === undefined)
    provide(new ReleaseTables(name, { before, step }))
}

/** Releases up to the base release share its tables. @returns undefined if they are not loaded */
export function tablesOf(release: string): ReleaseTables | undefined {
  if (minorOf(release) <= minorOf(BASE_RELEASE)) return loaded.get(BASE_RELEASE)
  const found = loaded.get(release)
  if (found !== undefined) return found
  // Releases without a step have the tables of the release below.
  if (STEPS.includes(release)) return undefined
  const below = tablesOf(releaseBelow(release))
  if (below === undefined) return undefined
  const tables = new ReleaseTables(release, { before: below, step: {} })
  loaded.set(release, tables)
  return tables
}

/** `1.34`: `1.33`. */
const releaseBelow = (release: string): string => `1.${minorOf(release) - 1}`
