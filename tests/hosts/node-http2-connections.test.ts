import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { connect as connectSecurely } from 'node:tls'
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

describe('a connection', () => {
  it('announces SETTINGS_MAX_CONCURRENT_STREAMS', async () => {
    const client = await serve(() => text(''), { limits: { atOnce: 7 } })
    await new Promise((resolve) => client.once('remoteSettings', resolve))
    expect(client.remoteSettings.maxConcurrentStreams).toBe(7)
  })

  it.each([
    ['does not name the user', 200],
    ['is not believed', 401],
  ])('ends after a request that %s', async (_, status) => {
    const client = await serve(() => ({ ...text('all'), status }))
    const closed = new Promise((resolve) => client.once('close', resolve))
    const { body } = await send(client, {
      ':path': '/',
      ...(status === 200 ? { authorization: undefined } : {}),
    })
    expect(body).toBe('all')
    await closed
  })

  it('may get GOAWAY after a request; its watch continues to the end', async () => {
    const sinks: StreamSink[] = []
    const closesConnection = () => sinks.length > 0
    const client = await serve(({ target }) => (target === '/' ? text('all') : reporting(sinks)), {
      closesConnection,
    })
    expect([
      (await send(client, { ':path': '/' })).body,
      (await send(client, { ':path': '/' })).body,
    ]).toEqual(['all', 'all'])
    const closed = new Promise((resolve) => client.once('close', resolve))
    const goaway = new Promise((resolve) => client.once('goaway', (code) => resolve(code)))
    const watch = send(client, { ':path': '/?watch=1' })
    expect(await goaway).toBe(constants.NGHTTP2_NO_ERROR)
    expect(client.closed).toBe(true)
    sinks[0]?.write('last words')
    sinks[0]?.end()
    expect((await watch).body).toBe('last words')
    await closed
  })

  it('ends when its client resets requests rapidly; other connections continue', async () => {
    const client = await serve(() => ({
      status: 200,
      headers: {},
      body: { start: () => () => {} },
    }))
    const closed = new Promise((resolve) => client.once('close', resolve))
    for (let sent = 0; sent < 3000 && !client.destroyed; sent++) {
      const stream = client.request({ ...SIGNED, ':path': '/' })
      stream.on('error', () => {})
      stream.close(constants.NGHTTP2_CANCEL)
      if (sent % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await closed
    const other = connect(listener?.address ?? '', { ca: identity.authority })
    const stream = other.request({ ...SIGNED, ':path': '/' })
    stream.on('error', () => {})
    const headers = await new Promise<Record<string, unknown>>((resolve) =>
      stream.on('response', resolve),
    )
    expect(headers[':status']).toBe(200)
    other.destroy()
  })

  it('of a closing server ends with the last of its streams', async () => {
    const sinks: StreamSink[] = []
    const client = await serve(() => reporting(sinks))
    const stream = client.request({ ...SIGNED, ':path': '/' })
    let heard = ''
    stream.on('data', (chunk) => {
      heard += chunk
    })
    await settled()
    const closing = listener?.close()
    await settled()
    sinks[0]?.write('last words')
    sinks[0]?.end()
    await closing
    expect(heard).toBe('last words')
    listener = undefined
  })

  it('closes when idle, except with a quiet watch', async () => {
    const handle = ({ target }: ApiRequest): ApiResponse =>
      target === '/watch' ? { status: 200, headers: {}, body: { start: () => () => {} } } : text('')
    const idle = await serve(handle, { limits: { idle: 100 } })
    const closed = new Promise((resolve) => idle.once('close', resolve))
    const watching = connect(listener?.address ?? '', { ca: identity.authority })
    const stream = watching.request({ ...SIGNED, ':path': '/watch' })
    stream.on('error', () => {})
    await send(idle, { ':path': '/' })
    await closed
    expect(watching.closed).toBe(false)
    watching.destroy()
  })
})

describe('a client that does not negotiate HTTP/2', () => {
  it.each([undefined, ['http/1.1'], ['h2', 'http/1.1']])(
    'gets HTTP/1.1: %j',
    async (ALPNProtocols) => {
      await serve(() => text('as ever'), ALPNProtocols?.includes('h2') ? { http1Only: true } : {})
      const { hostname, port } = new URL(listener?.address ?? '')
      const response = await new Promise<string>((resolve, reject) => {
        const options = {
          hostname,
          port,
          ca: identity.authority,
          ...(ALPNProtocols ? { ALPNProtocols } : {}),
        }
        httpsRequest(options, (message) => {
          message.resume()
          message.on('end', () => resolve(`${message.httpVersion} ${message.statusCode}`))
        })
          .on('error', reject)
          .end()
      })
      expect(response).toBe('1.1 200')
    },
  )

  it('with no common protocol gets a TLS alert', async () => {
    await serve(() => text(''))
    const { hostname, port } = new URL(listener?.address ?? '')
    const rejected = new Promise<string>((resolve) => {
      const socket = connectSecurely({
        host: hostname,
        port: Number(port),
        ca: identity.authority,
        ALPNProtocols: ['spdy/3'],
      })
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)))
    })
    expect(await rejected).toMatch(/NO_APPLICATION_PROTOCOL/)
  })
})
