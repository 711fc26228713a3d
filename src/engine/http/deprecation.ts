/** What every answer about a kind on its way out says (document 1, "Deprecated endpoints"; recorded). */
import type { Engine } from '../engine'
import type { Resource } from '../registry/resource'
import { hasCome, type Lifecycle, lifecycleOf, type Release } from '../releases'

/** Servers tell of it since this release. */
const TOLD_SINCE = '1.19'

/** @returns undefined for a kind that is not deprecated in the release, and in releases that do not tell */
export function deprecationOf(
  { group, version, kind }: Resource,
  release: Release,
): Lifecycle | undefined {
  const lifecycle = lifecycleOf(group, version, kind)
  if (lifecycle?.deprecated === undefined || !hasCome(lifecycle.deprecated, release))
    return undefined
  return hasCome(TOLD_SINCE, release) ? lifecycle : undefined
}

/** Every request asks. */
const known = new WeakMap<Resource, string>()

/** @returns nothing for a kind that is not deprecated */
export function deprecationWarning({ release }: Engine, resource: Resource): string {
  if (resource.custom) return resource.deprecation ?? ''
  let text = known.get(resource)
  if (text === undefined)
    known.set(resource, (text = warningText(resource, deprecationOf(resource, release.name))))
  return text
}

function warningText({ apiVersion, kind }: Resource, lifecycle: Lifecycle | undefined): string {
  if (lifecycle === undefined) return ''
  const gone = lifecycle.removed === undefined ? '' : `, unavailable in v${lifecycle.removed}+`
  const instead = lifecycle.replacement === undefined ? '' : `; use ${lifecycle.replacement}`
  return `${apiVersion} ${kind} is deprecated in v${lifecycle.deprecated}+${gone}${instead}`
}
