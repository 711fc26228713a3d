import { useState } from 'react'
import type { Json } from '../../../engine/core/object'
import { CopyButton } from '../../components/CopyButton'
import { Icon } from '../../components/Icon'
import { Segments } from '../../components/Segments'
import type { SeenEvent } from '../../state/seen-event'
import { selectObject } from '../../state/view'
import { Explain } from '../explain/Explain'
import { changesBetween } from '../objects/changes'
import { Changes } from '../objects/views/Changes'
import { toneOf } from './Mark'
import { formerOf, isConnected, type RunningWatch, useWatches } from './state'
import { EVENT } from './texts'

const VIEWS = [
  { value: 'change', title: EVENT.change },
  { value: 'event', title: EVENT.event },
] as const

export function EventDetail({ watch, event }: { watch: RunningWatch; event: SeenEvent }) {
  const former = formerOf(watch, event)
  const [view, setView] = useState<'change' | 'event'>('change')
  const text = JSON.stringify({ type: event.type, object: event.object }, null, 2)
  const shown = former === undefined ? 'event' : view
  const { resource } = watch.options
  const isObject = event.type !== 'BOOKMARK' && event.type !== 'ERROR'
  return (
    <>
      <header className="detail-head">
        <p className="detail-title">
          <span className={`chip ${toneOf(event.type)}`}>
            <Explain word="event" name={event.type} />
          </span>
          {isObject ? (
            <button
              type="button"
              className="link mono"
              onClick={() =>
                selectObject({ resource, namespace: event.namespace, name: event.name })
              }
            >
              {event.namespace && `${event.namespace}/`}
              {event.name}
            </button>
          ) : (
            event.name
          )}
          {event.resourceVersion && <span className="soft">{EVENT.at(event.resourceVersion)}</span>}
        </p>
        <div className="button-row">
          {former && (
            <Segments label={EVENT.shown} value={view} choices={VIEWS} onChoose={setView} />
          )}
          <CopyButton text={() => text} what={EVENT.copied} label={EVENT.copy} />
        </div>
      </header>
      <div className="scroll detail-body">
        {event.type === 'ERROR' && <Expired watch={watch} event={event} />}
        {event.type === 'BOOKMARK' && <p className="soft">{EVENT.bookmark}</p>}
        {shown === 'change' && former ? (
          <Changes
            changes={changesBetween(former.object as Json, event.object as Json)}
            title={EVENT.compared(former.resourceVersion)}
          />
        ) : (
          <pre>{text}</pre>
        )}
      </div>
    </>
  )
}

/** How a client handles 410 Gone: list again, then watch. */
function Expired({ watch, event }: { watch: RunningWatch; event: SeenEvent }) {
  const resume = useWatches((state) => state.resume)
  const select = useWatches((state) => state.select)
  const { code } = event.object as { code?: number }
  if (code !== 410) return null
  const relist = () => {
    select(watch.id)
    resume(watch.id, '')
  }
  return (
    <>
      <p className="note warn">{EVENT.gone}</p>
      <div className="button-row">
        <button
          type="button"
          className="button small primary"
          onClick={relist}
          disabled={isConnected(watch)}
        >
          <Icon name="play" size={14} /> {EVENT.listAgain}
        </button>
      </div>
    </>
  )
}
