/** The findings of a check. They are apart from `check.ts`, so that a report loads no engines. */
import type { Release, Removal } from '../../../engine/releases'
import type { Change } from '../objects/changes'
import type { SourcedManifest, Unreadable } from './manifests'
import type { Rewritten } from './rewrite'

/**
 * `absent`: the release does not have the version yet. `gone`: removed. `off`: not served by
 * default. `unknown`: no release and no definition in the manifests has the kind. `rejected`:
 * served, but the object is invalid.
 */
export type Outcome = 'accepted' | 'deprecated' | 'gone' | 'absent' | 'off' | 'unknown' | 'rejected'

export interface Finding {
  release: Release
  outcome: Outcome
  message?: string
  /** From the Warning headers. */
  warnings: string[]
  /** Defaults that differ from the previous release. */
  defaults: Change[]
}

export interface Deprecation {
  /** Absent: not deprecated. */
  since?: string
  /** The first release without it; absent: unknown. */
  removed?: string
  row?: Removal
}

export interface CheckedManifest {
  manifest: SourcedManifest
  /** One per release, the first included. */
  findings: Finding[]
  deprecation: Deprecation
  /** For the target release, and whether that accepts it. */
  rewritten?: Rewritten & { accepted: boolean; message?: string }
}

export interface Report {
  from: Release
  to: Release
  releases: Release[]
  manifests: CheckedManifest[]
  unreadable: Unreadable[]
}

export const BROKEN: readonly Outcome[] = ['gone', 'absent', 'off', 'unknown', 'rejected']

export function brokenAtEnd({ manifests }: Report): CheckedManifest[] {
  return manifests.filter(({ findings }) => BROKEN.includes((findings.at(-1) as Finding).outcome))
}

export function deprecatedAtEnd({ manifests }: Report): CheckedManifest[] {
  return manifests.filter(({ findings }) => findings.at(-1)?.outcome === 'deprecated')
}
