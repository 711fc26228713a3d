/** Connection pools for webhooks and aggregated servers. */
import {
  createServer as createPlainServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import {
  createSecureServer as createHttp2Server,
  type Http2SecureServer,
  type ServerHttp2Session,
} from 'node:http2'
import { createServer as createSecureServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import type { OutboundRequest } from '../../src/engine/core/outbound'
import { servingCertificate } from '../../src/hosts/node/certificate'
import { outboundOver } from '../../src/hosts/node/outbound'
import { CALL_LIMITS } from '../../src/hosts/node/outbound-connections'

const { key, cert } = servingCertificate('hook', Date.now())
const [leaf = '', authority = ''] = cert.split(/(?<=-----END CERTIFICATE-----\n)/)

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

function outbound(limits: Partial<typeof CALL_LIMITS> = {}) {
  const made = outboundOver(new Map(), { ...CALL_LIMITS, ...limits })
  cleanups.push(() => made.close())
  return made
}

interface Counted {
  port: number
  /** Counts all connections. */
  connections: Socket[]
  bodies: string[]
  protocols: string[]
  /** Whether each connection resumed a TLS session. */
  resumed: boolean[]
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void
const ok: Respond = (_request, response) => void response.end('{}')

async function counting(
  server: Server,
  event: 'connection' | 'secureConnection',
): Promise<Counted> {
  const connections: Socket[] = []
  const resumed: boolean[] = []
  server.on(event, (socket: Socket) => {
    connections.push(socket.on('error', () => {}))
    if (socket instanceof TLSSocket) resumed.push(socket.isSessionReused())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  cleanups.push(() => {
    for (const socket of connections) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    bodies: [],
    protocols: [],
    resumed,
  }
}

function noting(counted: () => Counted, respond: Respond): Respond {
  return (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk
    })
    request.on('end', () => {
      counted().bodies.push(body)
      counted().protocols.push(request.httpVersion)
      respond(request, response)
    })
  }
}

async function http1(respond = ok, more: object = {}): Promise<Counted> {
  const server = createSecureServer({ key, cert, ...more }, (request, response) =>
    noting(() => counted, respond)(request, response),
  )
  const counted: Counted = await counting(server, 'secureConnection')
  return counted
}

async function http2(
  respond = ok,
  settings = {},
): Promise<Counted & { server: Http2SecureServer; sessions: ServerHttp2Session[] }> {
  const server = createHttp2Server({ key, cert, settings, allowHTTP1: true }, (request, response) =>
    noting(() => counted, respond)(request as never, response as never),
  )
  const sessions: ServerHttp2Session[] = []
  server.on('session', (session) => sessions.push(session.on('error', () => {})))
  const counted = await counting(server as unknown as Server, 'secureConnection')
  return Object.assign(counted, { server, sessions })
}

const to = ({ port }: { port: number }, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url: `https://127.0.0.1:${port}/call?timeout=10s`,
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
  certificates: cert,
  ...more,
})
const never = () => {}
const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

describe('HTTP/1.1 connections', () => {
  it('are reused by consecutive calls', async () => {
    const hook = await http1()
    const { post, get } = outbound()
    for (let call = 0; call < 5; call++) expect((await post(to(hook), never)).status).toBe(200)
    expect((await get(to(hook), never)).body).toBe('{}')
    expect(hook.connections).toHaveLength(1)
    expect(hook.bodies).toEqual(Array(6).fill('{"a":1}'))
  })

  it('grow with concurrent calls, and are kept up to the idle limit', async () => {
    const hook = await http1((_request, response) => void setTimeout(() => response.end('{}'), 30))
    const { post } = outbound({ idlePerTarget: 2 })
    const five = () =>
      Promise.all(Array.from({ length: 5 }, () => post(to(hook, { http1Only: true }), never)))
    await five()
    expect(hook.connections).toHaveLength(5)
    await five()
    expect(hook.connections).toHaveLength(8)
  })

  it('are limited: more calls wait', async () => {
    let open = 0
    let most = 0
    const hook = await http1((_request, response) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open--
        response.end('{}')
      }, 5)
    })
    const { post } = outbound({ openPerTarget: 3 })
    await Promise.all(Array.from({ length: 12 }, () => post(to(hook, { http1Only: true }), never)))
    expect([most, hook.bodies.length, hook.connections.length]).toEqual([3, 12, 3])
  })

  it('are closed when idle', async () => {
    const hook = await http1()
    const { post } = outbound({ idleTimeout: 60 })
    await post(to(hook), never)
    await pause(250)
    expect(hook.connections[0]?.destroyed).toBe(true)
    await post(to(hook), never)
    expect(hook.connections).toHaveLength(2)
  })

  it('are reused without TLS too', async () => {
    const server = createPlainServer((_request, response) => void response.end('{}'))
    const hook = await counting(server as unknown as Server, 'connection')
    const { post } = outbound()
    for (let call = 0; call < 3; call++)
      await post(to(hook, { url: `http://127.0.0.1:${hook.port}/` }), never)
    expect(hook.connections).toHaveLength(1)
  })

  it('resume the TLS session of an earlier one', async () => {
    const hook = await http1(
      (_request, response) => void response.writeHead(200, { connection: 'close' }).end('{}'),
    )
    const { post } = outbound()
    for (let call = 0; call < 3; call++) {
      await post(to(hook, { http1Only: true }), never)
      await pause(20)
    }
    expect(hook.resumed).toEqual([false, true, true])
  })
})

