import type { Event } from 'kubernetes-types/core/v1'
import type { KubeObject } from '../../../engine/core/object'

type EventObject = Event & KubeObject

/** @param about uid or name of their object @returns newest first */
export function eventsIn(objects: readonly KubeObject[], about: string | undefined): EventObject[] {
  const events = objects.filter(({ kind }) => kind === 'Event') as unknown as EventObject[]
  const of =
    about === undefined
      ? events
      : events.filter(
          ({ involvedObject }) => involvedObject.uid === about || involvedObject.name === about,
        )
  return of.sort(
    (a, b) =>
      secondOf(b) - secondOf(a) ||
      Number(b.metadata.resourceVersion) - Number(a.metadata.resourceVersion),
  )
}

/** Only some events have fractions of a second: within a second, the resourceVersion decides. */
const secondOf = (event: EventObject): number => Math.floor(Date.parse(whenOf(event)) / 1000)

/** RFC 3339, or empty. */
export const whenOf = ({ lastTimestamp, eventTime, metadata }: EventObject): string =>
  String(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '')
