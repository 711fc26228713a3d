/** A dialog: the page behind waits, Escape closes, the keyboard stays inside. */
import { type ReactNode, useEffect, useRef } from 'react'

export function Dialog({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const first = box.current?.querySelector<HTMLElement>('[data-autofocus], input, select, textarea, button')
    first?.focus()
    return () => (before instanceof HTMLElement ? before.focus() : undefined)
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same from anywhere inside
    // biome-ignore lint/a11y/noStaticElementInteractions: clicking beside the dialog closes it
    <div className="dialog-back" onClick={(event) => event.target === event.currentTarget && onClose()}>
      <div
        ref={box}
        className="dialog"
        role="dialog"
        aria-modal="true"
        aria-label={label}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            onClose()
          }
          if (event.key === 'Tab') keepInside(event, box.current)
        }}
      >
        {children}
      </div>
    </div>
  )
}

function keepInside(event: React.KeyboardEvent, box: HTMLElement | null): void {
  const reachable = [...(box?.querySelectorAll<HTMLElement>('button, input, select, textarea, a[href]') ?? [])].filter(
    (element) => !element.hasAttribute('disabled'),
  )
  const first = reachable[0]
  const last = reachable[reachable.length - 1]
  if (event.shiftKey && document.activeElement === first) {
    event.preventDefault()
    last?.focus()
  } else if (!event.shiftKey && document.activeElement === last) {
    event.preventDefault()
    first?.focus()
  }
}
