import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useRowHeight, useRowsInSight } from './rows-in-sight'

interface VirtualRowsProps<Item> {
  items: readonly Item[]
  keyOf(item: Item): number
  label: string
  /** Stays scrolled to the end. */
  follow?: boolean
  row(item: Item): ReactNode
}

/** Distance in pixels that counts as scrolled to the end. */
const NEAR = 40

export function VirtualRows<Item>({
  items,
  keyOf,
  label,
  follow = false,
  row,
}: VirtualRowsProps<Item>) {
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const rowHeight = useRowHeight(29, 44)
  const { span, height, scrollTo } = useRowsInSight(box, items.length, rowHeight)
  const last = items.at(-1)
  const end = last && keyOf(last)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new item is the reason to move
  useEffect(() => {
    if (follow && atEnd.current) scrollTo(items.length - 1)
  }, [end])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are for the rows inside
    <div
      className="scroll"
      ref={box}
      onKeyDown={step}
      onScroll={({ currentTarget }) => {
        atEnd.current =
          currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < NEAR
      }}
    >
      <ul aria-label={label} style={{ height, position: 'relative' }}>
        {items.slice(span.from, span.to).map((item, at) => (
          <li
            key={keyOf(item)}
            data-index={span.from + at}
            className="virtual-row"
            style={{
              height: rowHeight,
              transform: `translateY(${(span.from + at) * rowHeight}px)`,
            }}
          >
            {row(item)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function step(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')
  if (by === undefined || row === null) return
  event.preventDefault()
  const next = event.currentTarget.querySelector<HTMLElement>(
    `[data-index="${Number(row.dataset.index) + by}"] button`,
  )
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
