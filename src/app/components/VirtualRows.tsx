import {
  type KeyboardEvent,
  type LiHTMLAttributes,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { equalRows, measuredRows, type RowKey } from './row-layout'
import { useRowHeight, useRowsInSight } from './rows-in-sight'

interface VirtualRowsProps<Item> {
  items: readonly Item[]
  keyOf(item: Item): RowKey
  label: string
  /** Stays scrolled to the end. */
  follow?: boolean
  /** Rows are as high as their contents. */
  measured?: boolean
  row(item: Item): ReactNode
}

/** Distance in pixels that counts as scrolled to the end. */
const NEAR = 40

export function VirtualRows<Item>(props: VirtualRowsProps<Item>) {
  const { items, keyOf, label, follow = false, measured = false, row } = props
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const rowHeight = useRowHeight(29, 44)
  const { heights, observe } = useHeights()
  // biome-ignore lint/correctness/useExhaustiveDependencies: keyOf is the same function of an item
  const layout = useMemo(
    () =>
      measured
        ? measuredRows(items.map(keyOf), heights, rowHeight)
        : equalRows(items.length, rowHeight),
    [items, measured, heights, rowHeight],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: keyOf is the same function of an item
  const keyAt = useCallback((index: number) => keyOf(items[index] as Item), [items])
  const { span, scrollTo } = useRowsInSight(box, layout, { keyAt })
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
      onKeyDown={(event) => step(event, items.length, scrollTo)}
      onScroll={({ currentTarget }) => {
        atEnd.current =
          currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < NEAR
      }}
    >
      <ul aria-label={label} style={{ height: layout.height, position: 'relative' }}>
        {items.slice(span.from, span.to).map((item, at) => (
          <Row
            key={keyOf(item)}
            rowKey={keyOf(item)}
            observe={measured ? observe : undefined}
            data-index={span.from + at}
            aria-setsize={items.length}
            aria-posinset={span.from + at + 1}
            style={{
              ...(measured ? {} : { height: rowHeight }),
              transform: `translateY(${layout.topOf(span.from + at)}px)`,
            }}
          >
            {row(item)}
          </Row>
        ))}
      </ul>
    </div>
  )
}

/** Heights of the rows that have been rendered. */
function useHeights() {
  const [heights, setHeights] = useState<ReadonlyMap<RowKey, number>>(new Map())
  const keys = useRef(new Map<Element, RowKey>())
  const [observer] = useState(
    () =>
      new ResizeObserver((entries) =>
        setHeights((before) => withHeights(before, entries, keys.current)),
      ),
  )
  useEffect(() => () => observer.disconnect(), [observer])
  const observe = useCallback(
    (element: HTMLElement, key: RowKey) => {
      keys.current.set(element, key)
      observer.observe(element)
      return () => {
        keys.current.delete(element)
        observer.unobserve(element)
      }
    },
    [observer],
  )
  return { heights, observe }
}

function withHeights(
  before: ReadonlyMap<RowKey, number>,
  entries: readonly ResizeObserverEntry[],
  keys: ReadonlyMap<Element, RowKey>,
): ReadonlyMap<RowKey, number> {
  const changed = entries.flatMap(({ target }): [RowKey, number][] => {
    const key = keys.get(target)
    const { height } = target.getBoundingClientRect()
    return key === undefined || height === 0 || before.get(key) === height ? [] : [[key, height]]
  })
  return changed.length === 0 ? before : new Map([...before, ...changed])
}

interface RowProps extends LiHTMLAttributes<HTMLLIElement> {
  rowKey: RowKey
  observe: ((element: HTMLElement, key: RowKey) => () => void) | undefined
}

function Row({ rowKey, observe, ...rest }: RowProps) {
  const item = useRef<HTMLLIElement>(null)
  useLayoutEffect(
    () => (item.current === null ? undefined : observe?.(item.current, rowKey)),
    [observe, rowKey],
  )
  return <li ref={item} className="virtual-row" {...rest} />
}

const FOCUSABLE = 'button, a[href]'
/** They use the arrow keys themselves. */
const FIELDS = 'input, select, textarea'

function step(
  event: KeyboardEvent<HTMLElement>,
  count: number,
  scrollTo: (index: number) => void,
): void {
  const { currentTarget: box, key } = event
  const target = event.target as HTMLElement
  const row = target.matches(FIELDS) ? null : target.closest<HTMLElement>('[data-index]')
  const at = Number(row?.dataset.index)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 }[key]
  if (to === undefined || row === null || to < 0 || to >= count) return
  event.preventDefault()
  scrollTo(to)
  // After the rows there are rendered.
  requestAnimationFrame(() =>
    box.querySelector<HTMLElement>(`[data-index="${to}"] :is(${FOCUSABLE})`)?.focus(),
  )
}
