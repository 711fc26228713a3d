import { initialsOf, lookOf } from '../looks'
import type { Owner } from '../owners'

interface OwnerSignProps {
  name: string
  /** Two letters that no other manager has. */
  initials?: string
  /** An updater's badge has a broken edge, an applier's a solid one. */
  operation?: 'Apply' | 'Update'
}

export function OwnerBadge({
  name,
  initials = initialsOf([name]).get(name) ?? '',
  operation = 'Apply',
}: OwnerSignProps) {
  const { color, pattern } = lookOf(name)
  return (
    <span
      className={`owner-badge pattern-${pattern} ${operation.toLowerCase()}`}
      style={{ '--owner': `var(${color})` } as React.CSSProperties}
      aria-hidden="true"
    >
      {initials}
    </span>
  )
}

interface OwnerBadgesProps {
  owners: readonly Owner[]
  initials: Map<string, string>
  /** Further owners are only counted. */
  most: number
}

export function OwnerBadges({ owners, initials, most }: OwnerBadgesProps) {
  const shown = owners.length > most ? owners.slice(0, most - 1) : owners
  return (
    <>
      {shown.map(({ id, name, operation }) => (
        <OwnerBadge
          key={id}
          name={name}
          initials={initials.get(name) ?? ''}
          operation={operation}
        />
      ))}
      {owners.length > shown.length && (
        <span className="owner-badge more" aria-hidden="true">
          +{owners.length - shown.length}
        </span>
      )}
    </>
  )
}

export function UnownedBadge() {
  return (
    <span className="owner-badge unowned" aria-hidden="true">
      ··
    </span>
  )
}
