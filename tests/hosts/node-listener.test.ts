import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectSecurely } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import type { ApiRequest, ApiResponse, BodyStream } from '../../src/engine/http/messages'
import { servingCertificate } from '../../src/hosts/node/certificate'
import { type Listener, listen } from '../../src/hosts/node/listener'

let listener: Listener | undefined
const reported: string[] = []

async function serve(
  handle: (request: ApiRequest) => Promise<ApiResponse> | ApiResponse,
): Promise<string> {
  listener = await listen(async (request) => handle(request), {
    port: 0,
    report: (message) => reported.push(message),
  })
  return listener.address
}

afterEach(async () => {
  await listener?.close()
  listener = undefined
  reported.length = 0
})

const text = (body: string): ApiResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body,
})

describe('a request over HTTPS', () => {
  it('may be pipelined, with its body in a separate TLS record', async () => {
    const large = 'x'.repeat(8 * 1024 * 1024)
    const identity = servingCertificate('kubetab', Date.now())
    listener = await listen(
      async (request) =>
        text(request.method === 'GET' ? large : `${(await request.body()).length} bytes`),
      {
        port: 0,
        identity,
        report: (message) => reported.push(message),
      },
    )
    const { hostname, port } = new URL(listener.address)
    const wire = connect({ host: hostname, port: Number(port) })
    // The client corks its writes, so the server decrypts several records at once.
    const records: Buffer[] = []
    const gathering = new Duplex({
      read: () => void wire.resume(),
      write(record: Buffer, _encoding, done) {
        if (records.push(record) === 1)
          setTimeout(() => wire.write(Buffer.concat(records.splice(0))), 20)
        done()
      },
    })
    wire.on('data', (chunk) => {
      if (!gathering.push(chunk)) wire.pause()
    })
    wire.on('end', () => gathering.push(null))
    const socket = connectSecurely({ socket: gathering, ca: identity.authority, host: hostname })
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    // The socket buffers are full. The server waits until the client reads.
    await new Promise((resolve) => setTimeout(resolve, 300))
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 40000\r\n\r\n')
    for (let sent = 0; sent < 4; sent++) socket.write('y'.repeat(10_000))
    let responses = ''
    for await (const chunk of socket) responses += chunk
    expect(responses.match(/HTTP\/1\.1 .*/g)).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK'])
    expect(responses.slice(-11)).toBe('40000 bytes')
  })
})

