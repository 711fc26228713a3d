/** Responses while a conversion webhook fails. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/core/object'
import { OutboundError } from '../../src/engine/core/outbound'
import {
  cached,
  clock,
  good,
  post,
  type Review,
  request,
  type Sent,
  server,
  setUpEachTest,
  webhook,
  widgets,
} from './converted-widgets'

setUpEachTest()

describe('a webhook that does not convert', () => {
  const FAILED = 'conversion webhook for example.com/v1, Kind=Widget'
  const whole = (change: (object: Sent) => JsonObject | null) => (review: Review) => ({
    ...good(review),
    convertedObjects: (good(review).convertedObjects as Sent[]).map(change),
  })
  const cases: [string, (review: Review) => JsonObject, string][] = [
    [
      'returns a reason',
      () => ({ result: { status: 'Failure', message: 'too old' } }),
      'failed: too old',
    ],
    [
      'returns no status',
      () => ({ result: {} }),
      "failed: response.result.status was '', not 'Success'",
    ],
    [
      'returns another uid',
      (review) => ({ ...good(review), uid: 'x' }),
      'failed: expected response.uid=',
    ],
    [
      'returns too few',
      () => ({ result: { status: 'Success' }, convertedObjects: [] }),
      'returned 0 objects, expected 1',
    ],
    [
      'returns another version',
      whole((object) => ({ ...object, apiVersion: 'example.com/v3' })),
      'returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v3)',
    ],
    [
      'returns another kind',
      whole((object) => ({ ...object, kind: 'Gadget' })),
      'returned invalid object at index 0: invalid kind (expected Widget, received Gadget)',
    ],
    [
      'renames',
      whole((object) => ({ ...object, metadata: { ...object.metadata, name: 'b' } })),
      'returned invalid object: must have the same name: a != b',
    ],
    [
      'changes the uid',
      whole((object) => ({ ...object, metadata: { ...object.metadata, uid: 'u' } })),
      'returned invalid object: must have the same UID:',
    ],
    [
      'labels with what is none',
      whole((object) => ({
        ...object,
        metadata: { ...object.metadata, labels: { 'bad key!': 'x' } },
      })),
      'returned invalid metadata: metadata.labels: Invalid value: "bad key!"',
    ],
    [
      'labels with a number',
      whole((object) => ({ ...object, metadata: { ...object.metadata, labels: { n: 1 } } })),
      'returned invalid metadata: metadata.labels[n] must be a string, but is int64 in converted object',
    ],
    [
      'cannot be reached',
      () => {
        throw new OutboundError('dial tcp 10.0.0.1:443: connect: connection refused')
      },
      'failed: Post "https://hooks.example.com/convert?timeout=30s": dial tcp 10.0.0.1:443: connect: connection refused',
    ],
  ]

  it.each(cases)('%s', async (_, failing, message) => {
    await post('v1', 'a', { size: 1 })
    webhook.result = failing
    const merge = { 'content-type': 'application/merge-patch+json' }
    for (const requested of [
      { path: widgets('v2', 'a') },
      { path: widgets('v2') },
      {
        method: 'PATCH',
        path: widgets('v2', 'a'),
        headers: merge,
        body: { metadata: { labels: { x: 'y' } } },
      },
      { method: 'DELETE', path: widgets('v2', 'a') },
    ]) {
      const { status, json } = await request(requested)
      expect([status, json.code, json.reason]).toEqual([500, 500, undefined])
      // A patch starts with the cached object, whose form in the stored version it needs first.
      const isPatch = requested.method === 'PATCH'
      const expected = isPatch
        ? message.replace('expected example.com/v2', 'expected example.com/v1')
        : message
      const failed = isPatch ? FAILED.replace('/v1', '/v2') : FAILED
      expect(json.message).toContain(`${failed} ${expected}`)
    }
    expect((await request({ path: widgets('v1', 'a') })).status).toBe(200)
  })

  it('rejects writes in another version', async () => {
    webhook.result = () => ({ result: { status: 'Failure', message: 'no' } })
    const { status, json } = await post('v2', 'a', { width: 1 })
    expect([status, json.message]).toEqual([
      500,
      'conversion webhook for example.com/v2, Kind=Widget failed: no',
    ])
    expect((await request({ path: widgets('v1', 'a') })).status).toBe(404)
  })

  it('ends a watch with the reason', async () => {
    const response = await server.fetch(
      new Request(`http://localhost${widgets('v2')}?watch=true`, {
        headers: { authorization: 'Bearer admin' },
      }),
    )
    webhook.result = () => ({ result: { status: 'Failure', message: 'no' } })
    await post('v1', 'a', { size: 1 })
    const event = JSON.parse(await response.text())
    expect(event).toMatchObject({ type: 'ERROR', object: { code: 500, reason: 'InternalError' } })
    expect(event.object.message).toBe(
      'Internal error occurred: conversion webhook for example.com/v1, Kind=Widget failed: no',
    )
  })

  it('is waited for until the client times out', async () => {
    await post('v1', 'a', { size: 1 })
    webhook.result = () => new Promise(() => {})
    const reading = request({ path: widgets('v2', 'a') })
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(30_000)
    expect((await reading).json.message).toContain(
      '(Client.Timeout exceeded while awaiting headers)',
    )
  })

  it('is counted as a failure in the metrics', async () => {
    await post('v1', 'a', { size: 1 })
    await cached()
    await request({ path: widgets('v2', 'a') })
    webhook.result = () => ({ result: { status: 'Success' }, convertedObjects: [] })
    await request({ path: widgets('v2', 'a') })
    const { text } = await request({ path: '/metrics' })
    expect(text).toContain(
      'apiserver_conversion_webhook_request_total{failure_type="",result="success"} 2',
    )
    expect(text).toContain(
      'apiserver_conversion_webhook_request_total{failure_type="conversion_webhook_partial_response_failure",result="failure"} 1',
    )
    expect(text).toContain(
      'apiserver_crd_conversion_webhook_duration_seconds_count{crd_name="widgets.example.com",from_version="v1",succeeded="true",to_version="v2"} 2',
    )
  })
})
