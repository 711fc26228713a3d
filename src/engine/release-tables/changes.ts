/**
 * What a release does otherwise than the one before, where no table of facts and no feature gate tells it. A rule that depends on
 * the release asks for one of these by name. docs/releases.md lists them.
 */

export interface Change {
  /** The first release that does so: `1.33`. */
  since: string
  /** What is different, in one sentence. */
  does: string
  /** Where it is public: a pull request, an enhancement proposal or release notes. */
  source: string
}

const define = <Name extends string>(changes: Record<Name, Change>) => changes

export const CHANGES = define({
  NullCreationTimestampOmitted: {
    since: '1.35',
    does: 'Members of type Time that are unset are left out of objects where their Go tag says omitzero.',
    source: 'k8s.io/apimachinery, pkg/apis/meta/v1/types.go',
  },
})

export type ChangeName = keyof typeof CHANGES

/** The changes that hold for a release. */
export type Changes = ReadonlySet<ChangeName>

const minorOf = (release: string): number => Number(release.split('.')[1])

const known = new Map<string, Changes>()

/** The changes that hold for a release, those of earlier releases among them. */
export function changesOf(release: string): Changes {
  let changes = known.get(release)
  if (changes === undefined) {
    const names = Object.keys(CHANGES) as ChangeName[]
    changes = new Set(names.filter((name) => minorOf(CHANGES[name].since) <= minorOf(release)))
    known.set(release, changes)
  }
  return changes
}
