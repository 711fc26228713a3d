/**
 * Behavior changes of releases that neither a generated table nor a feature gate contains. Rules
 * that depend on the release look a change up by name. docs/releases.md lists the changes.
 * `changes/` has one file per release.
 */
import { CHANGES_IN_1_32 } from './changes/1.32'
import { CHANGES_IN_1_33 } from './changes/1.33'
import { CHANGES_IN_1_34 } from './changes/1.34'
import { CHANGES_IN_1_35 } from './changes/1.35'
import { CHANGES_IN_1_36 } from './changes/1.36'
import { CHANGES_IN_1_37 } from './changes/1.37'
import type { Change } from './changes/change'
import { minorOf } from './minor'

export const CHANGES = {
  ...CHANGES_IN_1_32,
  ...CHANGES_IN_1_33,
  ...CHANGES_IN_1_34,
  ...CHANGES_IN_1_35,
  ...CHANGES_IN_1_36,
  ...CHANGES_IN_1_37,
} satisfies Record<string, Change>

export type ChangeName = keyof typeof CHANGES

/** The changes that apply to a release. */
export type Changes = ReadonlySet<ChangeName>

/** What texts about the types of a release depend on. `ReleaseTables` has it all. */
export interface ReleaseTypes {
  readonly changes: Changes
  /** Whether it is the base release. */
  readonly isBase: boolean
  table(name: 'types' | 'commonVersions'): Record<string, string>
}

const known = new Map<string, Changes>()

/** The changes that apply to a release, including those of earlier releases. */
export function changesOf(release: string): Changes {
  let changes = known.get(release)
  if (changes === undefined) {
    const names = Object.keys(CHANGES) as ChangeName[]
    changes = new Set(names.filter((name) => minorOf(CHANGES[name].since) <= minorOf(release)))
    known.set(release, changes)
  }
  return changes
}
