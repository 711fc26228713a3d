/** Virtual scrolling of rows of equal height. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { useMedia } from './media'

/** The end is exclusive. */
export interface Span {
  from: number
  to: number
}

/** Rows rendered beyond each edge, so that fast scrolling shows no gap. */
const BEYOND = 12
/** The rendered span moves in steps, so that most scroll frames render nothing. */
const STEP = 6

/** In pixels. */
export function spanInSight(top: number, height: number, rowHeight: number): Span {
  const first = Math.floor(top / rowHeight)
  const behind = Math.ceil((top + height) / rowHeight)
  return {
    from: Math.max(0, Math.floor(first / STEP) * STEP - BEYOND),
    to: Math.ceil(behind / STEP) * STEP + BEYOND,
  }
}

/**
 * @param edge space above the first row and below the last one
 * @returns the scroll position that makes the row visible
 */
export function scrolledTo(
  index: number,
  top: number,
  height: number,
  rowHeight: number,
  edge = 0,
): number {
  const start = index * rowHeight
  if (start < top) return start
  return Math.max(top, start + rowHeight + 2 * edge - height)
}

/** Rows are higher on touch screens. */
export function useRowHeight(pointer: number, finger: number): number {
  return useMedia('(pointer: coarse), (max-width: 767px)') ? finger : pointer
}

interface RowsInSight {
  span: Span
  height: number
  scrollTo(index: number): void
}

/** Until the box is measured: a full window. */
const AT_FIRST: Span = { from: 0, to: 40 }

/** @param box the scroll container @param edge its padding above and below the rows */
export function useRowsInSight(
  box: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
  edge = 0,
): RowsInSight {
  const [seen, setSeen] = useState(AT_FIRST)
  const look = useCallback(() => {
    const { current } = box
    if (current === null) return
    const next = spanInSight(current.scrollTop, current.clientHeight, rowHeight)
    setSeen((before) => (before.from === next.from && before.to === next.to ? before : next))
  }, [box, rowHeight])
  useLayoutEffect(look, [look])
  useEffect(() => {
    const { current } = box
    if (current === null) return
    const sized = new ResizeObserver(look)
    sized.observe(current)
    current.addEventListener('scroll', look, { passive: true })
    return () => {
      sized.disconnect()
      current.removeEventListener('scroll', look)
    }
  }, [box, look])
  const scrollTo = useCallback(
    (index: number) => {
      const { current } = box
      if (current)
        current.scrollTop = scrolledTo(
          index,
          current.scrollTop,
          current.clientHeight,
          rowHeight,
          edge,
        )
    },
    [box, rowHeight, edge],
  )
  const to = Math.min(seen.to, count)
  return { span: { from: Math.min(seen.from, to), to }, height: count * rowHeight, scrollTo }
}
