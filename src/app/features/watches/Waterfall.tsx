/** A lane per watch; compactions cross all lanes. */
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { timeText } from '../../components/format'
import { Lane, type Stretch } from './Lane'
import { keyOfCompaction, timelineOf } from './layout'
import { useWatches } from './state'
import { LANES } from './texts'

/** Pixels that count as scrolled to the end. */
const NEAR = 120

/** Pixels; the rendered part moves in steps. */
const STEP = 240
const BEYOND = 800

export function Waterfall() {
  const now = useWatches((state) => state.watches)
  const selected = useWatches((state) => state.selected)
  const compactions = useWatches((state) => state.compactions)
  // Marks change with every event.
  const watches = useDeferredValue(now)
  const timeline = useMemo(() => timelineOf(watches, compactions), [watches, compactions])
  const box = useRef<HTMLElement>(null)
  const [inSight, setInSight] = useState<Stretch>({ from: 0, to: 0 })
  const atEnd = useRef(true)
  const look = useCallback(() => {
    if (box.current === null) return
    const { scrollWidth, scrollLeft, clientWidth } = box.current
    atEnd.current = scrollWidth - scrollLeft - clientWidth < NEAR
    const from = Math.floor(scrollLeft / STEP) * STEP - BEYOND
    const to = Math.ceil((scrollLeft + clientWidth) / STEP) * STEP + BEYOND
    setInSight((before) => (before.from === from && before.to === to ? before : { from, to }))
  }, [])
  // Unless the user has scrolled back.
  useEffect(() => {
    const reading = document.activeElement?.matches('.lane-mark') ?? false
    if (atEnd.current && !reading)
      box.current?.scrollTo({ left: timeline.width + box.current.clientWidth })
    look()
  }, [timeline.width, look])
  useEffect(() => {
    if (box.current === null) return
    const sized = new ResizeObserver(look)
    sized.observe(box.current)
    return () => sized.disconnect()
  }, [look])
  return (
    <section className="waterfall" aria-label={LANES.title} ref={box} onScroll={look}>
      <div className="lanes" style={{ width: `calc(var(--lane-name) + ${timeline.width}px)` }}>
        <div className="lane-axis" aria-hidden="true">
          <span className="lane-name" />
          <div className="lane-track">
            {timeline.ticks.map(({ x, at }) => (
              <span key={x} className="lane-time" style={{ left: x }}>
                {timeText(at)}
              </span>
            ))}
          </div>
        </div>
        {watches.map((watch) => (
          <Lane
            key={watch.id}
            watch={watch}
            chosen={watch.id === selected}
            timeline={timeline}
            inSight={inSight}
          />
        ))}
        <div className="lane-compactions" aria-hidden="true">
          {compactions.map(({ at, revision }) => (
            <i key={at} style={{ left: timeline.xOf(keyOfCompaction(at)) }}>
              <span>{LANES.compacted(revision)}</span>
            </i>
          ))}
        </div>
      </div>
    </section>
  )
}
