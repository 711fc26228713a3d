/** A long list of equal rows of which only those on the screen exist. The arrow keys move from row to row. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

interface VirtualRowsProps<Item> {
  items: readonly Item[]
  keyOf(item: Item): number
  label: string
  /** New items come at the end, and the list follows them while it stands there. */
  follow?: boolean
  row(item: Item): ReactNode
}

const rowHeight = (): number => (matchMedia('(pointer: coarse), (max-width: 767px)').matches ? 44 : 29)
/** So near to the end counts as being there. */
const NEAR = 40

export function VirtualRows<Item>({ items, keyOf, label, follow = false, row }: VirtualRowsProps<Item>) {
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const list = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: rowHeight,
    getItemKey: (index) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    overscan: 12,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new item is the reason to move
  useEffect(() => {
    if (follow && atEnd.current) list.scrollToIndex(items.length - 1)
  }, [items.length])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are for the rows inside
    <div
      className="scroll"
      ref={box}
      onKeyDown={step}
      onScroll={({ currentTarget }) => {
        atEnd.current = currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < NEAR
      }}
    >
      <ul aria-label={label} style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map(({ key, index, start, size }) => {
          const item = items[index]
          return (
            item !== undefined && (
              <li key={key} data-index={index} className="virtual-row" style={{ height: size, transform: `translateY(${start}px)` }}>
                {row(item)}
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}

function step(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')
  if (by === undefined || row === null) return
  event.preventDefault()
  const next = event.currentTarget.querySelector<HTMLElement>(`[data-index="${Number(row.dataset.index) + by}"] button`)
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
