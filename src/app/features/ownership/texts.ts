/** Ownership as text, for screen readers and explanations. */
import { ageText } from '../../components/age'
import { timeText } from '../../components/format'
import type { OwnedLine } from './lines'
import { isApplier, type Owner } from './owners'

/** `Apply · apps/v1 · through scale` */
export function actText({ operation, apiVersion, subresource }: Owner): string {
  return [operation, apiVersion, subresource && `through ${subresource}`]
    .filter(Boolean)
    .join(' · ')
}

/** `since 14:03:27, 5m ago` */
export function sinceText({ time, subresource }: Owner, now = Date.now()): string {
  const at = Date.parse(time)
  if (subresource === 'scale' && time === '') return 'scaling has no timestamp'
  return Number.isNaN(at)
    ? 'since when is not recorded'
    : `since ${timeText(at)}, ${ageText(now - at)} ago`
}

/** Further names are counted. */
const NAMED = 4

/** `alice, bob and carol`, each once; a fixed word if there is no owner */
export function namesOf(owners: readonly Owner[]): string {
  const names = [...new Set(owners.map(({ name }) => name))]
  if (names.length < 2) return names[0] ?? 'no manager'
  if (names.length > NAMED)
    return `${names.slice(0, NAMED - 1).join(', ')} and ${names.length - NAMED + 1} others`
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/**
 * The managers that conflict with an applier, by name. Its own entries of other operations conflict
 * too.
 */
export function othersThan(applier: string, owners: readonly Owner[]): Owner[] {
  return owners
    .filter((owner) => !isApplier(owner, applier))
    .map((owner) =>
      owner.name === applier
        ? { ...owner, name: `${applier} (${owner.subresource || owner.operation})` }
        : owner,
    )
}

export function ownerWords({ claims, state }: OwnedLine): string {
  if (state === 'unowned') return 'no manager'
  if (claims.length === 0) return ''
  return `owned by ${namesOf(claims.map(({ owner }) => owner))}`
}

/** Explains the ownership of a line. */
export function meaningOf({ claims, state, piece }: OwnedLine): string {
  const owners = new Set(claims.map(({ owner }) => owner.id))
  const whole =
    piece || claims.some(({ atomic }) => atomic) ? 'Atomic: owned and replaced as a whole. ' : ''
  if (state === 'unowned')
    return 'No manager owns it: a default, or computed by the server. The first manager that applies it owns it.'
  if (state === 'server')
    return "Managed by the server, or part of the object's identity: it cannot be owned."
  if (state === 'structure') return 'Owned in parts, further down.'
  if (owners.size > 1)
    return `${whole}Shared: applying another value is a conflict; omitting it relinquishes only that manager's share.`
  const [only] = claims
  return only?.owner.operation === 'Apply'
    ? `${whole}Applying another value is a conflict; applying the same value shares it. Its owner removes it by omitting it.`
    : `${whole}Applying another value is a conflict; applying the same value shares it. It was set by an update: omitting it removes nothing.`
}
