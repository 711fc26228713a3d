/** Results of a rehearsal, without its code, so that views need not load the engines. */
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
  /** The server's message on rejection. */
  message?: string
  /** Of the Warning headers. */
  warnings: string[]
  /** Defaults that differ from the previous release. */
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
  /** For each release, including the first. */
  findings: Finding[]
  deprecation: Deprecation
  /** The manifest for the last release, and whether it is accepted. */
  rewritten?: Rewritten & { accepted: boolean; message?: string }
}

export interface Report {
  from: Release
  to: Release
  releases: Release[]
  manifests: CheckedManifest[]
  unreadable: Unreadable[]
}

/** Outcomes that prevent an apply. */
export const BROKEN: readonly Outcome[] = ['gone', 'absent', 'off', 'unknown', 'rejected']

/** The manifests that the last release does not take as they are. */
export function brokenAtEnd({ manifests }: Report): CheckedManifest[] {
  return manifests.filter(({ findings }) => BROKEN.includes((findings.at(-1) as Finding).outcome))
}

export function deprecatedAtEnd({ manifests }: Report): CheckedManifest[] {
  return manifests.filter(({ findings }) => findings.at(-1)?.outcome === 'deprecated')
}
