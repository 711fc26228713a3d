/** Escape or a press elsewhere closes it, and the focus returns. */
import {
  type CSSProperties,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

interface PopoverProps {
  label: string
  className?: string
  kind: 'menu' | 'dialog'
  /** The content of the button. */
  face: ReactNode
  /** The aligned edge of the button. */
  side?: 'left' | 'right'
  children: (close: () => void) => ReactNode
}

export function Popover({
  label,
  className = 'button',
  kind,
  face,
  side = 'right',
  children,
}: PopoverProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<CSSProperties>({})
  useLayoutEffect(() => {
    if (open && root.current && box.current) setPlace(placeOf(root.current, box.current, side))
  }, [open, side])
  useEffect(() => {
    if (!open) return
    root.current
      ?.querySelector<HTMLElement>('.popover [data-autofocus], .popover button, .popover input')
      ?.focus()
    const elsewhere = (event: PointerEvent) =>
      root.current?.contains(event.target as Node) || setOpen(false)
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
      onBlur={(event) =>
        open &&
        event.relatedTarget &&
        !root.current?.contains(event.relatedTarget) &&
        setOpen(false)
      }
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
        <div ref={box} className="popover" style={place} id={id} role={kind} aria-label={label}>
          {children(close)}
        </div>
      )}
    </div>
  )
}

/** From the window's edges. */
const MARGIN = 8
const APART = 5

/** Positioned within the window, because panels clip their content. */
function placeOf(root: HTMLElement, box: HTMLElement, side: 'left' | 'right'): CSSProperties {
  const button = root.getBoundingClientRect()
  const { width } = box.getBoundingClientRect()
  const left = side === 'right' ? button.right - width : button.left
  const top = button.bottom + APART
  return {
    left: Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN)),
    top,
    maxHeight: Math.min(520, innerHeight - top - MARGIN),
  }
}
