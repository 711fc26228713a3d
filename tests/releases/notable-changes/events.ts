import { describe, expect } from 'vitest'
import type { JsonObject } from '../../../src/engine/core/object'
import { sampleOf } from '../samples'

import { causesOf, change, moving } from './change'

describe('events', () => {
  const path = (version: string) => `/apis/events.k8s.io/${version}/namespaces/default/events`
  const event = (apiVersion: string, members: JsonObject = {}) => ({
    ...sampleOf('events.k8s.io/v1beta1', 'Event'),
    apiVersion,
    ...members,
  })
  change('1.25 Event', 'reporter-required', async () => {
    const { writeOld, writeNew } = moving('1.24', '1.25')
    expect((await writeOld(path('v1beta1'), event('events.k8s.io/v1beta1'))).status).toBe(201)
    const bare = event('events.k8s.io/v1', {
      metadata: { name: 'other' },
      eventTime: '2026-01-01T00:00:00.000000Z',
      deprecatedCount: 0,
    })
    const rejected = await writeNew(path('v1'), bare)
    expect(causesOf(rejected)).toEqual(
      expect.arrayContaining(['reportingController', 'reportingInstance', 'action']),
    )
  })
  change('1.25 Event', 'event-time', async () => {
    const { writeNew } = moving('1.24', '1.25')
    expect(causesOf(await writeNew(path('v1'), event('events.k8s.io/v1')))).toContain('eventTime')
  })
  change('1.25 Event', 'deprecated-members', async () => {
    const { writeOld, writeNew, readNew } = moving('1.24', '1.25')
    await writeOld(path('v1beta1'), event('events.k8s.io/v1beta1'))
    expect((await readNew(`${path('v1')}/it`)).json.deprecatedCount).toBe(3)
    expect(
      causesOf(
        await writeNew(path('v1'), event('events.k8s.io/v1', { metadata: { name: 'other' } })),
      ),
    ).toContain('count')
  })
})
