/** The status of objects of custom kinds. */
import { beforeEach, describe, expect, test } from 'vitest'
import { SimulatedClock } from '../../src/engine/core/environment'
import { type SendRequest, testClient } from '../http/test-client'
import { DEFINITIONS, define, definition, settled, WIDGETS, widget } from './widgets'

let sendRequest: SendRequest
let clock: SimulatedClock
beforeEach(() => {
  clock = new SimulatedClock()
  sendRequest = testClient({ clock })
})

describe('custom resources', () => {
  test('leave the status to its subresource', async () => {
    await define(sendRequest, definition('widgets', 'Widget', {}, { subresources: { status: {} } }))
    await sendRequest(WIDGETS, { method: 'POST', body: widget('one', { status: {} }) })
    const put = await sendRequest(`${WIDGETS}/one/status`, {
      method: 'PUT',
      body: { ...(await sendRequest(`${WIDGETS}/one`)).json, spec: { size: 9 }, status: {} },
    })
    expect(put.json).toMatchObject({ status: {}, metadata: { generation: 1 } })
    expect(put.json).not.toHaveProperty('spec')
  })

  test('have their whole status checked, by all rules, whenever the status is written', async () => {
    const text = (more: object) => ({
      type: 'object',
      properties: { a: { type: 'string', ...more } },
    })
    const versionOf = (spec: object, status: object) => ({
      schema: {
        openAPIV3Schema: { type: 'object', properties: { spec: text(spec), status: text(status) } },
      },
      subresources: { status: {} },
    })
    await define(sendRequest, definition('widgets', 'Widget', {}, versionOf({}, {})))
    await sendRequest(WIDGETS, { method: 'POST', body: widget('one', { spec: { a: 'long' } }) })
    const headers = { 'content-type': 'application/merge-patch+json' }
    const change = (path: string, body: object) =>
      sendRequest(path, { method: 'PATCH', headers, body })
    await change(`${WIDGETS}/one/status`, { status: { a: 'long' } })
    const reported = async (schema: ReturnType<typeof versionOf>, subresource: string) => {
      const version = { name: 'v1', served: true, storage: true, ...schema }
      await change(`${DEFINITIONS}/widgets.example.com`, { spec: { versions: [version] } })
      await settled()
      const { status, json } = await change(`${WIDGETS}/one${subresource}`, {
        metadata: { labels: { b: subresource === '' ? 'whole' : 'status' } },
      })
      return status === 200 ? 'taken' : (json.message as string).replace(/^.*is invalid: /, '')
    }
    const short = { maxLength: 1 }
    const rule = { 'x-kubernetes-validations': [{ rule: 'self.size() < 2' }] }
    expect(await reported(versionOf(short, short), '')).toBe('taken')
    expect(await reported(versionOf(short, short), '/status')).toBe(
      'status.a: Too long: may not be longer than 1',
    )
    expect(await reported(versionOf(rule, rule), '')).toBe('taken')
    const failed = (field: string) =>
      `${field}: Invalid value: "string": failed rule: self.size() < 2`
    expect(await reported(versionOf(rule, rule), '/status')).toBe(
      `[${failed('spec.a')}, ${failed('status.a')}]`,
    )
  })

  test('do not change when a status equal to its defaults is written', async () => {
    const openAPIV3Schema = {
      type: 'object',
      properties: { spec: { type: 'string' }, status: { type: 'integer', default: 0 } },
    }
    await define(
      sendRequest,
      definition(
        'widgets',
        'Widget',
        {},
        { schema: { openAPIV3Schema }, subresources: { status: {} } },
      ),
    )
    const { json: before } = await sendRequest(WIDGETS, {
      method: 'POST',
      body: widget('one', { spec: 'kept' }),
    })
    const { resourceVersion, uid } = before.metadata as Record<string, string>
    const body = { ...widget('one', { status: 0 }), metadata: { name: 'one', resourceVersion } }
    await sendRequest(`${WIDGETS}/one/status`, { method: 'PUT', body })
    expect((await sendRequest(`${WIDGETS}/one`)).json).toMatchObject({
      spec: 'kept',
      status: 0,
      metadata: { uid, generation: 1 },
    })
  })
})
