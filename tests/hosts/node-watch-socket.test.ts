/** Watches over WebSockets, seen by an independent client. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import WebSocket from 'ws'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { createApiServer } from '../../src/engine/server/server'
import { createMemoryStorage } from '../../src/engine/storage/memory'
import { type Listener, listen } from '../../src/hosts/node/listener'
import { TEST_RELEASE } from '../support/release'
import { configMap, sendRequest, TOKENS } from '../support/server'

const MAPS = '/api/v1/namespaces/default/configmaps'
let listener: Listener | undefined
let sockets: WebSocket[] = []

afterEach(async () => {
  for (const socket of sockets) socket.terminate()
  sockets = []
  await listener?.close()
})

async function serve(streams = 10) {
  const clock = new SimulatedClock()
  const log = { error: (message: string, cause: unknown) => expect.fail(`${message}: ${cause}`) }
  const api = createApiServer({
    release: TEST_RELEASE,
    clock,
    random: seededRandom(1),
    log,
    storage: createMemoryStorage(),
    tokens: TOKENS,
  })
  listener = await listen(api.handle, {
    port: 0,
    limits: { streams },
    report: (_, cause) => expect.fail(String(cause)),
  })
  const create = (name: string) =>
    sendRequest(api, { method: 'POST', path: MAPS, body: configMap(name) })
  const { address } = listener
  const open = (
    path: string,
    { protocols = [], ...options }: WebSocket.ClientOptions & { protocols?: string[] } = {},
  ) => {
    const headers = { authorization: 'Bearer admin', ...options.headers }
    const socket = new WebSocket(address.replace('http', 'ws') + path, protocols, {
      origin: address,
      ...options,
      headers,
    })
    sockets.push(socket)
    socket.on('error', () => {})
    const messages: { data: Buffer; binary: boolean }[] = []
    socket.on('message', (data, binary) => messages.push({ data: data as Buffer, binary }))
    return { socket, messages }
  }
  /** Returns the status of a rejected handshake. */
  const rejected = async (path: string, options?: Parameters<typeof open>[1]) => {
    const { socket } = open(path, options)
    const response = await new Promise<IncomingMessage>((resolve) =>
      socket.once('unexpected-response', (_, given) => resolve(given)),
    )
    response.destroy()
    return response.statusCode
  }
  return { api, clock, create, open, rejected }
}

it('sends events as text messages, responds to pings, and closes at the end', async () => {
  const { clock, create, open } = await serve()
  await create('a')
  const { socket, messages } = open(`${MAPS}?watch=1&timeoutSeconds=5`)
  await once(socket, 'open')
  await create('b')
  await expect.poll(() => messages.length).toBe(2)
  const events = messages.map(({ data, binary }) => {
    expect([binary, data.toString().endsWith('}\n')]).toEqual([false, true])
    return JSON.parse(data.toString())
  })
  expect(events.map(({ type, object }) => [type, object.metadata.name])).toEqual([
    ['ADDED', 'a'],
    ['ADDED', 'b'],
  ])
  socket.ping('still there?')
  expect(String((await once(socket, 'pong'))[0])).toBe('still there?')
  socket.send('no one listens')
  clock.advance(5000)
  expect((await once(socket, 'close'))[0]).toBe(1000)
})

it('sends Protobuf as binary messages, without the length prefix of a stream', async () => {
  const { create, open } = await serve()
  await create('a')
  const accept = 'application/vnd.kubernetes.protobuf;stream=watch'
  const { messages } = open(`/api/v1/watch/namespaces/default/configmaps`, { headers: { accept } })
  await expect.poll(() => messages.length).toBe(1)
  expect(messages[0]?.binary).toBe(true)
  expect(messages[0]?.data.subarray(0, 7)).toEqual(Buffer.from('\n\u0005ADDED'))
})

it('accepts a single offered subprotocol, whatever its name', async () => {
  const { open } = await serve()
  const { socket } = open(`${MAPS}?watch=true`, { protocols: ['anything'] })
  await once(socket, 'open')
  expect(socket.protocol).toBe('anything')
})

it('does not select a token subprotocol, and does not echo it', async () => {
  const { open } = await serve()
  const token = `base64url.bearer.authorization.k8s.io.${Buffer.from('admin').toString('base64url')}`
  const { socket } = open(`${MAPS}?watch=true`, {
    protocols: [token, 'anything'],
    headers: { authorization: '' },
  })
  await once(socket, 'open')
  expect(socket.protocol).toBe('anything')
})

it('cancels the watch when the client disconnects', async () => {
  const { api, open } = await serve()
  const { socket } = open(`${MAPS}?watch=1`)
  await once(socket, 'open')
  const streams = async () =>
    /apiserver_longrunning_requests\{[^}]*resource="configmaps"[^}]*\} (\d+)/.exec(
      (await sendRequest(api, { path: '/metrics' })).text,
    )?.[1]
  expect(await streams()).toBe('1')
  socket.close()
  await expect.poll(streams).toBe('0')
})

it('rejects an invalid handshake, and ignores an upgrade of other requests', async () => {
  const { rejected } = await serve()
  expect(await rejected(`${MAPS}?watch=1`, { origin: undefined as never })).toBe(403)
  expect(await rejected(`${MAPS}?watch=1`, { protocols: ['a', 'b'] })).toBe(400)
  expect(await rejected(`${MAPS}?watch=1`, { protocolVersion: 8 })).toBe(400)
  expect(await rejected(`${MAPS}?watch=1&labelSelector=a=b=c`)).toBe(400)
  expect(await rejected(`${MAPS}?watch=0`)).toBe(200)
  expect(await rejected(`${MAPS}?watch=1`, { headers: { authorization: 'Bearer unknown' } })).toBe(
    401,
  )
})

it('limits open streams', async () => {
  const { open, rejected } = await serve(1)
  await once(open(`${MAPS}?watch=1`).socket, 'open')
  expect(await rejected(`${MAPS}?watch=1`)).toBe(429)
})
