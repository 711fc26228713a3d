/** Virtual scrolling: only rows near the visible part of a list are rendered. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useMedia } from './media'
import { indexOfKey, type RowKey, type RowLayout } from './row-layout'

/** The end is exclusive. */
export interface Span {
  from: number
  to: number
}

/** Rows rendered beyond each edge, so that fast scrolling shows no gap. */
const BEYOND = 12
/** The rendered span moves in steps, so that most scroll frames render nothing. */
const STEP = 6

/** In pixels. The end can be beyond the last row. */
export function spanInSight(top: number, height: number, layout: RowLayout): Span {
  const first = layout.indexAt(top)
  const behind = layout.indexAt(top + height) + 1
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
  layout: RowLayout,
  edge = 0,
): number {
  const start = layout.topOf(index)
  if (start < top) return start
  return Math.max(top, layout.topOf(index + 1) + 2 * edge - height)
}

/** Rows are higher on touch screens. */
export function useRowHeight(pointer: number, finger: number): number {
  return useMedia('(pointer: coarse), (max-width: 767px)') ? finger : pointer
}

interface RowsInSight {
  span: Span
  scrollTo(index: number): void
}

interface Options {
  /** Padding of the box above and below the rows. */
  edge?: number
  /** Keeps the first visible row in place when rows above it appear, go or grow. */
  keyAt?(index: number): RowKey
}

/** The first visible row, and how far it is scrolled out. */
interface Anchor {
  key: RowKey
  index: number
  hidden: number
}

/** Until the box is measured: a full window. */
const AT_FIRST: Span = { from: 0, to: 40 }

/** @param box the scroll container */
export function useRowsInSight(
  box: RefObject<HTMLElement | null>,
  layout: RowLayout,
  options: Options = {},
): RowsInSight {
  const [seen, setSeen] = useState(AT_FIRST)
  const newest = useRef({ layout, options })
  newest.current = { layout, options }
  const anchor = useRef<Anchor>(undefined)
  /** Reading them from the box would lay out the page for every new row. */
  const place = useRef({ top: 0, height: 0 })
  const look = useCallback(() => {
    const { layout, options } = newest.current
    const { top, height } = place.current
    anchor.current = anchorAt(top, layout, options)
    const next = spanInSight(top, height, layout)
    setSeen((before) => (before.from === next.from && before.to === next.to ? before : next))
  }, [])
  const measure = useCallback(() => {
    const { current } = box
    if (current === null) return
    place.current = { top: current.scrollTop, height: current.clientHeight }
    look()
  }, [box, look])
  const moveTo = useCallback(
    (top: number) => {
      if (box.current === null || Math.abs(top - place.current.top) < 1) return
      box.current.scrollTop = top
      place.current.top = box.current.scrollTop
    },
    [box],
  )
  useLayoutEffect(measure, [measure])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are the reason to look
  useLayoutEffect(() => {
    const top = anchor.current && placeOf(anchor.current, newest.current)
    if (top !== undefined) moveTo(top)
    look()
  }, [look, moveTo, layout.count, layout.height, options.keyAt])
  useEffect(() => {
    const { current } = box
    if (current === null) return
    const sized = new ResizeObserver(measure)
    sized.observe(current)
    current.addEventListener('scroll', measure, { passive: true })
    return () => {
      sized.disconnect()
      current.removeEventListener('scroll', measure)
    }
  }, [box, measure])
  const scrollTo = useCallback(
    (index: number) => {
      const { layout, options } = newest.current
      const { top, height } = place.current
      moveTo(scrolledTo(index, top, height, layout, options.edge))
      look()
    },
    [look, moveTo],
  )
  const to = Math.min(seen.to, layout.count)
  return { span: { from: Math.min(seen.from, to), to }, scrollTo }
}

/** None at the top, where new rows should be seen. */
function anchorAt(top: number, layout: RowLayout, { keyAt }: Options): Anchor | undefined {
  const index = layout.indexAt(top)
  if (keyAt === undefined || top <= 0 || index >= layout.count) return undefined
  return { key: keyAt(index), index, hidden: top - layout.topOf(index) }
}

function placeOf(
  { key, index, hidden }: Anchor,
  { layout, options: { keyAt } }: { layout: RowLayout; options: Options },
): number | undefined {
  const now = keyAt && indexOfKey(keyAt, layout.count, key, index)
  return now === undefined ? undefined : layout.topOf(now) + hidden
}
