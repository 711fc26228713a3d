/** Container streams over SPDY/3.1 against a listener, with a separate client. */
import { expect, it } from 'vitest'
import type { Tunnel } from '../../src/engine/http/messages'
import { data, receivedOn } from './spdy-client'
import {
  listener,
  open,
  request,
  STREAM_PROTOCOLS,
  setUpEachTest,
  socket,
  V4,
} from './spdy-connection'

setUpEachTest()

function echoing(requested: Tunnel['streams']['requested'] = ['stdin', 'stdout']): {
  tunnel: Tunnel
  spoken: string[]
  closed(): boolean
} {
  const spoken: string[] = []
  let closed = false
  const tunnel: Tunnel = {
    protocols: [],
    streams: { protocols: STREAM_PROTOCOLS, requested },
    open(sink, protocol) {
      spoken.push(protocol)
      return {
        receive(channel, bytes) {
          sink.send(
            1,
            `${channel}:${channel === 255 ? bytes[0] : new TextDecoder().decode(bytes)};`,
          )
          if (channel !== 255) return
          sink.send(3, 'ended')
          sink.send(2, 'to no stream')
          sink.end()
        },
        closed() {
          closed = true
        },
      }
    },
  }
  return { tunnel, spoken, closed: () => closed }
}

it('runs a command with a stream per channel, early data, half-closes and GOAWAY', async () => {
  const { tunnel, spoken, closed } = echoing()
  const client = await open(
    { tunnel },
    request('exec', 'v9.channel.k8s.io', 'v3.channel.k8s.io, v4.channel.k8s.io'),
  )
  expect(client.head()).toBe(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v3.channel.k8s.io\r\n\r\n',
  )
  const { headers } = client
  client.send(await headers.stream(1, 'error'), await headers.stream(3, 'stdin'), data(3, 'early'))
  client.send(await headers.stream(5, 'stdout'))
  await client.until((frames) => receivedOn(frames, 5).text === '0:early;')
  client.send(data(3, 'later'), data(3, '', true))
  const frames = await client.until((all) => all.some(({ type }) => type === 7))
  expect(spoken).toEqual(['v3.channel.k8s.io'])
  expect(receivedOn(frames, 5)).toEqual({ text: '0:early;0:later;255:0;', ended: true })
  expect(receivedOn(frames, 1)).toEqual({ text: 'ended', ended: true })
  expect(closed()).toBe(false)
  socket.end()
  await expect.poll(closed).toBe(true)
})

/**
 * What remotecommand.NewSPDYExecutor of client-go writes when its context is canceled while it is
 * attached: each stream after the reply to the one before, resets, and GOAWAY.
 */
const CANCELED = {
  streams: [
    '80030001000000290000000100000000000078f9e3c6a7c26260606004a7b392a2d4c45c6851c29a0a0a6800000000ffff',
    '800300010000001700000003000000000000c22e555c92929907000000ffff',
    '800300010000001900000005000000000000c22ac5565c92925f5a02000000ffff',
    '800300010000001500000007000000000000c229975a5404000000ffff',
  ],
  input: ['000000030000000668656c6c6f0a', '0000000301000000'],
  end: [
    '80030003000000080000000100000005',
    '80030003000000080000000500000005',
    '80030003000000080000000700000005',
    '80030007000000080000000000000000',
  ],
}

it('ends the input of a client that cancels, with resets of its streams and GOAWAY', async () => {
  const { tunnel, closed } = echoing(['stdin', 'stdout', 'stderr'])
  const attached: Tunnel = {
    ...tunnel,
    open: (sink, protocol) => ({
      ...tunnel.open({ ...sink, end() {} }, protocol),
      receive: (channel, bytes) => sink.send(1, channel === 255 ? 'ended' : bytes),
    }),
  }
  const client = await open({ tunnel: attached }, request('attach', V4))
  const sendHex = (hex: string) => client.send(Buffer.from(hex, 'hex'))
  for (const [i, hex] of CANCELED.streams.entries()) {
    sendHex(hex)
    await client.until((frames) => frames.length === i + 1)
  }
  CANCELED.input.forEach(sendHex)
  await client.until((frames) => receivedOn(frames, 5).text === 'hello\nended')
  expect(closed()).toBe(false)
  CANCELED.end.forEach(sendHex)
  socket.end()
  await client.gone()
  await expect.poll(closed).toBe(true)
})

