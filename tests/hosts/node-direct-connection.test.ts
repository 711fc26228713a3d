/**
 * The fast HTTP path of the Node host: any bytes in any pieces get the response of Node's server,
 * which handles unusual requests.
 */
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type {
  ApiRequest,
  ApiResponse,
  BodyStream,
  StreamSink,
} from '../../src/engine/http/messages'
import { requestListener } from '../../src/hosts/node/adapter'
import { RequestReader } from '../../src/hosts/node/direct/request-head'
import { type ClientLimits, type Listener, listen } from '../../src/hosts/node/listener'
import { TickBatcher } from '../../src/hosts/node/tick-batcher'
import { respondToUnknownMethod } from '../../src/hosts/node/unknown-method'
import { WatchFlushScheduler } from '../../src/hosts/node/watch-writer'
import { client } from './raw-client'

type TestResponse = (request: ApiRequest) => Promise<ApiResponse> | ApiResponse

const open: { close(): unknown }[] = []
const reported: string[] = []

afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  reported.length = 0
})

async function serve(response: TestResponse, limits: Partial<ClientLimits> = {}): Promise<number> {
  const listener: Listener = await listen(async (request) => response(request), {
    port: 0,
    limits,
    report: (message) => reported.push(message),
  })
  open.push(listener)
  return Number(new URL(listener.address).port)
}

/** The reference: Node's server alone, with the same engine. */
async function serveByNode(response: TestResponse): Promise<number> {
  const flushScheduler = new WatchFlushScheduler()
  const handle = async (request: ApiRequest) => response(request)
  const listener = requestListener(handle, () => {}, {
    flushScheduler,
    batcher: new TickBatcher(flushScheduler),
  })
  const server: Server = createServer({ keepAliveTimeout: 120_000, noDelay: true }, listener)
  server.on('clientError', (error, socket) => {
    if (!respondToUnknownMethod(error, socket, handle))
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => server.closeAllConnections() ?? server.close() })
  return (server.address() as AddressInfo).port
}

/** Returns all bytes the server sends for these pieces, until it closes after the last request. */
async function sendTo(port: number, pieces: readonly string[]): Promise<string> {
  const socket = await client(port)
  const ended = new Promise((resolve) => socket.once('close', resolve))
  for (const piece of pieces) {
    if (!socket.destroyed) socket.write(piece, 'latin1')
    await new Promise(setImmediate)
  }
  await ended
  return socket.output.replace(/^Date: .*$/gm, 'Date: …')
}

/** Responds with everything that the engine sees of a request. */
const echo: TestResponse = async (request) => {
  const headers = request
    .headerNames()
    .map((name) => [name, request.header(name), request.headerValues?.(name)])
  const body = Buffer.from(await request.body()).toString('latin1')
  return {
    status: request.target.startsWith('/none') ? 204 : 200,
    headers: { 'content-type': 'application/json', warning: ['299 - "a"', '299 - "b"'] },
    body: request.target.startsWith('/none')
      ? undefined
      : JSON.stringify({
          method: request.method,
          target: request.target,
          headers: headers.sort(),
          body,
        }),
  } as ApiResponse
}

const LAST = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

