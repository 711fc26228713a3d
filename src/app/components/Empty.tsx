import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon'

export function Empty({
  icon,
  title,
  children,
}: {
  icon?: IconName
  title?: string
  children?: ReactNode
}) {
  return (
    <div className="empty">
      {icon && <Icon name={icon} size={24} />}
      {title && <strong>{title}</strong>}
      {children && <div className="empty-words">{children}</div>}
    </div>
  )
}
