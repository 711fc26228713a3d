/**
 * Warnings of deprecated versions and fields. See kubernetes.io, "Kubernetes Deprecation Policy",
 * and KEP-1693.
 */
import { memoizeByIdentity } from '../core/identity-memo'
import type { Engine } from '../registry/engine'
import type { Resource } from '../registry/resource'
import { hasCome, type Lifecycle, lifecycleOf, type Release } from '../releases'

const WARNS_SINCE = '1.19'

/** @returns undefined unless deprecated, and before warnings existed */
export function deprecationOf(
  { group, version, kind, tables }: Resource,
  release: Release,
): Lifecycle | undefined {
  const lifecycle = lifecycleOf(group, version, kind, tables)
  if (lifecycle?.deprecated === undefined || !hasCome(lifecycle.deprecated, release))
    return undefined
  return hasCome(WARNS_SINCE, release) ? lifecycle : undefined
}

/** Every request looks it up. */
const warningsOf = memoizeByIdentity(({ release }: Engine) =>
  memoizeByIdentity((resource: Resource) =>
    warningText(resource, deprecationOf(resource, release.name)),
  ),
)

export const deprecationWarning = (engine: Engine, resource: Resource): string =>
  resource.custom ? (resource.deprecation ?? '') : warningsOf(engine)(resource)

function warningText({ apiVersion, kind }: Resource, lifecycle: Lifecycle | undefined): string {
  if (lifecycle === undefined) return ''
  const gone = lifecycle.removed === undefined ? '' : `, unavailable in v${lifecycle.removed}+`
  const instead = lifecycle.replacement === undefined ? '' : `; use ${lifecycle.replacement}`
  return `${apiVersion} ${kind} is deprecated in v${lifecycle.deprecated}+${gone}${instead}`
}
