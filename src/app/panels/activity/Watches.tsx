/** Watches: one stream each, their events as they come, each event's object. */
import { useState } from 'react'
import { runCommand } from '../../commands'
import { copyText } from '../../components/copy'
import { Empty } from '../../components/Empty'
import { timeText } from '../../components/format'
import { Icon } from '../../components/Icon'
import { Split } from '../../components/Split'
import { lastVersionOf, type RunningWatch, type SeenEvent, useWatches } from '../../state/watches'
import { VirtualRows } from './VirtualRows'

/** What kind of news an event is; the type stands beside it in words. */
const TONE: Record<string, string> = { ADDED: 'good', MODIFIED: 'accent', DELETED: 'bad', BOOKMARK: 'warn', ERROR: 'bad' }

export function Watches() {
  const { watches, selected } = useWatches()
  const watch = watches.find(({ id }) => id === selected)
  if (watch === undefined) {
    return (
      <Empty icon="pulse" title="No watch is open">
        A watch is one request whose answer never ends: every change arrives as a line of it.
        <button type="button" className="button primary" onClick={() => runCommand('watch')}>
          Start a watch
        </button>
      </Empty>
    )
  }
  return (
    <div className="watches">
      <Lanes />
      <Watch key={watch.id} watch={watch} />
    </div>
  )
}

/** Every watch with its latest events in small. */
function Lanes() {
  const { watches, selected, select } = useWatches()
  return (
    <div className="lanes">
      {watches.map((watch) => (
        <button key={watch.id} type="button" className="lane" aria-pressed={watch.id === selected} onClick={() => select(watch.id)}>
          <span className={`lane-state ${watch.state}`} />
          <span className="cut">{watch.title}</span>
          <span className="lane-events" aria-hidden="true">
            {watch.events.slice(-LANE_EVENTS).map(({ id, type }) => (
              <i key={id} className={TONE[type] ?? ''} />
            ))}
          </span>
          <span className="count">{watch.events.length}</span>
        </button>
      ))}
      <button type="button" className="button quiet small" onClick={() => runCommand('watch')}>
        <Icon name="add" size={14} /> Start a watch
      </button>
    </div>
  )
}

const LANE_EVENTS = 16

const STATE: Record<RunningWatch['state'], { title: string; tone: string }> = {
  open: { title: 'live', tone: 'good' },
  paused: { title: 'paused', tone: 'warn' },
  ended: { title: 'ended', tone: 'mute' },
  failed: { title: 'failed', tone: 'bad' },
}

function Watch({ watch }: { watch: RunningWatch }) {
  const [open, setOpen] = useState<number>()
  const { events, held, state, message, path } = watch
  const chosen = events.find(({ id }) => id === open)
  return (
    <div className="watch">
      <div className="bar sub">
        <span className={`chip ${STATE[state].tone}`}>{STATE[state].title}</span>
        {held.length > 0 && <span className="soft">{held.length} waiting</span>}
        <span className="cut soft mono" title={path}>
          {message ?? `GET ${path}`}
        </span>
        <span className="grow" />
        <Controls watch={watch} />
      </div>
      {events.length === 0 ? (
        <Empty>{state === 'open' ? 'Listening. Apply or change something, and it arrives here.' : (message ?? 'No events.')}</Empty>
      ) : (
        <Split
          label="Event"
          list={
            <VirtualRows
              follow
              items={events}
              keyOf={({ id }) => id}
              label="Events"
              row={(event) => (
                <EventRow event={event} chosen={event.id === open} onChoose={() => setOpen(event.id === open ? undefined : event.id)} />
              )}
            />
          }
          detail={chosen && <EventDetail event={chosen} />}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}

function Controls({ watch }: { watch: RunningWatch }) {
  const { pause, resume, stop, clear, remove, start } = useWatches()
  const running = watch.state === 'open' || watch.state === 'paused'
  const version = lastVersionOf(watch)
  return (
    <>
      {running && (
        <button type="button" className="button small" onClick={() => (watch.state === 'paused' ? resume(watch.id) : pause(watch.id))}>
          <Icon name={watch.state === 'paused' ? 'play' : 'pause'} size={14} />
          {watch.state === 'paused' ? 'Go on' : 'Pause'}
        </button>
      )}
      {running && (
        <button type="button" className="button small" onClick={() => stop(watch.id)}>
          <Icon name="stop" size={14} /> Stop
        </button>
      )}
      {!running && (
        <button
          type="button"
          className="button small"
          onClick={() => start({ ...watch.options, resourceVersion: version ?? watch.options.resourceVersion })}
        >
          <Icon name="play" size={14} /> {version ? `Go on from ${version}` : 'Start again'}
        </button>
      )}
      <button type="button" className="button quiet small" onClick={() => clear(watch.id)}>
        Clear
      </button>
      <button type="button" className="button quiet icon-only small" aria-label="Close this watch" onClick={() => remove(watch.id)}>
        <Icon name="close" size={14} />
      </button>
    </>
  )
}

function EventRow({ event, chosen, onChoose }: { event: SeenEvent; chosen: boolean; onChoose(): void }) {
  return (
    <button type="button" className="row event-row" aria-pressed={chosen} onClick={onChoose}>
      <span className="time">{timeText(event.at)}</span>
      <span>
        <span className={`chip ${TONE[event.type] ?? 'mute'}`}>{event.type}</span>
      </span>
      <span className="cut">
        {event.namespace && <span className="query">{event.namespace}/</span>}
        {event.name}
      </span>
      <span className="duration">{event.resourceVersion}</span>
    </button>
  )
}

function EventDetail({ event }: { event: SeenEvent }) {
  const text = JSON.stringify({ type: event.type, object: event.object }, null, 2)
  return (
    <>
      <header className="detail-head">
        <p className="detail-title">
          <span className={`chip ${TONE[event.type] ?? 'mute'}`}>{event.type}</span> {event.name}{' '}
          <span className="soft">at {event.resourceVersion}</span>
        </p>
        <div className="button-row">
          <button type="button" className="button small" onClick={() => void copyText(text, 'The event')}>
            <Icon name="copy" size={14} /> Copy
          </button>
        </div>
      </header>
      <div className="scroll detail-body">
        <pre>{text}</pre>
      </div>
    </>
  )
}
