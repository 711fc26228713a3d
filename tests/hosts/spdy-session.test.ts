/** SPDY/3.1 sessions: frames of the real client's library, and invalid frames. */
import { expect, it } from 'vitest'
import { DICTIONARY } from '../../src/hosts/node/spdy/dictionary'
import {
  SpdySession,
  type SpdyStream,
  type StreamListener,
} from '../../src/hosts/node/spdy/session'
import {
  block,
  Compressor,
  control,
  Decompressor,
  data,
  framesIn,
  numbers,
  receivedOn,
} from './spdy-client'

/**
 * The bytes that github.com/moby/spdystream/spdy v0.5.1 writes for the streams of a remote command
 * (`streamType`).
 */
const GO = {
  error:
    '80030001000000290000000100000000000078f9e3c6a7c26260606004a7b392a2d4c45c6851c29a0a0a6800000000ffff',
  stdin: '800300010000001700000003000000000000c22e555c92929907000000ffff',
  stdout: '800300010000001900000005000000000000c22ac5565c92925f5a02000000ffff',
  stderr: '800300010000001500000007000000000000c229975a5404000000ffff',
  ping: '800300060000000400000001',
  data: '00000003000000026869',
  fin: '0000000301000000',
  reset: '80030003000000080000000300000005',
  goAway: '80030007000000080000000000000000',
}
const TYPES = { synReply: 2, rstStream: 3, ping: 6, goAway: 7 }

interface Seen {
  stream: SpdyStream
  text: string
  opened: boolean
  ended: boolean
  closed: boolean
}

function session(accept: (stream: SpdyStream) => boolean = () => true) {
  const streams: Seen[] = []
  const sent: Buffer[] = []
  const state = { ended: false, over: false }
  const wire = {
    write: (bytes: Buffer) => void sent.push(bytes),
    end() {
      state.ended = true
    },
  }
  const listenerOf = (stream: SpdyStream): StreamListener | undefined => {
    if (!accept(stream)) return undefined
    const seen: Seen = { stream, text: '', opened: false, ended: false, closed: false }
    streams.push(seen)
    return {
      opened: () => void (seen.opened = true),
      receive: (bytes) => void (seen.text += bytes.toString()),
      ended: () => void (seen.ended = true),
      closed: () => void (seen.closed = true),
    }
  }
  const own = new SpdySession(wire, listenerOf, () => void (state.over = true))
  return {
    own,
    streams,
    state,
    frames: () => framesIn(Buffer.concat(sent)),
    take: (hex: string) => own.take(Buffer.from(hex, 'hex')),
  }
}

it('has the dictionary of the specification, by its Adler-32', () => {
  let [a, b] = [1, 0]
  for (const byte of DICTIONARY) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  expect([DICTIONARY.length, (b * 65_536 + a).toString(16)]).toEqual([1423, 'e3c6a7c2'])
})

it.each(['at once', 'byte by byte'])('parses the frames of the real client, %s', async (how) => {
  const { own, streams, frames } = session()
  const bytes = Buffer.from(
    [GO.error, GO.stdin, GO.stdout, GO.stderr, GO.ping, GO.data, GO.fin].join(''),
    'hex',
  )
  if (how === 'at once') own.take(bytes)
  else for (let i = 0; i < bytes.length; i++) own.take(bytes.subarray(i, i + 1))
  expect(streams.map(({ stream }) => [stream.id, [...stream.headers]])).toEqual([
    [1, [['streamtype', 'error']]],
    [3, [['streamtype', 'stdin']]],
    [5, [['streamtype', 'stdout']]],
    [7, [['streamtype', 'stderr']]],
  ])
  expect(streams[1]).toMatchObject({ text: 'hi', opened: true, ended: true })
  expect(frames().map(({ type, stream }) => [type, stream])).toEqual([
    [TYPES.synReply, 1],
    [TYPES.synReply, 3],
    [TYPES.synReply, 5],
    [TYPES.synReply, 7],
    [TYPES.ping, 1],
  ])
  const replies = new Decompressor()
  for (const { content } of frames().slice(0, 4))
    expect(await replies.decompress(content.subarray(4))).toEqual(numbers(0))
})

it('sends data, half-closes a stream, and sends the last stream ID in GOAWAY', () => {
  const { streams, own, frames, take, state } = session()
  take(GO.error)
  take(GO.stdin)
  for (const { stream } of streams) {
    stream.send(`for ${stream.id}`)
    stream.end()
    stream.send('too late')
  }
  own.leave()
  const all = frames()
  expect([receivedOn(all, 1), receivedOn(all, 3)]).toEqual([
    { text: 'for 1', ended: true },
    { text: 'for 3', ended: true },
  ])
  expect(all.at(-1)).toMatchObject({ type: TYPES.goAway, content: numbers(3, 0) })
  expect(state.ended).toBe(false)
  // The connection ends with the last stream.
  take(GO.fin)
  take('0000000101000000')
  expect(state).toEqual({ ended: true, over: true })
})

