/** Watches: one stream each, events as they come. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { useView } from '../state/view'
import { type RunningWatch, type SeenEvent, useWatches } from '../state/watches'

const TONE: Record<string, string> = { ADDED: 'good', MODIFIED: '', DELETED: 'bad', BOOKMARK: 'warn', ERROR: 'bad' }

export function Watches() {
  const { watches, selected, select } = useWatches()
  const watch = watches.find(({ id }) => id === selected)
  if (watch === undefined) {
    return (
      <div className="empty">
        <strong>No watch is open</strong>A watch is one request whose answer never ends: every change arrives as a line.
        <button type="button" className="button primary" onClick={() => useView.getState().set({ dialog: 'watch' })}>
          Start a watch
        </button>
      </div>
    )
  }
  return (
    <>
      <div className="bar" style={{ minHeight: 38 }}>
        <select
          className="field"
          aria-label="Which watch"
          value={watch.id}
          onChange={(event) => select(Number(event.target.value))}
          style={{ maxWidth: 230 }}
        >
          {watches.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
        <span className={`chip ${watch.state === 'open' ? 'good' : watch.state === 'failed' ? 'bad' : 'mute'}`}>
          {watch.state === 'paused' && watch.held.length > 0 ? `paused, ${watch.held.length} waiting` : watch.state}
        </span>
        <span className="cut soft mono wide-only" title={watch.path}>
          {watch.message ?? watch.path}
        </span>
        <span className="grow" />
        <Controls watch={watch} />
      </div>
      {watch.events.length === 0 ? (
        <div className="empty">
          {watch.state === 'open' ? 'Waiting for the first event. Apply something!' : (watch.message ?? 'No events.')}
        </div>
      ) : (
        <Events events={watch.events} />
      )}
    </>
  )
}

function Controls({ watch }: { watch: RunningWatch }) {
  const { pause, resume, stop, clear, remove } = useWatches()
  const running = watch.state === 'open' || watch.state === 'paused'
  return (
    <>
      {running && (
        <button type="button" className="button" onClick={() => (watch.state === 'paused' ? resume(watch.id) : pause(watch.id))}>
          {watch.state === 'paused' ? 'Go on' : 'Pause'}
        </button>
      )}
      {running ? (
        <button type="button" className="button" onClick={() => stop(watch.id)}>
          Stop
        </button>
      ) : (
        <button type="button" className="button" onClick={() => remove(watch.id)}>
          Close
        </button>
      )}
      <button type="button" className="button quiet wide-only" onClick={() => clear(watch.id)}>
        Clear
      </button>
    </>
  )
}

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false })

function Events({ events }: { events: SeenEvent[] }) {
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<number>()
  const list = useVirtualizer({ count: events.length, getScrollElement: () => box.current, estimateSize: () => 29, overscan: 10 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new event scrolls into view
  useEffect(() => {
    if (open === undefined) list.scrollToIndex(events.length - 1)
  }, [events.length])
  return (
    <div className="scroll" ref={box} aria-live="polite">
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map((item) => {
          const event = events[item.index] as SeenEvent
          return (
            <div
              key={event.id}
              data-index={item.index}
              ref={list.measureElement}
              style={{ position: 'absolute', top: 0, width: '100%', transform: `translateY(${item.start}px)` }}
            >
              <button
                type="button"
                className="row event-row mono"
                aria-expanded={open === event.id}
                onClick={() => setOpen(open === event.id ? undefined : event.id)}
              >
                <span className="time faint">{time.format(event.at)}</span>
                <span>
                  <span className={`chip ${TONE[event.type] ?? 'mute'}`}>{event.type}</span>
                </span>
                <span className="cut">
                  {event.namespace && <span className="faint">{event.namespace}/</span>}
                  {event.name}
                </span>
                <span className="faint" style={{ textAlign: 'right' }}>
                  {event.resourceVersion}
                </span>
              </button>
              {open === event.id && (
                <div className="detail">
                  <pre>{JSON.stringify(event.object, null, 2)}</pre>
                </div>
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}