describe('a separate connection', () => {
  const client = servingCertificate('client', Date.now())
  const variants: [string, Partial<OutboundRequest>][] = [
    ['other trusted certificates', { certificates: authority + leaf }],
    ['a client certificate', { identity: { certificate: client.cert, key: client.key } }],
    ['another server name', { serverName: 'localhost' }],
    ['no verification', { insecure: true }],
  ]
  it.each(variants)('is used for %s, over HTTP/1.1', async (_what, more) => {
    const hook = await http1()
    const { post } = outbound()
    await post(to(hook), never)
    await post(to(hook, more), never)
    await post(to(hook), never)
    await post(to(hook, more), never)
    expect(hook.connections).toHaveLength(2)
  })

  it.each(variants)('is used for %s, over HTTP/2', async (_what, more) => {
    const hook = await http2()
    const { post } = outbound()
    for (const each of [{}, more, {}, more]) await post(to(hook, each), never)
    expect(hook.connections).toHaveLength(2)
  })

  it('is not reused for a server whose certificate is not trusted', async () => {
    const hook = await http1()
    const { post } = outbound()
    await post(to(hook), never)
    const other = servingCertificate('other', Date.now()).cert
    await expect(post(to(hook, { certificates: other }), never)).rejects.toThrow(
      'certificate signed by unknown authority',
    )
    await expect(post(to(hook, { serverName: 'elsewhere.default.svc' }), never)).rejects.toThrow(
      'x509: ',
    )
  })
})

describe('HTTP/2 connections', () => {
  it('carry concurrent calls', async () => {
    const hook = await http2((_request, response) => void setTimeout(() => response.end('{}'), 20))
    const { post } = outbound()
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(to(hook), never)))
    expect(responses.map(({ status, body }) => [status, body])).toEqual(Array(20).fill([200, '{}']))
    expect(hook.connections).toHaveLength(1)
    expect(new Set(hook.protocols)).toEqual(new Set(['2.0']))
  })

  it('are not offered to webhooks that request HTTP/1.1', async () => {
    const hook = await http2()
    await outbound().post(to(hook, { http1Only: true }), never)
    expect(hook.protocols).toEqual(['1.1'])
  })

  it('increase when the server limits concurrent streams', async () => {
    const hook = await http2(
      (_request, response) => void setTimeout(() => response.end('{}'), 100),
      { maxConcurrentStreams: 2 },
    )
    const { post } = outbound()
    await post(to(hook), never)
    await Promise.all(Array.from({ length: 4 }, () => post(to(hook), never)))
    expect(hook.connections).toHaveLength(2)
  })

  it('are replaced after GOAWAY, while calls in flight finish', async () => {
    const hook = await http2((_request, response) => void setTimeout(() => response.end('{}'), 50))
    const { post } = outbound()
    await post(to(hook), never)
    const underway = post(to(hook), never)
    await pause(20)
    hook.sessions[0]?.goaway(0)
    await pause(10)
    expect((await post(to(hook), never)).status).toBe(200)
    expect((await underway).status).toBe(200)
    expect(hook.connections).toHaveLength(2)
  })

  it('are replaced after the server closed them', async () => {
    const hook = await http2()
    const { post } = outbound()
    await post(to(hook), never)
    hook.sessions[0]?.destroy()
    await pause(20)
    expect((await post(to(hook), never)).status).toBe(200)
    expect(hook.bodies).toHaveLength(2)
  })

  it('are closed when idle', async () => {
    const hook = await http2()
    const { post } = outbound({ idleTimeout: 60 })
    await post(to(hook), never)
    await pause(200)
    expect(hook.sessions[0]?.destroyed).toBe(true)
  })

  it('stream a watch, and cancel it when the reader stops', async () => {
    let ended = false
    const hook = await http2((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-own': 'a' })
      response.write('{"type":"ADDED"}\n')
      setTimeout(() => response.write('{"type":"DELETED"}\n'), 20)
      request.on('close', () => {
        ended = true
      })
    })
    const { status, headers, body } = await outbound().pass(
      { ...to(hook), method: 'GET', body: new Uint8Array() },
      never,
    )
    expect([status, headers['x-own']]).toEqual([200, 'a'])
    const chunks: string[] = []
    const stop = await new Promise<() => void>((done) => {
      const end = body.start({
        write(chunk) {
          chunks.push(new TextDecoder().decode(chunk as Uint8Array))
          if (chunks.length === 2) done(() => end?.())
          return true
        },
        end: never,
        abort: never,
      })
    })
    expect(chunks).toEqual(['{"type":"ADDED"}\n', '{"type":"DELETED"}\n'])
    stop()
    await pause(50)
    expect(ended).toBe(true)
  })
})

