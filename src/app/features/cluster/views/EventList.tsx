import './events.css'
import { useMemo } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import { ageText } from '../../../components/age'
import { Empty } from '../../../components/Empty'
import { Icon } from '../../../components/Icon'
import { useClusterTime } from '../../../state/clock'
import { eventsIn, whenOf } from '../events'
import { CLUSTER } from '../texts'

const SHOWN = 100

export function EventList({
  objects,
  about,
}: {
  objects: readonly KubeObject[]
  about: string | undefined
}) {
  const now = useClusterTime()
  const events = useMemo(() => eventsIn(objects, about), [objects, about])
  if (events.length === 0)
    return <Empty icon="pulse">{about === undefined ? CLUSTER.none : CLUSTER.noneOf}</Empty>
  return (
    <ol className="event-list" aria-label={CLUSTER.events}>
      {events.slice(0, SHOWN).map((event) => (
        <li key={event.metadata.uid} className={event.type === 'Warning' ? 'warning' : ''}>
          <span className="event-age mono" title={whenOf(event)}>
            {now === undefined ? '' : ageText(now - Date.parse(whenOf(event)))}
          </span>
          <span className="event-reason">
            {event.type === 'Warning' && <Icon name="warning" size={13} />}
            {event.reason}
            {(event.count ?? 1) > 1 && <span className="soft"> ×{event.count}</span>}
          </span>
          <span className="event-about cut mono">
            {event.involvedObject.kind} {event.involvedObject.name}
          </span>
          <span className="event-message wrap">{event.message}</span>
        </li>
      ))}
    </ol>
  )
}
