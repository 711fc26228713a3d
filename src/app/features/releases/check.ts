/**
 * Every release in between runs as an engine; removal tables and API lifecycles explain the
 * results.
 */
import { type KubeObject, parseApiVersion } from '../../../engine/core/object'
import { loadTables } from '../../../engine/release-tables/load-tables'
import { tablesOf } from '../../../engine/release-tables/tables'
import {
  ALL_RELEASES,
  compareReleases,
  hasCome,
  type Lifecycle,
  lifecycleOf,
  type Release,
  removalOf,
} from '../../../engine/releases'
import {
  type RehearsalServer,
  type ServerResponse,
  startRehearsal,
} from '../../../hosts/shared/rehearsal-server'
import { changesBetween } from '../objects/changes'
import type { CheckedManifest, Deprecation, Finding, Outcome, Report } from './findings'
import type { SourcedManifest, Unreadable } from './manifests'
import { rewrittenFor } from './rewrite'
import { CHECK_ERRORS } from './texts'

export interface UpgradeRequest {
  manifests: readonly SourcedManifest[]
  unreadable?: readonly Unreadable[]
  from: Release
  to: Release
  onRelease?(release: Release): void
}

/** @throws Error when `to` is older than `from` */
export async function checkUpgrade({
  manifests,
  unreadable = [],
  from,
  to,
  onRelease,
}: UpgradeRequest): Promise<Report> {
  if (compareReleases(from, to) > 0) throw new Error(CHECK_ERRORS.notNewer(from, to))
  const releases = ALL_RELEASES.filter(
    (release) => compareReleases(from, release) <= 0 && compareReleases(release, to) <= 0,
  )
  await loadTables(to)
  const lifecycles = (object: KubeObject) => lifecycleIn(object, to)
  const checked: CheckedManifest[] = manifests.map((manifest) => ({
    manifest,
    findings: [],
    deprecation: deprecationOf(manifest.object, lifecycles(manifest.object)),
  }))
  const former = new Map<CheckedManifest, KubeObject>()
  for (const release of releases) {
    onRelease?.(release)
    const server = await startRehearsal(
      release,
      manifests.map(({ object }) => object),
    )
    for (const one of checked)
      one.findings.push(
        await findingOf(server, release, one, former, lifecycles(one.manifest.object)),
      )
    if (release === to) await rewriteAll(server, checked, to)
    await server.close()
  }
  return { from, to, releases, manifests: checked, unreadable: [...unreadable] }
}

async function findingOf(
  server: RehearsalServer,
  release: Release,
  one: CheckedManifest,
  former: Map<CheckedManifest, KubeObject>,
  lifecycle: Lifecycle | undefined,
): Promise<Finding> {
  const { object } = one.manifest
  const result = await server.create(object)
  const before = former.get(one)
  if (result.object) former.set(one, result.object)
  return {
    release,
    outcome: outcomeOf(lifecycle, release, result),
    ...(result.message === undefined ? {} : { message: result.message }),
    warnings: result.warnings,
    defaults:
      result.object && before ? changesBetween(filledIn(before), filledIn(result.object)) : [],
  }
}

/** Drops metadata that differs for each creation. */
function filledIn({
  metadata: { uid, resourceVersion, creationTimestamp, managedFields, selfLink, name, ...metadata },
  ...rest
}: KubeObject) {
  return { ...rest, metadata } as unknown as Parameters<typeof changesBetween>[0]
}

function lifecycleIn({ apiVersion, kind }: KubeObject, release: Release): Lifecycle | undefined {
  const { group, version } = parseApiVersion(apiVersion)
  return lifecycleOf(group, version, kind, tablesOf(release))
}

function outcomeOf(
  lifecycle: Lifecycle | undefined,
  release: Release,
  { status, message }: ServerResponse,
): Outcome {
  if (status < 300)
    return lifecycle?.deprecated !== undefined && hasCome(lifecycle.deprecated, release)
      ? 'deprecated'
      : 'accepted'
  if (!message?.startsWith('no matches for kind')) return 'rejected'
  if (lifecycle === undefined) return 'unknown'
  if (!hasCome(lifecycle.introduced, release)) return 'absent'
  return lifecycle.removed !== undefined && hasCome(lifecycle.removed, release) ? 'gone' : 'off'
}

function deprecationOf(
  { apiVersion, kind }: KubeObject,
  { deprecated, removed }: Partial<Lifecycle> = {},
): Deprecation {
  const row = removalOf(apiVersion, kind)
  return {
    ...(deprecated === undefined ? {} : { since: deprecated }),
    ...(removed === undefined ? {} : { removed }),
    ...(row === undefined ? {} : { row }),
  }
}

async function rewriteAll(
  server: RehearsalServer,
  checked: readonly CheckedManifest[],
  release: Release,
): Promise<void> {
  for (const one of checked) {
    const rewritten = rewrittenFor(one.manifest, release)
    if (rewritten === undefined) continue
    const { status, message } = await server.create(rewritten.object)
    one.rewritten = {
      ...rewritten,
      accepted: status < 300,
      ...(message === undefined ? {} : { message }),
    }
  }
}
