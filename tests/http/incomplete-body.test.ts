/**
 * A client that disconnects in the middle of a body has failed, not the server: nothing is stored
 * or logged.
 */
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { IncompleteBodyError } from '../../src/engine/http/messages'
import { type Listener, listen } from '../../src/hosts/node/listener'
import { sendRequest, testServer } from '../support/server'

const MAPS = '/api/v1/namespaces/default/configmaps'
let listener: Listener | undefined

afterEach(async () => {
  await listener?.close()
  listener = undefined
})

it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s', async (method) => {
  // Any log entry fails the test.
  const server = testServer()
  const headers: Record<string, string> = {
    authorization: 'Bearer admin',
    'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
    'content-length': '100',
  }
  const { status } = await server.handle({
    method,
    target: method === 'POST' ? MAPS : `${MAPS}/kube-root-ca.crt`,
    header: (name) => headers[name],
    headerNames: () => Object.keys(headers),
    body: () => Promise.reject(new IncompleteBodyError('gone')),
  })
  expect(status).toBe(500)
})

it.each([
  ['while the body is read', 0],
  ['before the server reads it', 150],
])('over a connection that is cut %s', async (_, pause) => {
  const server = testServer()
  const ended: number[] = []
  const handle = async (request: Parameters<typeof server.handle>[0]) => {
    await new Promise((resolve) => setTimeout(resolve, pause))
    const response = await server.handle(request)
    ended.push(response.status)
    return response
  }
  listener = await listen(handle, { port: 0, report: (message) => expect.fail(message) })
  const { hostname, port } = new URL(listener.address)
  const socket = connect({ host: hostname, port: Number(port) })
  const head = [
    `POST ${MAPS} HTTP/1.1`,
    'Host: localhost',
    'Authorization: Bearer admin',
    'Content-Type: application/json',
  ]
  socket.write([...head, 'Content-Length: 100', '', '{"metadata":{"name":"cut"}}'].join('\r\n'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.destroy()
  while (ended.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(ended).toEqual([500])
  expect((await sendRequest(server, { path: `${MAPS}/cut` })).status).toBe(404)
})

it('in a stream of a browser', async () => {
  const server = testServer()
  const pieces = ['{"metadata":', '{"name":"torn"']
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift()
      if (piece === undefined) controller.error(new Error('the page was closed'))
      else controller.enqueue(new TextEncoder().encode(piece))
    },
  })
  const headers = { authorization: 'Bearer admin', 'content-type': 'application/json' }
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  const response = await server.fetch(new Request(`http://localhost${MAPS}`, init))
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({
    kind: 'Status',
    message: expect.stringContaining('the page was closed'),
  })
  expect((await sendRequest(server, { path: `${MAPS}/torn` })).status).toBe(404)
})
