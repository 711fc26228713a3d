/** A lane per watch over time: its connections as lines, its events as signs, cuts and forgotten history across. */
import { type KeyboardEvent, memo, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { timeText } from '../../components/format'
import { type RunningWatch, type SeenEvent, useWatches } from '../../state/watches'
import { COLUMNS, keyOfBegin, keyOfCompaction, keyOfEnd, keyOfEvent, type Timeline, timelineOf } from './layout'
import { Mark } from './Mark'

/** So near to the end counts as being there. */
const NEAR = 120

export function Waterfall() {
  const { watches: now, selected, compactions } = useWatches()
  // Hundreds of signs move with every event: they may come after what a person does.
  const watches = useDeferredValue(now)
  const timeline = useMemo(() => timelineOf(watches, compactions), [watches, compactions])
  const box = useRef<HTMLElement>(null)
  const atEnd = useRef(true)
  // The newest is what one waits for, unless one has gone back to read.
  useEffect(() => {
    if (atEnd.current) box.current?.scrollTo({ left: timeline.width + box.current.clientWidth })
  }, [timeline.width])
  return (
    <section
      className="waterfall"
      aria-label="Watches over time"
      ref={box}
      onScroll={({ currentTarget: { scrollWidth, scrollLeft, clientWidth } }) => {
        atEnd.current = scrollWidth - scrollLeft - clientWidth < NEAR
      }}
    >
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
          <Lane key={watch.id} watch={watch} chosen={watch.id === selected} timeline={timeline} />
        ))}
        <div className="lane-compactions" aria-hidden="true">
          {compactions.map(({ at, revision }) => (
            <i key={at} style={{ left: timeline.xOf(keyOfCompaction(at)) }}>
              <span>before {revision} forgotten</span>
            </i>
          ))}
        </div>
      </div>
    </section>
  )
}

function Lane({ watch, chosen, timeline }: { watch: RunningWatch; chosen: boolean; timeline: Timeline }) {
  const { select, event: open } = useWatches()
  const placed = watch.events.slice(-COLUMNS).flatMap((event) => {
    const x = timeline.xOf(keyOfEvent(event.id))
    return x === undefined ? [] : [{ event, x }]
  })
  const current = placed.find(({ event }) => event.id === open)?.event ?? placed[placed.length - 1]?.event
  return (
    <div className={chosen ? 'lane chosen' : 'lane'}>
      <button type="button" className="lane-name" aria-pressed={chosen} title={watch.title} onClick={() => select(watch.id)}>
        <i className={`lane-state ${watch.state}`} />
        <span className="cut">{watch.title}</span>
        <span className="count">{watch.events.length}</span>
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are for the signs inside */}
      <div className="lane-track" onKeyDown={step}>
        <Connections watch={watch} timeline={timeline} />
        {placed.map(({ event, x }) => (
          <Sign key={event.id} lane={watch.id} event={event} x={x} chosen={event.id === open} reached={event === current} />
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
        style={{ left: begin ?? 0, ...(end === undefined ? { right: 0 } : { width: end - (begin ?? 0) }) }}
        title={from === '' ? 'Began with what was there' : `Began at version ${from}`}
      />
    )
  })
}

function step(event: KeyboardEvent<HTMLElement>): void {
  const marks = [...event.currentTarget.querySelectorAll<HTMLElement>('.lane-mark')]
  const at = marks.indexOf(event.target as HTMLElement)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: marks.length - 1 }[event.key]
  if (at < 0 || to === undefined) return
  event.preventDefault()
  marks[Math.min(Math.max(to, 0), marks.length - 1)]?.focus()
}
