/** A manager's sign: initials on its colour and pattern. */
import { initialsOf, lookOf } from '../ownership/looks'

interface OwnerSignProps {
  name: string
  /** Two letters, if others must not have the same. */
  initials?: string
  /** An updater's sign has a broken edge, an applier's a solid one. */
  operation?: 'Apply' | 'Update'
}

export function OwnerSign({ name, initials = initialsOf([name]).get(name) ?? '', operation = 'Apply' }: OwnerSignProps) {
  const { colour, pattern } = lookOf(name)
  return (
    <span
      className={`owner-sign pattern-${pattern} ${operation.toLowerCase()}`}
      style={{ '--owner': `var(${colour})` } as React.CSSProperties}
      aria-hidden="true"
    >
      {initials}
    </span>
  )
}
