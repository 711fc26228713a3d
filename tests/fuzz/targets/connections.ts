import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { ApiRequest, ApiResponse, BodyStream } from '../../../src/engine/http/messages'
import { listen } from '../../../src/hosts/node/listener'
import type { FuzzTarget } from './target'

/** Goes on for a moment. */
const stream = (): BodyStream => ({
  start(sink) {
    const beat = setInterval(() => sink.write('x\n'), 1)
    const end = setTimeout(() => {
      clearInterval(beat)
      sink.end()
    }, 4)
    return () => {
      clearInterval(beat)
      clearTimeout(end)
    }
  },
})

/** An engine whose behavior depends on words in the request target. */
async function response(request: ApiRequest): Promise<ApiResponse> {
  const { target } = request
  if (target.includes('slow')) await sleep(3)
  if (target.includes('fail')) throw new Error('the target contains "fail"')
  if (target.includes('watch'))
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: stream() }
  const body = target.includes('unread') ? '' : Buffer.from(await request.body()).toString('latin1')
  if (target.includes('none')) return { status: 204, headers: {} }
  const headers: Record<string, string> = target.includes('last') ? { connection: 'close' } : {}
  return { status: 200, headers, body: body + 'x'.repeat(target.includes('large') ? 200_000 : 3) }
}

const WEB_SOCKET =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
const request = fc
  .record({
    method: fc.constantFrom(
      'GET',
      'GET',
      'POST',
      'DELETE',
      'HEAD',
      'PATCH',
      'FOO',
      'CONNECT',
      'PRI',
      'get',
    ),
    target: fc.constantFrom(
      ...[
        '/a',
        '/slow',
        '/none',
        '/a%zz',
        '/last',
        '/slow-last',
        '/watch',
        '/slow-watch',
        '/fail',
        '/slow-fail',
        '/large',
        '/slow-large',
      ],
      ...['/unread', '/api/v1/namespaces/a/pods/b/exec', '*', 'http://a/b', '/ü'],
    ),
    version: fc.constantFrom('1.1', '1.1', '1.1', '1.0', '1.2'),
    host: fc.constantFrom('Host: a', 'Host: a', 'Host: a', 'X: no host'),
    headers: fc.array(
      fc.constantFrom(
        ...[
          'Connection: keep-alive, x',
          'Connection: close',
          'Connection: Upgrade\r\nUpgrade: h2c',
          WEB_SOCKET,
          'Expect: 100-continue',
        ],
        ...[
          'Expect: x',
          'Transfer-Encoding: chunked',
          'Content-Length: 3',
          'Content-Length: 0',
          'Host: b',
          'Bad Name: 1',
          'X: a\x01b',
        ],
      ),
      { maxLength: 2 },
    ),
    body: fc.constantFrom(
      '',
      '',
      '{}',
      'abc',
      '0\r\n\r\n',
      '3\r\nabc\r\n0\r\n\r\n',
      'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n',
    ),
    reported: fc.boolean(),
  })
  .map(({ method, target, version, host, headers, body, reported }) => {
    const lines = [
      `${method} ${target} HTTP/${version}`,
      host,
      ...headers,
      ...(reported ? [`Content-Length: ${body.length}`] : []),
    ]
    return `${lines.join('\r\n')}\r\n\r\n${body}`
  })

const pieces = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 5 }),
  cuts: fc.array(fc.nat(400), { maxLength: 3 }),
  pauses: fc.array(fc.constantFrom(0, 1, 5), { minLength: 4, maxLength: 4 }),
  ending: fc.constantFrom('waits', 'ends', 'goes'),
})

type Sent = typeof pieces extends fc.Arbitrary<infer Value> ? Value : never

async function send(port: number, { requests, cuts, pauses, ending }: Sent): Promise<void> {
  const all = requests.join('')
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.on('data', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const places = [...new Set(cuts)].filter((cut) => cut < all.length).sort((a, b) => a - b)
  for (const [i, place] of [0, ...places].entries()) {
    if (!socket.destroyed) socket.write(all.slice(place, places[i]), 'latin1')
    await sleep(pauses[i])
  }
  if (ending === 'goes') socket.destroy()
  else if (ending === 'ends') socket.end()
  await Promise.race([closed, sleep(10)])
  socket.destroy()
}

/** What no one caught would have been the end of the process. */
async function survives(sent: Sent): Promise<void> {
  const uncaught: unknown[] = []
  const note = (error: unknown) => void uncaught.push(error)
  process.on('uncaughtException', note)
  const listener = await listen(response, { port: 0, report: () => {} })
  try {
    const port = Number(new URL(listener.address).port)
    await send(port, sent)
    await sleep(5)
    expect(uncaught).toEqual([])
  } finally {
    await listener.close()
    process.off('uncaughtException', note)
  }
}

export const connections: FuzzTarget = {
  name: 'connections',
  what: 'bytes over a connection, sent ahead of responses and in arbitrary pieces',
  short: 150,
  property: fc.asyncProperty(pieces, survives),
}
