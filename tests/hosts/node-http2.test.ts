/** The HTTPS port serves HTTP/2 by ALPN, as kube-apiserver does, and HTTP/1.1 otherwise. */
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { afterEach, describe, expect, it } from 'vitest'
import type { ApiRequest, ApiResponse, StreamSink } from '../../src/engine/http/messages'
import { type Listener, type ListenOptions, listen } from '../../src/hosts/node/listener'
import { identity, reported, reporting, SIGNED, send, settled, text } from './http2-requests'

let listener: Listener | undefined
let session: ClientHttp2Session | undefined

async function serve(
  handle: (request: ApiRequest) => Promise<ApiResponse> | ApiResponse,
  options: Partial<ListenOptions> = {},
): Promise<ClientHttp2Session> {
  const report = (message: string) => reported.push(message)
  listener = await listen(async (request) => handle(request), {
    port: 0,
    identity,
    report,
    ...options,
  })
  session = connect(listener.address, { ca: identity.authority })
  session.on('error', () => {})
  return session
}

afterEach(async () => {
  session?.destroy()
  await listener?.close()
  listener = session = undefined
  reported.length = 0
})

describe('a request over HTTP/2', () => {
  it('reaches the engine unchanged', async () => {
    const client = await serve(async (request) =>
      text(
        JSON.stringify([
          request.method,
          request.target,
          request.header('host'),
          request.header('x-one'),
          request.headerValues?.('x-many'),
          request.headerNames().filter((name) => name.startsWith(':')),
          new TextDecoder().decode(await request.body()),
        ]),
      ),
    )
    const headers = {
      ':method': 'POST',
      ':path': '/api/v1/pods?continue=a%2Fb',
      'x-one': 'yes',
      'x-many': ['a', 'b'],
    }
    const { body } = await send(client, headers, 'körper')
    const host = new URL(listener?.address ?? '').host
    expect(JSON.parse(body)).toEqual([
      'POST',
      '/api/v1/pods?continue=a%2Fb',
      host,
      'yes',
      ['a', 'b'],
      [],
      'körper',
    ])
  })

  it('gets all headers but those of a connection', async () => {
    const client = await serve(() =>
      text('kühl', { warning: ['299 - "one"', '299 - "two"'], connection: 'close' }),
    )
    const { headers, body } = await send(client, { ':path': '/' })
    expect(body).toBe('kühl')
    expect(headers).toMatchObject({
      ':status': 200,
      'content-type': 'text/plain',
      'content-length': '5',
      warning: '299 - "one", 299 - "two"',
    })
    expect(headers).not.toHaveProperty('connection')
  })

  it('with HEAD gets headers only', async () => {
    const client = await serve(() => text('body'))
    const { headers, body } = await send(client, { ':method': 'HEAD', ':path': '/' })
    expect([headers[':status'], headers['content-length'], body]).toEqual([200, '4', ''])
  })

  it('with a body above the limit is read to its end, and the engine sees the excess', async () => {
    const client = await serve(async (request) => text(String((await request.body()).length)))
    const { body } = await send(
      client,
      { ':method': 'POST', ':path': '/' },
      Buffer.alloc(5 * 1024 * 1024),
    )
    expect(body).toBe(String(3 * 1024 * 1024 + 1))
  })

  it('may get its response before its body was read', async () => {
    const client = await serve(() => ({ ...text('no'), status: 409 }))
    const { headers, body } = await send(
      client,
      { ':method': 'POST', ':path': '/' },
      Buffer.alloc(1024 * 1024),
    )
    expect([headers[':status'], body]).toEqual([409, 'no'])
  })

  it('gets 100 Continue if it waits for that', async () => {
    const client = await serve(async (request) =>
      text(new TextDecoder().decode(await request.body())),
    )
    const stream = client.request({
      ...SIGNED,
      ':method': 'POST',
      ':path': '/',
      expect: '100-continue',
    })
    await new Promise((resolve) => stream.once('continue', resolve))
    stream.end('now')
    let body = ''
    for await (const chunk of stream) body += chunk
    expect(body).toBe('now')
  })

  it.each(['cut off', 'too slow'])(
    'that is %s before its body is complete fails in the engine, and is not reported',
    async (how) => {
      const failures: string[] = []
      const limits = how === 'too slow' ? { head: 50, request: 50 } : {}
      const client = await serve(
        (request) =>
          request
            .body()
            .then(() => text('whole'))
            .catch((error) => Promise.reject(failures.push(error.message))),
        { limits },
      )
      const stream = client.request({ ...SIGNED, ':method': 'POST', ':path': '/' })
      const closed = new Promise((resolve) => stream.on('close', resolve))
      stream.on('error', () => {})
      stream.write('half')
      await settled()
      if (how === 'cut off') client.destroy()
      await closed
      await settled()
      expect([failures, reported]).toEqual([['the request ended before its body'], []])
    },
  )

  it('that is reset before its body is read fails too', async () => {
    const failures: string[] = []
    const requested: (() => void)[] = []
    const client = await serve(async (request) => {
      await new Promise<void>((resolve) => requested.push(resolve))
      return request.body().then(
        () => text('whole'),
        (error) => Promise.reject(failures.push(error.message)),
      )
    })
    const stream = client.request({ ...SIGNED, ':method': 'POST', ':path': '/' })
    stream.on('error', () => {})
    stream.write('half')
    await settled()
    client.destroy()
    await settled()
    for (const sendRequest of requested) sendRequest()
    await settled()
    expect([failures, reported]).toEqual([['the request ended before its body'], []])
  })

  it('of any method reaches the engine', async () => {
    const client = await serve(({ method }) => text(method))
    expect((await send(client, { ':method': 'INVENTED', ':path': '/' })).body).toBe('INVENTED')
  })

  it('may have hundreds of headers, and long ones', async () => {
    const client = await serve((request) =>
      text(String(request.headerNames().length + (request.header('x-long')?.length ?? 0))),
    )
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x-${i}`, 'v']))
    expect((await send(client, { ':path': '/', ...many, 'x-long': 'a'.repeat(40_000) })).body).toBe(
      '40502',
    )
  })

  it('with an invalid escape in its path is reset', async () => {
    const client = await serve(() => text('heard'))
    await expect(send(client, { ':path': '/api/%zz' })).rejects.toMatchObject({
      message: expect.stringContaining('PROTOCOL_ERROR'),
    })
  })

  it('gets a 500 when the engine fails, and the cause is reported', async () => {
    const client = await serve(() => Promise.reject(new Error('no')))
    const { headers } = await send(client, { ':path': '/broken' })
    expect([headers[':status'], reported]).toEqual([500, ['GET /broken']])
  })
})

describe('streams', () => {
  it('deliver events as they come, many over one connection', async () => {
    const sinks: StreamSink[] = []
    const client = await serve(() => reporting(sinks))
    const heard = ['', '', '']
    const ends = heard.map((_, i) => {
      const stream = client.request({ ...SIGNED, ':path': `/?watch=${i}` })
      stream.on('data', (chunk) => {
        heard[i] += chunk
      })
      return new Promise((resolve) => stream.on('close', resolve))
    })
    await settled()
    for (const sink of sinks) sink.write('one\n')
    await settled()
    expect(heard).toEqual(['one\n', 'one\n', 'one\n'])
    for (const sink of sinks) sink.write('two\n')
    for (const sink of sinks) sink.end()
    await Promise.all(ends)
    expect(heard).toEqual(['one\ntwo\n', 'one\ntwo\n', 'one\ntwo\n'])
  })

  it('are canceled when their client disconnects; the others continue', async () => {
    const canceled: string[] = []
    const client = await serve(({ target }) => ({
      status: 200,
      headers: {},
      body: { start: () => () => canceled.push(target) },
    }))
    const [first, second] = ['/1', '/2'].map((path) => client.request({ ...SIGNED, ':path': path }))
    second?.on('error', () => {})
    await settled()
    first?.close(constants.NGHTTP2_CANCEL)
    await settled()
    expect(canceled).toEqual(['/1'])
    client.destroy()
    await settled()
    expect(canceled).toEqual(['/1', '/2'])
  })

  it('get 429 above the stream limit of the port', async () => {
    const client = await serve(
      () => ({ status: 200, headers: {}, body: { start: () => () => {} } }),
      { limits: { streams: 1 } },
    )
    client.request({ ...SIGNED, ':path': '/1' }).on('error', () => {})
    await settled()
    const { headers } = await send(client, { ':path': '/2' })
    expect([headers[':status'], headers['retry-after']]).toEqual([429, '1'])
  })
})
