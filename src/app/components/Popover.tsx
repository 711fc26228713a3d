/** A button with something below it: Escape or a press elsewhere closes it, and the focus returns. */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'

interface PopoverProps {
  /** What the button is called. */
  label: string
  className?: string
  kind: 'menu' | 'dialog'
  /** What the button shows. */
  face: ReactNode
  /** Which edge of the button the box keeps to. */
  side?: 'left' | 'right'
  children: (close: () => void) => ReactNode
}

export function Popover({ label, className = 'button', kind, face, side = 'right', children }: PopoverProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!open) return
    root.current?.querySelector<HTMLElement>('.popover [data-autofocus], .popover button, .popover input')?.focus()
    const elsewhere = (event: PointerEvent) => root.current?.contains(event.target as Node) || setOpen(false)
    addEventListener('pointerdown', elsewhere)
    return () => removeEventListener('pointerdown', elsewhere)
  }, [open])
  const close = () => {
    setOpen(false)
    root.current?.querySelector<HTMLElement>(':scope > button')?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape and leaving by Tab are for whatever is inside
    <div
      className="popover-root"
      ref={root}
      onBlur={(event) => open && event.relatedTarget && !root.current?.contains(event.relatedTarget) && setOpen(false)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.stopPropagation()
        close()
      }}
    >
      <button
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup={kind}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {face}
      </button>
      {open && (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both kinds can be named
        <div className={`popover ${side}`} id={id} role={kind} aria-label={label}>
          {children(close)}
        </div>
      )}
    </div>
  )
}