describe('a request over HTTP', () => {
  it('reaches the engine unchanged', async () => {
    const server = await serve(async (request) =>
      text(
        JSON.stringify([
          request.method,
          request.target,
          request.header('x-one'),
          request.header('absent'),
          new TextDecoder().decode(await request.body()),
        ]),
      ),
    )
    const response = await fetch(`${server}/api/v1/pods?limit=1&continue=a%2Fb`, {
      method: 'POST',
      headers: { 'X-One': 'yes' },
      body: 'körper',
    })
    expect(await response.json()).toEqual([
      'POST',
      '/api/v1/pods?limit=1&continue=a%2Fb',
      'yes',
      null,
      'körper',
    ])
  })

  it('keeps one byte of the body above the limit of the API', async () => {
    const server = await serve(async (request) => text(String((await request.body()).length)))
    const response = await fetch(server, { method: 'POST', body: new Uint8Array(4 * 1024 * 1024) })
    expect(await response.text()).toBe(String(3 * 1024 * 1024 + 1))
  })

  it('may have an absolute URL as target, as for a proxy', async () => {
    const server = await serve(({ target }) => text(target))
    const requested = async (target: string) =>
      (await raw(server, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).split(
        '\r\n\r\n',
      )[1]
    expect(await requested('http://x:80/api/v1?a=b')).toBe('/api/v1?a=b')
    expect(await requested('https://x')).toBe('/')
    expect(await requested('/http://x/')).toBe('/http://x/')
  })

  it('with an invalid escape in its path is rejected', async () => {
    const server = await serve(() => text('served'))
    const requested = (target: string) =>
      raw(server, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    for (const target of ['/a%', '/a%zz/b', '/a%2?b'])
      expect(await requested(target)).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\n\r\n400 Bad Request$/)
    expect(await requested('/a%20?b=%')).toMatch(/served$/)
  })

  it('may have an unknown method', async () => {
    const server = await serve((request) => ({
      status: 405,
      headers: { 'content-type': 'text/plain' },
      body: `${request.method} ${request.target} ${request.header('accept')}`,
    }))
    const response = await raw(
      server,
      'FROB /api/v1/pods HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n',
    )
    expect(response).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/)
    expect(response).toMatch(/\r\n\r\nFROB \/api\/v1\/pods application\/json$/)
  })

  it('with invalid HTTP is rejected', async () => {
    const server = await serve(() => text('never'))
    expect(await raw(server, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request/)
  })
})

describe('a response over HTTP', () => {
  it('has its length, and repeats a header with several values', async () => {
    const server = await serve(() => ({
      status: 201,
      headers: { warning: ['299 - "a"', '299 - "b"'], 'content-type': 'application/json' },
      body: '{"ü":1}',
    }))
    const response = await fetch(server)
    expect(response.status).toBe(201)
    expect(response.headers.get('content-length')).toBe('8')
    expect(response.headers.get('warning')).toBe('299 - "a", 299 - "b"')
    expect(await response.text()).toBe('{"ü":1}')
  })

  it('may be bytes or empty', async () => {
    const server = await serve((request) =>
      request.target === '/bytes'
        ? { status: 200, headers: {}, body: new Uint8Array([107, 56, 115, 0]) }
        : { status: 204, headers: {}, body: request.target === '/empty' ? '' : undefined },
    )
    expect([...new Uint8Array(await (await fetch(`${server}/bytes`)).arrayBuffer())]).toEqual([
      107, 56, 115, 0,
    ])
    for (const path of ['/none', '/empty']) {
      const { status, headers } = await fetch(`${server}${path}`)
      expect([status, headers.get('content-length')]).toEqual([204, null])
    }
  })

  it('has a length but no body for HEAD', async () => {
    const server = await serve(() => text('hello'))
    const response = await fetch(server, { method: 'HEAD' })
    expect(response.headers.get('content-length')).toBe('5')
    expect(await response.text()).toBe('')
  })

  it('waits for earlier responses on the same connection', async () => {
    let release = () => {}
    const first = new Promise<void>((resolve) => {
      release = resolve
    })
    const server = await serve(async ({ target }) => {
      if (target === '/1') await first
      else setTimeout(release, 20)
      return text(`reply ${target} ÿ`)
    })
    const response = await raw(
      server,
      'GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    )
    expect(response.match(/reply \S+/g)).toEqual(['reply /1', 'reply /2'])
    expect(response.match(/content-length: 11\r\n/g)).toHaveLength(2)
  })

  it('keeps the connection usable when the request body was not read', async () => {
    const server = await serve(() => text('unread'))
    for (let i = 0; i < 3; i++)
      expect(
        await (await fetch(server, { method: 'POST', body: 'x'.repeat(100_000) })).text(),
      ).toBe('unread')
  })

  it('is a plain 500, and a report, when the engine fails', async () => {
    const server = await serve(() => {
      throw new Error('broken')
    })
    const response = await fetch(`${server}/path`)
    expect([response.status, await response.text()]).toEqual([500, 'Internal Server Error\n'])
    expect(reported).toEqual(['GET /path'])
  })
})

describe('a watch over HTTP', () => {
  it('sends its head before the first event, then events as they come, then ends', async () => {
    const { body, sink } = openStream()
    const server = await serve(() => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body,
    }))
    const response = await get(server)
    expect(response.statusCode).toBe(200)
    const received = collect(response)
    const { write, end } = await sink
    write('{"n":1}\n')
    write(new TextEncoder().encode('{"n":2}\n'))
    await later()
    write('{"n":3}\n')
    end()
    expect(await received).toBe('{"n":1}\n{"n":2}\n{"n":3}\n')
  })

  it('is canceled when the client disconnects', async () => {
    const { body, sink, canceled } = openStream()
    const server = await serve(() => ({ status: 200, headers: {}, body }))
    const response = await get(server)
    await sink
    response.destroy()
    await canceled
  })

  it('notifies the engine of backpressure', async () => {
    const { body, sink, canceled } = openStream()
    const server = await serve(() => ({ status: 200, headers: {}, body }))
    const response = await get(server)
    const { write } = await sink
    expect(write('first\n')).toBe(true)
    response.pause()
    const chunk = 'x'.repeat(512 * 1024)
    let keepsUp = true
    for (let i = 0; i < 200 && keepsUp; i++) {
      keepsUp = write(chunk)
      await later()
    }
    expect(keepsUp).toBe(false)
    response.destroy()
    await canceled
  })

  it('is closed when its buffer exceeds the limit', async () => {
    const { body, sink, canceled } = openStream()
    const server = await serve(() => ({ status: 200, headers: {}, body }))
    const response = await get(server)
    response.on('error', () => {})
    response.pause()
    const { write } = await sink
    const chunk = 'x'.repeat(4 * 1024 * 1024)
    for (let i = 0; i < 20; i++) {
      write(chunk)
      await later()
    }
    await canceled
  })
})

type Sink = Parameters<BodyStream['start']>[0]

/** A stream whose sink is available once the host starts it. */
function openStream(): { body: BodyStream; sink: Promise<Sink>; canceled: Promise<void> } {
  let started: (sink: Sink) => void = () => {}
  let cancel: () => void = () => {}
  const sink = new Promise<Sink>((resolve) => {
    started = (given) =>
      resolve({
        write: (chunk) => given.write(chunk),
        end: () => given.end(),
        abort: () => given.abort(),
      })
  })
  const canceled = new Promise<void>((resolve) => {
    cancel = resolve
  })
  const body: BodyStream = {
    start(given) {
      started(given)
      return cancel
    },
  }
  return { body, sink, canceled }
}

function get(server: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) =>
    httpRequest(server, { agent: false }, resolve).on('error', reject).end(),
  )
}

async function collect(response: IncomingMessage): Promise<string> {
  let received = ''
  for await (const chunk of response) received += chunk
  return received
}

/** Sends raw bytes and collects the output until the connection ends. */
function raw(server: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(new URL(server).port), '127.0.0.1', () => socket.write(request))
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('end', () => resolve(received))
    socket.on('error', reject)
  })
}

const later = () => new Promise((resolve) => setImmediate(resolve))
