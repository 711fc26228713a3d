/** A button with a list of actions below it. */
import { type ReactNode, useEffect, useRef, useState } from 'react'

export interface MenuItem {
  title: string
  hint?: string
  run(): void
}

export function Menu({
  label,
  children,
  items,
  className = 'button',
}: {
  label: string
  children: ReactNode
  items: (MenuItem | 'line')[]
  className?: string
}) {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!open) return
    box.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const close = (event: PointerEvent) => box.current?.contains(event.target as Node) || setOpen(false)
    addEventListener('pointerdown', close)
    return () => removeEventListener('pointerdown', close)
  }, [open])
  const step = (by: number) => {
    const all = [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    all[(at + by + all.length) % all.length]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys and Escape for the menu inside
    <div
      className="menu"
      ref={box}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && open) {
          event.stopPropagation()
          setOpen(false)
          box.current?.querySelector('button')?.focus()
        }
        if (event.key === 'ArrowDown') step(1)
        if (event.key === 'ArrowUp') step(-1)
      }}
    >
      <button
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        onClick={() => setOpen(!open)}
      >
        {children}
      </button>
      {open && (
        <div className="menu-list" role="menu" aria-label={label}>
          {items.map((item, index) =>
            item === 'line' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
              <hr key={`line-${index}`} />
            ) : (
              <button
                key={item.title}
                type="button"
                role="menuitem"
                onClick={() => {
                  setOpen(false)
                  item.run()
                }}
              >
                {item.title}
                {item.hint && <span className="faint">{item.hint}</span>}
              </button>
            ),
          )}
        </div>
      )}
    </div>
  )
}
