/** Upgrades to WebSockets for exec, watches and logs. All other upgrades are ignored. */
import { connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { ApiRequest, ApiResponse } from '../../src/engine/http/messages'
import { type Listener, listen } from '../../src/hosts/node/listener'

let listener: Listener
let socket: Socket
afterEach(async () => {
  socket.destroy()
  await listener.close()
})

async function speak(
  result: (target: string) => ApiResponse,
  head: string,
): Promise<{ until(text: string | Buffer): Promise<Buffer> }> {
  const handle = async (request: ApiRequest) => {
    const response = result(request.target)
    if (response.body === 'echo') response.body = await request.body()
    return response
  }
  listener = await listen(handle, { port: 0, report: (_, cause) => expect.fail(String(cause)) })
  socket = connect(Number(new URL(listener.address).port), '127.0.0.1')
  let received = Buffer.alloc(0)
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
  })
  socket.write(head.replaceAll('\n', '\r\n'))
  return {
    async until(text) {
      await expect.poll(() => received.includes(text)).toBe(true)
      return received
    },
  }
}

const tunnel: ApiResponse['tunnel'] = {
  protocols: ['v5.channel.k8s.io'],
  streams: { protocols: ['v4.channel.k8s.io'], requested: ['stdin', 'stdout'] },
  open: (sink) => ({
    receive(channel, bytes) {
      sink.send(channel + 1, `heard ${new TextDecoder().decode(bytes)}`)
      sink.end()
    },
    closed() {},
  }),
}

const HANDSHAKE = `GET /api/v1/namespaces/a/pods/b/exec HTTP/1.1
Host: x
Connection: Upgrade
Upgrade: websocket
Sec-WebSocket-Version: 13
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
Sec-WebSocket-Protocol: v5.channel.k8s.io

`

/** A client's frame: masked (RFC 6455, section 5.3). */
function frame(opcode: number, payload: Buffer): Buffer {
  const mask = Buffer.of(1, 2, 3, 4)
  return Buffer.concat([
    Buffer.of(0x80 | opcode, 0x80 | payload.length),
    mask,
    payload.map((byte, i) => byte ^ (mask[i & 3] as number)),
  ])
}

it('computes the key of RFC 6455, section 1.3, and carries channels', async () => {
  const { until } = await speak(() => ({ status: 501, headers: {}, body: 'no', tunnel }), HANDSHAKE)
  const head = (await until('\r\n\r\n')).toString()
  expect(head).toContain('101 Switching Protocols')
  expect(head).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
  socket.write(frame(2, Buffer.from('\u0000hi')))
  const received = await until('heard hi')
  expect(received.includes(Buffer.from([0x82, 9, 1]))).toBe(true)
  // The close frame has code 1000.
  await until('\u0003\u00e8'.slice(0, 1))
})

it('reports an unsupported protocol, and a response that is not an upgrade', async () => {
  const other = HANDSHAKE.replace('websocket', 'h2c')
  const first = await speak(() => ({ status: 501, headers: {}, body: 'no', tunnel }), other)
  expect((await first.until('not over h2c')).toString()).toMatch(/^HTTP\/1.1 501 /)
  socket.destroy()
  await listener.close()
  const second = await speak(() => ({ status: 404, headers: {}, body: 'no such pod' }), HANDSHAKE)
  expect((await second.until('no such pod')).toString()).toMatch(/^HTTP\/1.1 404 /)
})

it('ignores an upgrade without a target: the request gets its response with its body', async () => {
  const post = `POST /api/v1/namespaces HTTP/1.1
Host: x
Connection: Upgrade, HTTP2-Settings
Upgrade: h2c
HTTP2-Settings: AAMAAABk
Content-Length: 4

body`
  const { until } = await speak(() => ({ status: 201, headers: {}, body: 'echo' }), post)
  expect((await until('body')).toString()).toMatch(/^HTTP\/1.1 201 /)
})

const watching = (
  events: (string | Uint8Array)[],
  contentType = 'application/json',
): ApiResponse => ({
  status: 200,
  headers: { 'content-type': contentType },
  messages: 'events',
  body: {
    start(sink) {
      for (const event of events) sink.write(event)
      sink.end()
      return () => {}
    },
  },
})
const requesting = (path: string, protocol: string) =>
  HANDSHAKE.replace('/api/v1/namespaces/a/pods/b/exec', path).replace(
    /Sec-WebSocket-Protocol:.*\n/,
    `Origin: http://x\n${protocol === '' ? '' : `Sec-WebSocket-Protocol: ${protocol}\n`}`,
  )
