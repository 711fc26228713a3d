/** Connection pools for webhooks and aggregated servers. */
import { createServer as createPlainServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { OutboundRequest } from '../../src/engine/core/outbound'
import { servingCertificate } from '../../src/hosts/node/certificate'
import {
  type Counted,
  cert,
  cleanups,
  counting,
  http2,
  key,
  never,
  noting,
  ok,
  outbound,
  pause,
  to,
} from './counting-server'

const [leaf = '', authority = ''] = cert.split(/(?<=-----END CERTIFICATE-----\n)/)
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

async function http1(respond = ok, more: object = {}): Promise<Counted> {
  const server = createSecureServer({ key, cert, ...more }, (request, response) =>
    noting(() => counted, respond)(request, response),
  )
  const counted: Counted = await counting(server, 'secureConnection')
  return counted
}

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