describe('a request', () => {
  const target = fc.constantFrom(
    '/api',
    '/none',
    '/api/v1/pods?limit=1&continue=a%2Fb',
    '/a%zz',
    '/x#y',
    '*',
    'http://a/b',
    '/ü',
    '/a b',
  )
  const header = fc.constantFrom(
    ...[
      'Accept: application/json',
      'X-Blank:  \t padded \t',
      'X-Empty:',
      'x-high: \xfc\xa0',
      'X-One: 1',
      'Connection: Keep-Alive',
    ],
    ...[
      'X-One: 2',
      'Bad Name: 1',
      'X-Bad: a\x01b',
      ' folded',
      'Transfer-Encoding: chunked',
      'Expect: 100-continue',
      'Content-Length: 3',
    ],
    ...[
      'Content-Length: +3',
      'Host: b',
      'X-Line: a\nb',
      'Upgrade: h2c',
      'Connection: close, x',
      ': none',
      '__proto__: 1',
    ],
  )
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'get')
  const usual = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
    target: fc.constantFrom('/api', '/none', '/api/v1/pods?a=%zz'),
    headers: fc.constantFrom<string[]>(
      [],
      ['Accept: text/plain'],
      ['x-high: \xfc', 'Connection: keep-alive'],
    ),
    version: fc.constant('1.1'),
    body: fc.constantFrom('', '{}', 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n', '\xfc\x00'),
    notified: fc.constant(true),
  })
  const any = fc.record({
    method,
    target,
    headers: fc.array(header, { maxLength: 3 }),
    version: fc.constantFrom('1.1', '1.1', '1.1', '1.0', '1.2'),
    body: fc.constantFrom('', '3', 'abc'),
    /** Whether the request has Content-Length. */
    notified: fc.boolean(),
  })
  const text = fc
    .oneof({ weight: 2, arbitrary: usual }, { weight: 1, arbitrary: any })
    .map(({ notified, ...request }) => {
      const headers = [
        'Host: a',
        ...request.headers,
        ...(notified && request.body !== '' ? [`Content-Length: ${request.body.length}`] : []),
      ]
      return `${request.method} ${request.target} HTTP/${request.version}\r\n${headers.join('\r\n')}\r\n\r\n${request.body}`
    })

  it("gets the response of Node's server, whatever its bytes and pieces", async () => {
    const [direct, usualServer] = [await serve(echo), await serveByNode(echo)]
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(400), { maxLength: 4 }),
        async (texts, cuts) => {
          const all = texts.join('') + LAST
          const places = [...new Set(cuts)]
            .filter((cut) => cut > 0 && cut < all.length)
            .sort((a, b) => a - b)
          const inPieces = [0, ...places].map((from, i) => all.slice(from, places[i]))
          const pieces = cuts.length === 0 ? [...texts, LAST] : inPieces
          // Error texts for invalid HTTP differ, and so does the amount read before the error.
          const spoken = (output: string) => output.split('HTTP/1.1 400')[0]
          expect(spoken(await sendTo(direct, pieces))).toBe(
            spoken(await sendTo(usualServer, pieces)),
          )
        },
      ),
      { numRuns: 300 },
    )
  }, 60_000)

  it('takes the fast path when it is complete and not unusual', () => {
    const read = (output: string) => new RequestReader().read(Buffer.from(output, 'latin1'))
    const whole = 'PATCH /api?a=b HTTP/1.1\r\nHost: a\r\nCONTENT-length: 2\r\nX-A:\t 1 \r\n\r\n{}'
    expect(read(whole)).toMatchObject({ method: 'PATCH', target: '/api?a=b' })
    expect([...(read(whole)?.headers ?? [])]).toEqual([
      ['host', 'a'],
      ['content-length', '2'],
      ['x-a', '1'],
    ])
    expect(read(whole.slice(0, -1))).toBeUndefined()
    expect(read(`${whole} `)).toBeUndefined()
    expect(read(whole.replace('Host', 'Hose'))).toBeUndefined()
    for (const unusual of [
      'Transfer-Encoding: chunked',
      'Expect: 100-continue',
      'Upgrade: websocket',
      'Host: b',
      'Connection: close',
      'a b: c',
    ])
      expect(read(whole.replace('X-A:\t 1 ', unusual)), unusual).toBeUndefined()
  })

  it('is parsed in linear time, whatever its content', () => {
    const blanks = ' '.repeat(60_000)
    const hostile = [
      `X-A:${blanks}\x01`,
      `X-A: a${blanks}b`,
      `${'x'.repeat(60_000)}`,
      `X-A:${blanks}`,
    ]
    const read = (header: string) =>
      new RequestReader().read(
        Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`, 'latin1'),
      )
    // A quadratic scan of blanks would exceed the test's timeout by minutes.
    expect(hostile.map((header) => read(header)?.headers.get('x-a')?.length)).toEqual([
      undefined,
      60_002,
      undefined,
      0,
    ])
  })

  it('is not confused with an earlier one whose head has the same prefix', async () => {
    const port = await serve(echo)
    const sendRequest = (accept: string, connection = '') =>
      `GET /api HTTP/1.1\r\nHost: a\r\nAccept: ${accept}\r\n${connection}\r\n`
    const output = await sendTo(port, [
      sendRequest('one'),
      sendRequest('one'),
      sendRequest('two'),
      sendRequest('one', 'Connection: close\r\n'),
    ])
    expect(output.match(/"accept","\w+"/g)).toEqual(
      ['one', 'one', 'two', 'one'].map((accept) => `"accept","${accept}"`),
    )
  })

  it('that is pipelined gets its response after the earlier one', async () => {
    const slowThenFast: TestResponse = async ({ target }) => {
      if (target === '/slow') await sleep(50)
      return { status: 200, headers: {}, body: target }
    }
    const output = await sendTo(await serve(slowThenFast), [
      'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /fast HTTP/1.1\r\nHost: a\r\n\r\n',
      LAST,
    ])
    expect(output.match(/^\/\w+(?=HTTP|$)/gm)).toEqual(['/slow', '/fast', '/last'])
  })

  it('is not read while the client does not read earlier responses', async () => {
    let requested = 0
    const large = 'x'.repeat(4 * 1024 * 1024)
    const port = await serve(() => ({ status: 200, headers: {}, body: `${++requested}${large}` }))
    const socket = connect(port, '127.0.0.1')
    socket.pause()
    for (let i = 0; i < 20; i++) {
      socket.write('GET /api HTTP/1.1\r\nHost: a\r\n\r\n')
      await sleep(10)
    }
    expect(requested).toBeLessThan(10)
    socket.destroy()
  })
})

describe('a response', () => {
  it('with a header that contains a line break is not sent, and reported', async () => {
    const port = await serve(({ target }) => ({
      status: 200,
      headers: { warning: decodeURIComponent(target.slice(1)) },
      body: 'sent',
    }))
    expect(await sendTo(port, ['GET /a%0d%0aset-cookie:b HTTP/1.1\r\nHost: a\r\n\r\n'])).toBe('')
    expect(reported).toEqual(['GET /a%0d%0aset-cookie:b'])
  })

  it('is a plain 500 when the engine fails, and the connection continues', async () => {
    const port = await serve(async ({ target }) => {
      if (target === '/fails') throw new Error('no')
      return { status: 200, headers: {}, body: 'fine' }
    })
    const output = await sendTo(port, ['GET /fails HTTP/1.1\r\nHost: a\r\n\r\n', LAST])
    expect(output).toMatch(/^HTTP\/1\.1 500 [\s\S]*HTTP\/1\.1 200 /)
    expect(reported).toEqual(['GET /fails'])
  })

  it.each(['ü'.repeat(10), 'ü'.repeat(20_000), 'a'.repeat(40_000)])(
    'has its length in bytes',
    async (body) => {
      const address = `http://127.0.0.1:${await serve(() => ({ status: 200, headers: { 'x-high': '\xfc' }, body }))}`
      for (let i = 0; i < 2; i++) {
        const response = await fetch(address)
        expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
        expect(response.headers.get('x-high')).toBe('\xfc')
        expect(await response.text()).toBe(body)
      }
    },
  )

  it('that streams ends with its last chunk, and the connection serves the next request', async () => {
    const sinks: StreamSink[] = []
    const body: BodyStream = {
      start: (sink) => {
        sinks.push(sink)
        return () => {}
      },
    }
    const socket = await client(
      await serve(({ target }) => ({
        status: 200,
        headers: {},
        body: target === '/watch' ? body : 'fine',
      })),
    )
    socket.write('GET /watch HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => socket.output).toMatch(/Transfer-Encoding: chunked\r\n/)
    sinks[0]?.write('one\n')
    await expect.poll(() => socket.output).toMatch(/\r\n\r\n4\r\none\n\r\n$/)
    sinks[0]?.end()
    await expect.poll(() => socket.output).toMatch(/0\r\n\r\n$/)
    socket.write(LAST)
    await expect.poll(() => socket.output).toMatch(/0\r\n\r\nHTTP\/1\.1 200 [\s\S]*fine$/)
  })

  it('that is pending or streams is canceled when the client disconnects', async () => {
    const seen: string[] = []
    const body: BodyStream = { start: () => () => void seen.push('stream') }
    const port = await serve((request) => {
      if (request.target === '/watch') return { status: 200, headers: {}, body }
      request.onClose?.(() => void seen.push('awaited'))
      return new Promise(() => {})
    })
    for (const path of ['watch', 'wait']) {
      const socket = await client(port)
      socket.write(`GET /${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
      await sleep(30)
      // Half of the clients close the connection, the others reset it.
      if (path === 'watch') socket.end()
      else socket.resetAndDestroy()
    }
    await expect.poll(() => seen.sort()).toEqual(['awaited', 'stream'])
  })
})

describe('a connection', () => {
  it('without a request is closed: with 408 before the first, silently later', async () => {
    const port = await serve(() => ({ status: 200, headers: {}, body: 'fine' }), {
      head: 100,
      idle: 200,
    })
    expect(await sendTo(port, [])).toMatch(/^HTTP\/1\.1 408 Request Timeout/)
    expect(await sendTo(port, ['GET /api HTTP/1.1\r\nHost: a\r\n\r\n'])).toMatch(/fine$/)
  })

  it('stays open while its request is processed, however long that takes', async () => {
    const port = await serve(
      async () => {
        await sleep(400)
        return { status: 200, headers: {}, body: 'fine' }
      },
      { head: 50, idle: 100 },
    )
    expect(await sendTo(port, ['GET /api HTTP/1.1\r\nHost: a\r\n\r\n'])).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*fine$/,
    )
  })

  it('of a closing server ends after its response is sent', async () => {
    const port = await serve(async () => {
      await sleep(100)
      return { status: 200, headers: {}, body: 'fine' }
    })
    const socket = await client(port)
    const idle = await client(port)
    const ended = Promise.all(
      [socket, idle].map((one) => new Promise((resolve) => one.once('close', resolve))),
    )
    socket.write('GET /api HTTP/1.1\r\nHost: a\r\n\r\n')
    await sleep(20)
    await open.pop()?.close()
    await ended
    expect(socket.output).toMatch(/fine$/)
  })
})
