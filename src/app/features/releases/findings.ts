/** What a rehearsal finds, apart from what it takes to find it: who only shows it need not load the engines. */
import type { Release, Removal } from '../../../engine/releases'
import type { Change } from '../objects/changes'
import type { SourcedManifest, Unreadable } from './manifests'
import type { Rewritten } from './rewrite'

/**
 * `absent`: the release does not have the version yet. `gone`: removed. `off`: not served by
 * default. `unknown`: no release has such a kind, and no definition among the manifests declares
 * it. `rejected`: served, but the object is invalid.
 */
export type Outcome = 'accepted' | 'deprecated' | 'gone' | 'absent' | 'off' | 'unknown' | 'rejected'

export interface Finding {
  release: Release
  outcome: Outcome
  /** The server's words, for what it does not take. */
  message?: string
  /** Of the Warning headers. */
  warnings: string[]
  /** What this release fills in otherwise than the one before. */
  defaults: Change[]
}

export interface Deprecation {
  /** Absent: it is not. */
  since?: string
  /** The release without it; absent: none is known. */
  removed?: string
  /** The table's row. */
  row?: Removal
}

export interface CheckedManifest {
  manifest: SourcedManifest
  /** For each release on the way, the first included. */
  findings: Finding[]
  deprecation: Deprecation
  /** The manifest for the release that the way leads to, and whether that takes it. */
  rewritten?: Rewritten & { accepted: boolean; message?: string }
}

export interface Report {
  from: Release
  to: Release
  releases: Release[]
  manifests: CheckedManifest[]
  unreadable: Unreadable[]
}

/** Outcomes with which a manifest cannot be applied. */
export const BROKEN: readonly Outcome[] = ['gone', 'absent', 'off', 'unknown', 'rejected']

/** The manifests that the last release does not take as they are. */
export function brokenAtEnd({ manifests }: Report): CheckedManifest[] {
  return manifests.filter(({ findings }) => BROKEN.includes((findings.at(-1) as Finding).outcome))
}

/** The manifests that use something deprecated in the last release. */
export function deprecatedAtEnd({ manifests }: Report): CheckedManifest[] {
  return manifests.filter(({ findings }) => findings.at(-1)?.outcome === 'deprecated')
}
