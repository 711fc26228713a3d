/** What every answer about a kind on its way out says (document 1, "Warnings"; recorded). */
import { LIFECYCLE, type Lifecycle } from '../facts/lifecycle'
import { RELEASE } from '../names'
import type { Resource } from '../registry/resource'

/** Known to be on its way out, though nobody says which release brought it. */
const OTHERS: Record<string, Pick<Lifecycle, 'deprecated'>> = { 'v1 ComponentStatus': { deprecated: '1.19' } }

/** @returns undefined for a kind that is not deprecated in this release */
export function deprecationWarning({ apiVersion, kind, custom, deprecation }: Resource): string | undefined {
  if (custom) return deprecation
  const name = `${apiVersion} ${kind}`
  const lifecycle: Partial<Lifecycle> | undefined = LIFECYCLE[apiVersion]?.[kind] ?? OTHERS[name]
  if (lifecycle?.deprecated === undefined || !hasCome(lifecycle.deprecated)) return undefined
  const gone = lifecycle.removed === undefined ? '' : `, unavailable in v${lifecycle.removed}+`
  const instead = lifecycle.replacement === undefined ? '' : `; use ${lifecycle.replacement}`
  return `${name} is deprecated in v${lifecycle.deprecated}+${gone}${instead}`
}

function hasCome(release: string): boolean {
  const [major, minor] = release.split('.').map(Number)
  return major === Number(RELEASE.major) && Number(minor) <= Number(RELEASE.minor)
}
