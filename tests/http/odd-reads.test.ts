/** Reads that few clients send: each was compared with the real server. */
import { describe, expect, it, test } from 'vitest'
import { ask, testServer } from '../support/server'

const server = testServer()

describe('a version that is not there yet', () => {
  const details = async (path: string) => (await ask(server, { path: `${path}?resourceVersion=999999999` })).json.details

  it('may be asked for again a second later', async () => {
    expect((await details('/api/v1/namespaces/default/configmaps')).retryAfterSeconds).toBe(1)
  })

  it.each(['/api/v1/namespaces/default/events', '/apis/events.k8s.io/v1/namespaces/default/events'])(
    'is not waited for by events: %s',
    async (path) => {
      expect(await details(path)).toEqual({ causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] })
    },
  )
})

test.each([
  ['/api', '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf'],
  ['/apis', 'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf'],
  ['/apis/apps', 'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf'],
])('the words of %s for a media type that it cannot write', async (path, message) => {
  const { status, json } = await ask(server, { path, headers: { accept: 'text/html' } })
  expect([status, json.message]).toEqual([406, message])
})
