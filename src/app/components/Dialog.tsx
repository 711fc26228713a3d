import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from './Icon'
import * as texts from './texts'

interface DialogProps {
  label: string
  onClose: () => void
  /** The palette has no heading and close button. */
  plain?: boolean
  children: ReactNode
}

export function Dialog({ label, onClose, plain = false, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = box.current
    const before = document.activeElement
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same from anywhere inside
    <dialog
      ref={box}
      className="dialog"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      {plain ? (
        children
      ) : (
        <div className="dialog-frame">
          <header className="dialog-head">
            <h2>{label}</h2>
            <button
              type="button"
              className="button quiet icon-only"
              aria-label={texts.close}
              onClick={onClose}
            >
              <Icon name="close" />
            </button>
          </header>
          <div className="dialog-body">{children}</div>
        </div>
      )}
    </dialog>
  )
}
