/**
 * A lane per watch over time: connections as lines, events as marks, cuts and compactions across.
 */
import {
  type KeyboardEvent,
  memo,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { timeText } from '../../components/format'
import type { SeenEvent } from '../../state/seen-event'
import {
  COLUMNS,
  keyOfBegin,
  keyOfCompaction,
  keyOfEnd,
  keyOfEvent,
  type Timeline,
  timelineOf,
} from './layout'
import { Mark } from './Mark'
import { type RunningWatch, useWatches } from './state'

/** Distance in pixels that counts as scrolled to the end. */
const NEAR = 120

/** In pixels of the time axis: what is seen of it moves in steps, and so much beyond its edges exists too. */
const STEP = 240
const BEYOND = 800

interface Stretch {
  from: number
  to: number
}

export function Waterfall() {
  const now = useWatches((state) => state.watches)
  const selected = useWatches((state) => state.selected)
  const compactions = useWatches((state) => state.compactions)
  // User input takes priority over marks, which change with every event.
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
  // Scrolls to the newest event, unless the user has scrolled back.
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
    <section className="waterfall" aria-label="Watches over time" ref={box} onScroll={look}>
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
              <span>compacted before {revision}</span>
            </i>
          ))}
        </div>
      </div>
    </section>
  )
}

interface LaneProps {
  watch: RunningWatch
  chosen: boolean
  timeline: Timeline
  inSight: Stretch
}

function Lane({ watch, chosen, timeline, inSight }: LaneProps) {
  const select = useWatches((state) => state.select)
  const open = useWatches((state) => state.event)
  const placed = watch.events.slice(-COLUMNS).flatMap((event) => {
    const x = timeline.xOf(keyOfEvent(event.id))
    return x === undefined ? [] : [{ event, x }]
  })
  const current =
    placed.find(({ event }) => event.id === open)?.event ?? placed[placed.length - 1]?.event
  // Marks are expensive to render, and there are hundreds.
  const drawn = placed.filter(
    ({ event, x }) => event === current || (x >= inSight.from && x <= inSight.to),
  )
  return (
    <div className={chosen ? 'lane chosen' : 'lane'}>
      <button
        type="button"
        className="lane-name"
        aria-pressed={chosen}
        title={watch.title}
        onClick={() => select(watch.id)}
      >
        <i className={`lane-state ${watch.state}`} />
        <span className="cut">{watch.title}</span>
        <span className="count">{watch.events.length}</span>
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are for the marks inside */}
      <div className="lane-track" onKeyDown={step}>
        <Connections watch={watch} timeline={timeline} />
        {drawn.map(({ event, x }) => (
          <Sign
            key={event.id}
            lane={watch.id}
            event={event}
            x={x}
            chosen={event.id === open}
            reached={event === current}
          />
        ))}
      </div>
    </div>
  )
}

interface SignProps {
  lane: number
  event: SeenEvent
  x: number
  chosen: boolean
  /** By Tab; from there the arrow keys go on. */
  reached: boolean
}

/** There are hundreds, and with every event all but one or two are as they were. */
const Sign = memo(function Sign({ lane, event, x, chosen, reached }: SignProps) {
  return (
    <button
      type="button"
      className="lane-mark"
      style={{ left: x }}
      aria-label={wordsOf(event)}
      title={wordsOf(event)}
      aria-pressed={chosen}
      tabIndex={reached ? 0 : -1}
      onClick={() => useWatches.getState().select(lane, chosen ? undefined : event.id)}
    >
      <Mark type={event.type} past={event.past} />
    </button>
  )
})

function wordsOf({ type, past, namespace, name, resourceVersion, at }: SeenEvent): string {
  const what = [namespace, name].filter((part) => part !== '').join('/')
  const version = resourceVersion === '' ? '' : ` at ${resourceVersion}`
  return `${type}${what && ` ${what}`}${version}, ${timeText(at)}${past ? ' (happened before the connection began)' : ''}`
}

/** A line from the beginning of each connection to its end; an open one runs on. */
function Connections({ watch, timeline }: { watch: RunningWatch; timeline: Timeline }) {
  return watch.connections.map(({ ended, from, how }, index) => {
    const begin = timeline.xOf(keyOfBegin(watch.id, index))
    const end = ended === undefined ? undefined : timeline.xOf(keyOfEnd(watch.id, index))
    if (ended !== undefined && end === undefined) return null
    const state = `${begin === undefined ? ' earlier' : ''}${how === undefined ? ' open' : ` was-${how}`}`
    return (
      <span
        key={keyOfBegin(watch.id, index)}
        className={`connection${state}`}
        style={{
          left: begin ?? 0,
          ...(end === undefined ? { right: 0 } : { width: end - (begin ?? 0) }),
        }}
        title={from === '' ? 'Began with what was there' : `Began at version ${from}`}
      />
    )
  })
}

/** From sign to sign; to the ends of the axis by way of bringing them into sight. */
function step(event: KeyboardEvent<HTMLElement>): void {
  const track = event.currentTarget
  const marks = () => [...track.querySelectorAll<HTMLElement>('.lane-mark')]
  const at = marks().indexOf(event.target as HTMLElement)
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  const end = { Home: 0, End: -1 }[event.key]
  if (at < 0 || (by === undefined && end === undefined)) return
  event.preventDefault()
  if (by !== undefined) marks()[at + by]?.focus()
  if (end === undefined) return
  track.closest('.waterfall')?.scrollTo({ left: end === 0 ? 0 : track.scrollWidth })
  requestAnimationFrame(() => requestAnimationFrame(() => marks().at(end)?.focus()))
}
