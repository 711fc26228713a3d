import { expect, it } from 'vitest'
import type { PortForwarding } from '../../src/engine/http/messages'
import { data, framesIn, receivedOn } from './spdy-client'
import { type Client, open, request, setUpEachTest } from './spdy-connection'

setUpEachTest()

/** Port 80 echoes its input. All other ports reject connections. */
const ports = (named: number[] = []): PortForwarding => ({
  ports: named,
  connect(port, sink) {
    if (port !== 80) {
      sink.fail(`no server on ${port}`)
      sink.end()
    }
    return {
      receive: (bytes) => sink.send(Buffer.from(`heard ${Buffer.from(bytes)};`)),
      ended: () => sink.end(),
    }
  },
})

const connection = async (client: Client, id: number, port: string, ...more: string[]) => [
  await client.headers.stream(id, 'error', 'port', port, ...more),
  await client.headers.stream(id + 2, 'data', 'port', port, ...more),
]

it('forwards each connection by a pair of streams, with and without a requestID', async () => {
  const client = await open({ forwarding: ports() }, request('portforward', 'portforward.k8s.io'))
  expect(client.head()).toContain('X-Stream-Protocol-Version: portforward.k8s.io')
  client.send(
    ...(await connection(client, 1, '80', 'requestid', '0')),
    data(1, '', true),
    data(3, 'GET'),
  )
  client.send(...(await connection(client, 5, '81', 'requestid', '1')))
  client.send(...(await connection(client, 9, '80')), data(11, 'old', true))
  const frames = await client.until(
    (all) =>
      receivedOn(all, 11).ended && receivedOn(all, 5).ended && receivedOn(all, 3).text !== '',
  )
  expect(receivedOn(frames, 3)).toEqual({ text: 'heard GET;', ended: false })
  expect(receivedOn(frames, 5)).toEqual({ text: 'no server on 81', ended: true })
  expect(receivedOn(frames, 7)).toEqual({ text: '', ended: true })
  expect(receivedOn(frames, 11)).toEqual({ text: 'heard old;', ended: true })
})

it('rejects streams without a port or of an invalid type', async () => {
  const client = await open({ forwarding: ports() }, request('portforward', 'portforward.k8s.io'))
  const wrong = [
    ['data'],
    ['data', 'port', '0'],
    ['data', 'port', '65536'],
    ['data', 'port', '-1'],
    ['data', 'port', '8x'],
    ['stdin', 'port', '80'],
  ]
  for (const [i, [type = '', ...more]] of wrong.entries())
    client.send(await client.headers.stream(2 * i + 1, type, ...more))
  const frames = await client.until((all) => all.length === wrong.length)
  expect(frames.map(({ type, content }) => [type, content.readUInt32BE(4)])).toEqual(
    wrong.map(() => [3, 5]),
  )
})

it('reports a duplicate stream on the error stream', async () => {
  const client = await open({ forwarding: ports() }, request('portforward', 'portforward.k8s.io'))
  const pair = ['port', '80', 'requestid', '7']
  client.send(
    await client.headers.stream(1, 'error', ...pair),
    await client.headers.stream(3, 'error', ...pair),
  )
  await client.until(
    (all) =>
      receivedOn(all, 1).text ===
      'error processing stream for request 7: error stream already assigned',
  )
})

const webSocket = (protocol: string) => `GET /api/v1/namespaces/a/pods/b/portforward HTTP/1.1
Host: x
Connection: Upgrade
Upgrade: websocket
Sec-WebSocket-Version: 13
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
Sec-WebSocket-Protocol: ${protocol}

`

/** A client message, masked with zeros (RFC 6455, section 5.3). */
const message = (content: Buffer) =>
  Buffer.concat([
    Buffer.of(0x82, 0x80 | 126, content.length >> 8, content.length & 0xff),
    Buffer.alloc(4),
    content,
  ])

/** Parses server messages of at most 65,535 bytes. */
function messagesIn(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at + 2 <= bytes.length; ) {
    const short = (bytes[at + 1] as number) & 0x7f
    const [begin, length] = short === 126 ? [at + 4, bytes.readUInt16BE(at + 2)] : [at + 2, short]
    if (bytes[at] !== 0x88) found.push(bytes.subarray(begin, begin + length))
    at = begin + length
  }
  return found
}

it('forwards over SPDY/3.1 tunneled through a WebSocket', async () => {
  const client = await open({ forwarding: ports() }, webSocket('SPDY/3.1+portforward.k8s.io'))
  expect(client.head()).toContain('Sec-WebSocket-Protocol: SPDY/3.1+portforward.k8s.io')
  for (const part of await connection(client, 1, '80', 'requestid', '0')) client.send(message(part))
  client.send(message(data(3, 'GET')))
  const inside = () => framesIn(Buffer.concat(messagesIn(client.received())))
  await expect.poll(() => receivedOn(inside(), 3).text).toBe('heard GET;')
})

it('forwards over WebSocket channels that start with the port number', async () => {
  const client = await open({ forwarding: ports([80, 81]) }, webSocket('v4.channel.k8s.io'))
  client.send(message(Buffer.from('\0GET')))
  await expect.poll(() => messagesIn(client.received()).at(-1)?.toString()).toBe('\0heard GET;')
  expect(
    messagesIn(client.received()).map((one) => [one[0], one.subarray(1).toString('latin1')]),
  ).toEqual([
    [0, 'P\0'],
    [1, 'P\0'],
    [2, 'Q\0'],
    [3, 'Q\0'],
    [3, 'no server on 81'],
    [0, 'heard GET;'],
  ])
})

it('rejects WebSocket channels without a port', async () => {
  const client = await open({ forwarding: ports() }, webSocket('v4.channel.k8s.io'))
  expect(client.head()).toMatch(/^HTTP\/1.1 400 /)
})