it('waits for the resize stream only where the protocol has one', async () => {
  const { tunnel, spoken } = echoing(['stdin', 'stdout', 'resize'])
  const first = await open({ tunnel }, request('exec', 'v2.channel.k8s.io'))
  for (const [i, type] of ['error', 'stdin', 'stdout'].entries())
    first.send(await first.headers.stream(2 * i + 1, type))
  await expect.poll(() => spoken).toEqual(['v2.channel.k8s.io'])
  socket.destroy()
  await listener.close()
  const second = await open({ tunnel }, request('exec', V4))
  for (const [i, type] of ['error', 'stdin', 'stdout'].entries())
    second.send(await second.headers.stream(2 * i + 1, type))
  await second.until((frames) => frames.length === 3)
  expect(spoken).toHaveLength(1)
  second.send(await second.headers.stream(7, 'resize'), data(7, '{"Width":80,"Height":24}'))
  await second.until((frames) => receivedOn(frames, 5).text === '4:{"Width":80,"Height":24};')
})

it('rejects streams of unknown and duplicate types', async () => {
  const { tunnel } = echoing()
  const client = await open({ tunnel }, request('exec', V4))
  for (const [i, type] of ['error', 'constructor', 'error', ''].entries())
    client.send(await client.headers.stream(2 * i + 1, type))
  const frames = await client.until((all) => all.length === 4)
  expect(frames.map(({ type, stream }) => [type, stream])).toEqual([
    [2, 1],
    [3, 3],
    [3, 5],
    [3, 7],
  ])
})

it('buffers at most 1 MiB before all streams are open', async () => {
  const { tunnel } = echoing()
  const client = await open({ tunnel }, request('exec', V4))
  client.send(await client.headers.stream(1, 'stdin'), data(1, 'x'.repeat(1024 * 1024 + 1)))
  await client.gone()
})

it('closes the connection of a client that does not read', async () => {
  const { tunnel } = echoing()
  const flooding: Tunnel = {
    ...tunnel,
    open(sink) {
      for (let i = 0; i < 64; i++) sink.send(1, new Uint8Array(1024 * 1024))
      return { receive() {}, closed() {} }
    },
  }
  const client = await open({ tunnel: flooding }, request('exec', V4))
  socket.pause()
  client.send(
    await client.headers.stream(1, 'error'),
    await client.headers.stream(3, 'stdin'),
    await client.headers.stream(5, 'stdout'),
  )
  await new Promise((resolve) => setTimeout(resolve, 500))
  socket.resume()
  await client.gone()
  expect(client.received().length).toBeLessThan(40 * 1024 * 1024)
})

it('limits open connections', async () => {
  const client = await open({ tunnel: echoing().tunnel }, request('exec', V4), { streams: 0 })
  expect(client.head()).toMatch(/^HTTP\/1.1 429 /)
})

it.each([
  [
    'no version',
    echoing().tunnel,
    [],
    400,
    'unable to upgrade: X-Stream-Protocol-Version is required\n',
  ],
  [
    'unknown versions',
    echoing().tunnel,
    ['v9.channel.k8s.io', 'x'],
    403,
    `unable to upgrade: unable to negotiate protocol: client supports [v9.channel.k8s.io x], server accepts [${STREAM_PROTOCOLS.join(' ')}]\n`,
  ],
  [
    'no stream',
    echoing([]).tunnel,
    [V4],
    400,
    'you must specify at least 1 of stdin, stdout, stderr\n',
  ],
])('rejects a handshake with %s', async (_, tunnel, versions, status, text) => {
  const client = await open({ tunnel }, request('exec', ...versions))
  await client.gone()
  expect(client.head()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(client.received().toString()).toBe(text)
  const accepted = [
    ...client.head().matchAll(/^x-accepted-stream-protocol-versions: (.*)\r$/gm),
  ].map(([, version]) => version)
  expect(accepted).toEqual(status === 403 ? STREAM_PROTOCOLS : [])
})