it('handles RST_STREAM and GOAWAY of the client', () => {
  const { streams, take, frames, state } = session()
  take(GO.error)
  take(GO.stdin)
  take(GO.reset)
  expect(streams.map(({ closed }) => closed)).toEqual([false, true])
  streams[1]?.stream.send('to no stream')
  expect(receivedOn(frames(), 3).text).toBe('')
  take(GO.goAway)
  expect(state.ended).toBe(false)
  take('80030003000000080000000100000005')
  expect(state.ended).toBe(true)
})

it('ignores settings, windows, unknown frames, headers, and data of closed streams', async () => {
  const { own, streams, frames, take } = session()
  const client = new Compressor()
  take(GO.data)
  own.take(control(4, Buffer.concat([numbers(1), numbers(7, 65_536)])))
  own.take(control(9, numbers(1, 1000)))
  own.take(control(77, Buffer.from('whatever')))
  own.take(control(6, numbers(2)))
  own.take(await client.stream(1, 'error'))
  // These frames still advance the state of header compression.
  own.take(control(8, Buffer.concat([numbers(1), await client.compress(block('later', 'yes'))])))
  own.take(await client.stream(3, 'stdout'))
  expect(streams.map(({ stream }) => stream.headers.get('streamtype'))).toEqual(['error', 'stdout'])
  expect(frames().map(({ type }) => type)).toEqual([TYPES.synReply, TYPES.synReply])
})

it('splits data of any length into frames', () => {
  const { own, streams, take } = session()
  take(GO.error)
  const whole = data(1, 'x'.repeat(300_000), true)
  for (let at = 0; at < whole.length; at += 70_001) own.take(whole.subarray(at, at + 70_001))
  expect(streams[0]).toMatchObject({ text: 'x'.repeat(300_000), ended: true })
})

it('rejects streams of the listener, even or decreasing IDs, and too many streams', async () => {
  const { own, streams, frames } = session((stream) => stream.headers.get('streamtype') !== 'bad')
  const client = new Compressor()
  own.take(await client.stream(5, 'error'))
  own.take(await client.stream(7, 'bad'))
  own.take(await client.stream(8, 'data'))
  own.take(await client.stream(3, 'data'))
  const resets = () =>
    frames()
      .filter(({ type }) => type === TYPES.rstStream)
      .map(({ content }) => [content.readUInt32BE(0), content.readUInt32BE(4)])
  expect(resets()).toEqual([
    [7, 5],
    [8, 1],
    [3, 1],
  ])
  for (let id = 9; streams.length < 1000; id += 2) own.take(await client.stream(id, 'data'))
  own.take(await client.stream(99_999, 'data'))
  expect(resets().at(-1)).toEqual([99_999, 3])
})

const bomb = async () =>
  new Compressor().synStream(1, block('streamtype', '\0'.repeat(60 * 1024 * 1024)))
const compressed = (content: Buffer) => new Compressor().synStream(1, content)

it.each<[string, () => Promise<Buffer> | Buffer]>([
  ['a header block of 60 MiB in 60 KiB', bomb],
  [
    'a header that is longer than its block',
    () => compressed(Buffer.concat([numbers(1, 0xffffffff), Buffer.from('x')])),
  ],
  ['a block that ends early', () => compressed(numbers(5))],
  ['four billion headers', () => compressed(numbers(0xffffffff, 0, 0))],
  [
    'a hundred and one headers',
    () => compressed(block(...Array.from({ length: 202 }, (_, i) => `h${i}`))),
  ],
  [
    'another dictionary',
    () => control(1, Buffer.concat([numbers(1, 0), Buffer.from('000078bbffffffff00', 'hex')])),
  ],
  [
    'no zlib',
    () => control(1, Buffer.concat([numbers(1, 0), Buffer.from('0000ffffffffffffffffff', 'hex')])),
  ],
  [
    'garbage behind the head of zlib',
    () => control(1, Buffer.concat([numbers(1, 0), Buffer.from('000078bbe3c6a7c2ffffff', 'hex')])),
  ],
  ['a control frame of 16 MiB', () => Buffer.from('8003000100ffffff', 'hex')],
  ['a control frame that ends early', () => control(1, Buffer.of(1, 2))],
  ['a reset without its reason', () => control(3, numbers(1))],
  ['SPDY/2', () => control(6, numbers(1), 0, 2)],
])('ends the connection with a protocol error: %s', async (_, bytes) => {
  const { own, frames, state, streams, take } = session()
  own.take(await bytes())
  expect(frames().map(({ type, content }) => [type, content.readUInt32BE(4)])).toEqual([
    [TYPES.goAway, 1],
  ])
  expect(state).toEqual({ ended: true, over: true })
  take(GO.ping)
  expect(frames()).toHaveLength(1)
  expect(streams).toEqual([])
})
