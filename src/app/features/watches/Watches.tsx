import { memo } from 'react'
import { runCommand } from '../../commands/registry'
import { Empty } from '../../components/Empty'
import { olderText, timeText } from '../../components/format'
import { Icon } from '../../components/Icon'
import { VirtualRows } from '../../components/VirtualRows'
import type { SeenEvent } from '../../state/seen-event'
import { Controls } from './Controls'
import { EventDetail } from './EventDetail'
import { Legend, toneOf } from './Mark'
import { type RunningWatch, useWatches, watchedPath } from './state'
import { WATCHES } from './texts'
import { Waterfall } from './Waterfall'

const NOTHING_YET: Partial<Record<RunningWatch['state'], string>> = {
  connecting: WATCHES.connecting,
  open: WATCHES.listening,
}

export default function Watches() {
  const watches = useWatches((state) => state.watches)
  const selected = useWatches((state) => state.selected)
  const watch = watches.find(({ id }) => id === selected) ?? watches[watches.length - 1]
  if (watch === undefined) {
    return (
      <Empty icon="pulse" title={WATCHES.none}>
        {WATCHES.about}
        <button type="button" className="button primary" onClick={() => runCommand('watch')}>
          {WATCHES.start}
        </button>
      </Empty>
    )
  }
  return (
    <>
      <div className="bar sub watches-bar">
        <button type="button" className="button small" onClick={() => runCommand('watch')}>
          <Icon name="add" size={14} /> {WATCHES.start}
        </button>
        <button
          type="button"
          className="button quiet small"
          title={WATCHES.compactTitle}
          onClick={() => runCommand('compact')}
        >
          <Icon name="layers" size={14} /> {WATCHES.compact}
        </button>
        <span className="grow" />
        <Legend />
      </div>
      <div className="watches">
        <Waterfall />
        <Watch key={watch.id} watch={watch} />
      </div>
    </>
  )
}

function Watch({ watch }: { watch: RunningWatch }) {
  const open = useWatches((state) => state.event)
  const select = useWatches((state) => state.select)
  const { events, state, message, dropped } = watch
  const chosen = open === undefined ? undefined : events.find(({ id }) => id === open)
  return (
    <section className="watch" aria-label={WATCHES.watch(watch.title)}>
      <Controls watch={watch} />
      <p className={`watch-words ${state}`} title={WATCHES.request(watchedPath(watch))}>
        {message ?? <span className="mono">{WATCHES.request(watchedPath(watch))}</span>}
      </p>
      {dropped > 0 && (
        <p className="watch-words" role="note">
          {WATCHES.bounds(events.length, olderText(dropped))}
        </p>
      )}
      {chosen ? (
        <section
          className="split-detail"
          aria-label={WATCHES.event}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            select(watch.id)
          }}
        >
          <button
            type="button"
            className="button quiet icon-only split-close"
            aria-label={WATCHES.back}
            onClick={() => select(watch.id)}
          >
            <Icon name="close" />
          </button>
          <EventDetail key={chosen.id} watch={watch} event={chosen} />
        </section>
      ) : events.length === 0 ? (
        <Empty>{NOTHING_YET[state] ?? WATCHES.noEvents}</Empty>
      ) : (
        <VirtualRows
          follow
          items={events}
          keyOf={({ id }) => id}
          label={WATCHES.events}
          row={(event) => <EventRow event={event} lane={watch.id} />}
        />
      )}
    </section>
  )
}

const EventRow = memo(function EventRow({ event, lane }: { event: SeenEvent; lane: number }) {
  return (
    <button
      type="button"
      className="row event-row"
      onClick={() => useWatches.getState().select(lane, event.id)}
    >
      <span className="time">{timeText(event.at)}</span>
      <span>
        <span className={`chip ${toneOf(event.type)}${event.past ? ' past' : ''}`}>
          {event.type}
        </span>
      </span>
      <span className="cut">
        {event.namespace && <span className="query">{event.namespace}/</span>}
        {event.name}
      </span>
      <span className="duration">{event.resourceVersion}</span>
    </button>
  )
})
