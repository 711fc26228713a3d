/** Watches: a lane each over time, and the chosen one's events with what they changed. */
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
import { Waterfall } from './Waterfall'

const NOTHING_YET: Partial<Record<RunningWatch['state'], string>> = {
  connecting: 'Waiting for the server…',
  open: 'Listening for changes…',
}

export default function Watches() {
  const watches = useWatches((state) => state.watches)
  const selected = useWatches((state) => state.selected)
  const watch = watches.find(({ id }) => id === selected) ?? watches[watches.length - 1]
  if (watch === undefined) {
    return (
      <Empty icon="pulse" title="No watch is open">
        A watch is a request whose response never ends; each change is one line. Disconnect it,
        change something, reconnect, and see what the client missed.
        <button type="button" className="button primary" onClick={() => runCommand('watch')}>
          Start a watch
        </button>
      </Empty>
    )
  }
  return (
    <>
      <div className="bar sub watches-bar">
        <button type="button" className="button small" onClick={() => runCommand('watch')}>
          <Icon name="add" size={14} /> Start a watch
        </button>
        <button
          type="button"
          className="button quiet small"
          title="Discard old revisions of all objects, as kube-apiserver does in etcd every five minutes"
          onClick={() => runCommand('compact')}
        >
          <Icon name="layers" size={14} /> Compact history
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
    <section className="watch" aria-label={`Watch of ${watch.title}`}>
      <Controls watch={watch} />
      <p className={`watch-words ${state}`} title={`GET ${watchedPath(watch)}`}>
        {message ?? <span className="mono">GET {watchedPath(watch)}</span>}
      </p>
      {dropped > 0 && (
        <p className="watch-words" role="note">
          The newest {events.length.toLocaleString('en')} events are kept; {olderText(dropped)} not.
        </p>
      )}
      {chosen ? (
        <section
          className="split-detail"
          aria-label="Event"
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            select(watch.id)
          }}
        >
          <button
            type="button"
            className="button quiet icon-only split-close"
            aria-label="Back to the events"
            onClick={() => select(watch.id)}
          >
            <Icon name="close" />
          </button>
          <EventDetail key={chosen.id} watch={watch} event={chosen} />
        </section>
      ) : events.length === 0 ? (
        <Empty>{NOTHING_YET[state] ?? 'No events.'}</Empty>
      ) : (
        <VirtualRows
          follow
          items={events}
          keyOf={({ id }) => id}
          label="Events"
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