describe('an idle connection that the server closed', () => {
  /** Responds to a number of requests, then closes each connection at the time of `then`. */
  async function closing(onSecond: (socket: Socket) => void) {
    const received: string[] = []
    const server = createTcpServer((socket) => {
      let requests = 0
      socket.on('data', (bytes: Buffer) => {
        received.push(bytes.toString('latin1').split(' ')[0] ?? '')
        if (received.length > 1 && ++requests > 1) return onSecond(socket)
        requests = Math.max(requests, 1)
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
      })
    })
    return { ...(await counting(server, 'connection')), received }
  }
  const plain = (hook: { port: number }) => to(hook, { url: `http://127.0.0.1:${hook.port}/` })

  it('before the call is replaced', async () => {
    const hook = await closing(never)
    const { post } = outbound()
    await post(plain(hook), never)
    hook.connections[0]?.end()
    await pause(30)
    expect((await post(plain(hook), never)).status).toBe(200)
    expect(hook.received).toEqual(['POST', 'POST'])
  })

  it('while the event loop was blocked is replaced before anything is sent', async () => {
    const hook = await http1()
    const { post } = outbound()
    await post(to(hook), never)
    await pause(1100)
    hook.connections[0]?.end()
    await new Promise<void>((done) => setImmediate(done))
    expect((await post(to(hook), never)).status).toBe(200)
    expect(hook.bodies).toHaveLength(2)
  })

  it('after a POST was sent fails, because the webhook may have processed it', async () => {
    const hook = await closing((socket) => socket.destroy())
    const { post } = outbound()
    await post(plain(hook), never)
    await expect(post(plain(hook), never)).rejects.toThrow('EOF')
    expect(hook.received).toEqual(['POST', 'POST'])
  })

  it('after a GET was sent is replaced once', async () => {
    const hook = await closing((socket) => socket.destroy())
    const { get } = outbound()
    await get(plain(hook), never)
    expect((await get(plain(hook), never)).status).toBe(200)
    expect(hook.received).toEqual(['GET', 'GET', 'GET'])
  })

  it('after part of the response fails, whatever the method', async () => {
    const hook = await closing((socket) => void socket.write('HTTP/1.1 2', () => socket.end()))
    const { get } = outbound()
    await get(plain(hook), never)
    await expect(get(plain(hook), never)).rejects.toThrow()
    expect(hook.received).toEqual(['GET', 'GET'])
  })

  it('does not cause a retry on a new connection', async () => {
    let calls = 0
    const server = createTcpServer((socket) => {
      socket.once('data', () => {
        calls++
        socket.destroy()
      })
    })
    const hook = await counting(server, 'connection')
    await expect(outbound().get(plain(hook), never)).rejects.toThrow('EOF')
    expect(calls).toBe(1)
  })
})

describe('when the server shuts down', () => {
  it.each(['1.1', '2.0'])(
    'all connections of HTTP/%s are closed, and calls in flight fail',
    async (version) => {
      const hook = await http2(
        (_request, response) => void setTimeout(() => response.end('{}'), 40),
      )
      const own = outbound()
      const requested = to(hook, { http1Only: version === '1.1' })
      await own.post(requested, never)
      const underway = own.post(requested, never)
      await pause(10)
      own.close()
      await expect(underway).rejects.toThrow()
      await pause(30)
      expect(hook.protocols[0]).toBe(version)
      expect(hook.connections.map((socket) => socket.destroyed)).toEqual(
        hook.connections.map(() => true),
      )
      await expect(own.post(requested, never)).rejects.toThrow()
    },
  )
})

describe('a canceled call', () => {
  it.each([true, false])(
    'ends without an effect on other calls (HTTP/1.1 only: %s)',
    async (http1Only) => {
      const hook = await http2(
        (_request, response) => void setTimeout(() => response.end('{}'), 80),
      )
      const { post } = outbound()
      const other = post(to(hook, { http1Only }), never)
      await expect(post(to(hook, { http1Only }), (run) => setTimeout(run, 40))).rejects.toThrow()
      expect((await other).status).toBe(200)
    },
  )

  it('after completion does not close the connection', async () => {
    const hook = await http1()
    const { post } = outbound()
    let cancel = never
    await post(to(hook), (run) => {
      cancel = run
    })
    cancel()
    await post(to(hook), never)
    expect(hook.connections).toHaveLength(1)
  })
})
