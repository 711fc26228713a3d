/** Events are sorted newest first, in both versions of their API. */

import { expect, it } from 'vitest'
import { eventsIn } from '../../src/app/features/cluster/events'
import type { KubeObject } from '../../src/engine/core/object'
import { kubeObject } from '../support/json-objects'

const event = (
  resourceVersion: number,
  times: { lastTimestamp?: string; eventTime?: string },
  about = 'a',
): KubeObject =>
  kubeObject({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `e-${resourceVersion}`, resourceVersion: String(resourceVersion) },
    involvedObject: { kind: 'Pod', name: about },
    ...times,
  })

const orderOf = (events: KubeObject[], about?: string) =>
  eventsIn(events, about).map(({ metadata }) => metadata.resourceVersion)

it('takes those that keep fractions of a second and those that keep none in the order of their writing', () => {
  const created = event(7, { lastTimestamp: '2030-01-01T00:00:04Z' })
  const scheduled = event(8, { eventTime: '2030-01-01T00:00:04.250000Z' })
  const started = event(9, { lastTimestamp: '2030-01-01T00:00:05Z' })
  expect(orderOf([created, started, scheduled])).toEqual(['9', '8', '7'])
})

it('lists the events of one object', () => {
  expect(orderOf([event(1, {}, 'a'), event(2, {}, 'b')], 'b')).toEqual(['2'])
})