/** Parses the messages of a server: opcode and payload. A close frame has no payload. */
function messagesIn(received: Buffer): [opcode: number, content: string][] {
  const found: [number, string][] = []
  for (let at = received.indexOf('\r\n\r\n') + 4; at < received.length; ) {
    const [first = 0, length = 0] = received.subarray(at)
    if (first !== 0x88)
      found.push([first & 0xf, received.subarray(at + 2, at + 2 + length).toString()])
    at += 2 + length
  }
  return found
}
const CLOSED = Buffer.of(0x88, 2, 3, 0xe8)

it('sends watch events as text, or as bytes without a length prefix', async () => {
  const first = await speak(
    () => watching(['{"type":"ADDED"}\n', Buffer.from('{"type":"DELETED"}\n')]),
    requesting('/api/v1/pods?watch=1', ''),
  )
  const received = await first.until(CLOSED)
  expect(received.toString()).not.toContain('Sec-WebSocket-Protocol')
  expect(messagesIn(received)).toEqual([
    [1, '{"type":"ADDED"}\n'],
    [1, '{"type":"DELETED"}\n'],
  ])
  socket.destroy()
  await listener.close()
  const protobuf = 'application/vnd.kubernetes.protobuf;stream=watch'
  const second = await speak(
    () => watching([Buffer.from('\0\0\0\u0002ab')], protobuf),
    requesting('/api/v1/pods?watch=1', 'any.k8s.io'),
  )
  const bytes = await second.until(CLOSED)
  expect(bytes.toString()).toContain('Sec-WebSocket-Protocol: any.k8s.io')
  expect(messagesIn(bytes)).toEqual([[2, 'ab']])
})

it.each([
  ['', 2, 'a line\n'],
  ['binary.k8s.io', 2, 'a line\n'],
  ['base64.binary.k8s.io', 1, Buffer.from('a line\n').toString('base64')],
])(
  'sends a log as bytes or Base64, after an empty message: %s',
  async (protocol, opcode, content) => {
    const log: ApiResponse = {
      status: 200,
      headers: { 'content-type': 'text/plain' },
      messages: 'bytes',
      body: 'a line\n',
    }
    const { until } = await speak(
      () => log,
      requesting('/api/v1/namespaces/a/pods/b/log', protocol),
    )
    expect(messagesIn(await until(CLOSED))).toEqual([
      [opcode, ''],
      [opcode, content],
    ])
  },
)

it('supports Base64 channels', async () => {
  const coded = { ...(tunnel as NonNullable<typeof tunnel>), protocols: ['base64.channel.k8s.io'] }
  const result: ApiResponse = { status: 501, headers: {}, body: 'no', tunnel: coded }
  const { until } = await speak(
    () => result,
    requesting('/api/v1/namespaces/a/pods/b/exec', 'base64.channel.k8s.io'),
  )
  await until('\r\n\r\n')
  socket.write(frame(1, Buffer.from(`0${Buffer.from('hi').toString('base64')}`)))
  expect(messagesIn(await until(CLOSED))).toEqual([
    [1, `1${Buffer.from('heard hi').toString('base64')}`],
  ])
})

it('responds without an upgrade where nothing can be streamed', async () => {
  const { until } = await speak(
    () => ({ status: 403, headers: {}, body: 'forbidden' }),
    requesting('/api/v1/pods?watch=1', ''),
  )
  expect((await until('forbidden')).toString()).toMatch(/^HTTP\/1.1 403 /)
})

it('stops a watch whose client disconnects', async () => {
  let stopped = false
  const endless = watching([])
  endless.body = {
    start(sink) {
      sink.write('{"type":"ADDED"}\n')
      return () => {
        stopped = true
      }
    },
  }
  const { until } = await speak(() => endless, requesting('/api/v1/pods?watch=1', ''))
  await until('ADDED')
  socket.destroy()
  await expect.poll(() => stopped).toBe(true)
})
