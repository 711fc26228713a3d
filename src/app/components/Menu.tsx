import type { KeyboardEvent, ReactNode } from 'react'
import { Icon, type IconName } from './Icon'
import { Popover } from './Popover'

export interface MenuItem {
  title: string
  hint?: string
  icon?: IconName
  danger?: boolean
  /** The selected one of several choices. */
  checked?: boolean
  run(): void
}

/** `line` is a separator. */
export type MenuEntry = MenuItem | 'line' | { heading: string }

interface MenuProps {
  label: string
  face: ReactNode
  items: MenuEntry[]
  className?: string
  side?: 'left' | 'right'
}

export function Menu({ items, ...rest }: MenuProps) {
  return (
    <Popover kind="menu" {...rest}>
      {(close) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are for the items inside
        <div className="menu" onKeyDown={step}>
          {items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is open
            <Entry key={index} item={item} close={close} />
          ))}
        </div>
      )}
    </Popover>
  )
}

function Entry({ item, close }: { item: MenuEntry; close: () => void }) {
  if (item === 'line') return <hr />
  if ('heading' in item) return <p className="menu-heading">{item.heading}</p>
  const { title, hint, icon, danger, checked, run } = item
  const choose = () => {
    close()
    run()
  }
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      {...(checked === undefined ? {} : { 'aria-checked': checked })}
      className={danger ? 'menu-item danger' : 'menu-item'}
      onClick={choose}
    >
      <span className="menu-sign">
        {checked ? <Icon name="check" /> : icon && <Icon name={icon} />}
      </span>
      <span>{title}</span>
      {hint && <span className="menu-hint">{hint}</span>}
    </button>
  )
}

function step(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  all[(to + all.length) % all.length]?.focus()
}
