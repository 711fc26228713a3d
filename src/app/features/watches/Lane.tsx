/** Connections of one watch as lines, events as marks. */
import { type KeyboardEvent, memo } from 'react'
import { timeText } from '../../components/format'
import type { SeenEvent } from '../../state/seen-event'
import { COLUMNS, keyOfBegin, keyOfEnd, keyOfEvent, type Timeline } from './layout'
import { Mark } from './Mark'
import { type RunningWatch, useWatches } from './state'
import { LANES } from './texts'

/** In pixels. */
export interface Stretch {
  from: number
  to: number
}

interface LaneProps {
  watch: RunningWatch
  chosen: boolean
  timeline: Timeline
  inSight: Stretch
}

export function Lane({ watch, chosen, timeline, inSight }: LaneProps) {
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
          <EventMark
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

interface EventMarkProps {
  lane: number
  event: SeenEvent
  x: number
  chosen: boolean
  /** The mark is in the tab order; arrow keys move on from it. */
  reached: boolean
}

/** An event changes only one or two of hundreds of marks. */
const EventMark = memo(function EventMark({ lane, event, x, chosen, reached }: EventMarkProps) {
  return (
    <button
      type="button"
      className="lane-mark"
      style={{ left: x }}
      aria-label={labelOf(event)}
      title={labelOf(event)}
      aria-pressed={chosen}
      tabIndex={reached ? 0 : -1}
      onClick={() => useWatches.getState().select(lane, chosen ? undefined : event.id)}
    >
      <Mark type={event.type} past={event.past} />
    </button>
  )
})

function labelOf({ type, past, namespace, name, resourceVersion, at }: SeenEvent): string {
  const what = [namespace, name].filter((part) => part !== '').join('/')
  const version = resourceVersion === '' ? '' : LANES.at(resourceVersion)
  return `${type}${what && ` ${what}`}${version}, ${timeText(at)}${past ? LANES.replayed : ''}`
}

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
        title={from === '' ? LANES.current : LANES.from(from)}
      />
    )
  })
}

/** Home and End first scroll to the ends of the axis. */
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
