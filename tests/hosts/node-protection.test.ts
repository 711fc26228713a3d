/**
 * Protection of the headless server from pages, other machines and excessive clients
 * (docs/limits.md).
 */
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { ApiRequest, ApiResponse, BodyStream } from '../../src/engine/http/messages'
import { authenticationOf, tokensOf } from '../../src/hosts/node/authentication'
import { checkExposure } from '../../src/hosts/node/exposure'
import { FlagError, parseFlags } from '../../src/hosts/node/flags'
import { guarded } from '../../src/hosts/node/guard'
import { type ClientLimits, type Listener, listen } from '../../src/hosts/node/listener'

let listener: Listener | undefined

afterEach(async () => {
  await listener?.close()
  listener = undefined
})

async function serve(
  handle: (request: ApiRequest) => Promise<ApiResponse>,
  limits: Partial<ClientLimits> = {},
): Promise<URL> {
  listener = await listen(handle, { port: 0, limits, report: () => {} })
  return new URL(listener.address)
}

const fine = async (): Promise<ApiResponse> => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: 'fine',
})

/** Returns the output of the server for these bytes on a new connection, until it closes. */
function exchange({ hostname, port }: URL, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

const get = (host: string, more = '') =>
  `GET /api HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`

describe('a client of the headless server', () => {
  it.each(['127.0.0.1:8080', 'localhost:8080', 'LocalHost', '[::1]:8080', '10.0.0.7:6443'])(
    'may use the Host %s',
    async (host) => {
      expect(await exchange(await serve(guarded(fine, [])), get(host))).toMatch(
        /^HTTP\/1.1 200 [\s\S]*fine$/,
      )
    },
  )

  it.each(['evil.example', 'localhost.evil.example:8080', '127.0.0.1.evil.example', '1.2.3.4.5'])(
    'is rejected with a Host that is not allowed: %s',
    async (host) => {
      const response = await exchange(await serve(guarded(fine, [])), get(host))
      expect(response).toMatch(/^HTTP\/1.1 403 /)
      expect(JSON.parse(response.slice(response.indexOf('{')))).toMatchObject({
        kind: 'Status',
        message: expect.stringContaining(`not "${host}" (--allowed-hosts names others)`),
        reason: 'Forbidden',
        code: 403,
      })
    },
  )

  it('is rejected as a page under a Host that programs just used', async () => {
    const address = await serve(guarded(fine, []))
    const own = address.host
    expect(await exchange(address, get(own))).toMatch(/^HTTP\/1.1 200 /)
    expect(await exchange(address, get(own, 'Origin: https://evil.example\r\n'))).toMatch(
      /^HTTP\/1.1 403 /,
    )
    expect(await exchange(address, get(own, 'Sec-Fetch-Site: cross-site\r\n'))).toMatch(
      /^HTTP\/1.1 403 /,
    )
    expect(await exchange(address, get('evil.example'))).toMatch(/^HTTP\/1.1 403 /)
    expect(await exchange(address, get(own))).toMatch(/^HTTP\/1.1 200 /)
  })

  it('may use the hosts of flags', async () => {
    const address = await serve(guarded(fine, ['Cluster.example']))
    expect(await exchange(address, get('cluster.example:443'))).toMatch(/^HTTP\/1.1 200 /)
    expect(await exchange(address, get('other.example'))).toMatch(/^HTTP\/1.1 403 /)
  })

  it.each([
    ['another origin', 'Origin: https://evil.example\r\n'],
    ['another port of this machine', 'Origin: http://127.0.0.1:3000\r\n'],
    ['no origin, as a sandboxed frame has', 'Origin: null\r\n'],
    ['a link or image of another site', 'Sec-Fetch-Site: cross-site\r\n'],
    ['a sibling site', 'Sec-Fetch-Site: same-site\r\n'],
  ])('is rejected from a page of %s', async (_what, header) => {
    expect(await exchange(await serve(guarded(fine, [])), get('127.0.0.1:8080', header))).toMatch(
      /^HTTP\/1.1 403 /,
    )
  })

  it('may send a Bearer token from any page, because browsers require CORS for it', async () => {
    const address = await serve(guarded(fine, []))
    const foreign = 'Origin: http://localhost\r\n'
    expect(
      await exchange(address, get('127.0.0.1:8080', `${foreign}Authorization: Bearer x\r\n`)),
    ).toMatch(/^HTTP\/1.1 200 /)
    expect(
      await exchange(address, get('evil.example', `${foreign}Authorization: Bearer x\r\n`)),
    ).toMatch(/^HTTP\/1.1 403 /)
    // A request that a link can trigger.
    expect(
      await exchange(address, get('127.0.0.1:8080', `${foreign}Authorization: Basic eDp5\r\n`)),
    ).toMatch(/^HTTP\/1.1 403 /)
    const requests =
      'Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: authorization\r\n'
    const beforehand = get('127.0.0.1:8080', `${foreign}${requests}`).replace(/^GET/, 'OPTIONS')
    expect(await exchange(address, beforehand)).toMatch(/^HTTP\/1.1 403 /)
  })

  it('cannot open a WebSocket to a container from another origin', async () => {
    const upgrade =
      'Origin: https://evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n'
    const request = `GET /api/v1/namespaces/a/pods/b/exec HTTP/1.1\r\nHost: 127.0.0.1\r\n${upgrade}\r\n`
    expect(await exchange(await serve(guarded(fine, [])), request)).toMatch(/^HTTP\/1.1 403 /)
  })

  it('gets no CORS header for another origin', async () => {
    const response = await exchange(await serve(guarded(fine, [])), get('127.0.0.1'))
    expect(response.toLowerCase()).not.toContain('access-control')
  })
})

describe('a client that uses too many resources', () => {
  it('times out while sending a head, slowly or not at all', async () => {
    const address = await serve(fine, { head: 200, request: 400 })
    expect(await exchange(address, 'GET / HTTP/1.1\r\nHost: 127')).toMatch(
      /^HTTP\/1.1 408 Request Timeout/,
    )
  })

  it('times out while sending a body', async () => {
    const read = async (request: ApiRequest) => ({
      ...(await fine()),
      body: String((await request.body()).length),
    })
    const address = await serve(read, { head: 200, request: 400 })
    expect(
      await exchange(
        address,
        'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nabc',
      ),
    ).toMatch(/^HTTP\/1.1 408 /)
  })

  it('gets 431 for a large head', async () => {
    expect(
      await exchange(await serve(fine), get('127.0.0.1', `X-Long: ${'a'.repeat(1024 * 1024)}\r\n`)),
    ).toMatch(/^HTTP\/1.1 431 /)
  })

  it('is limited in connections', async () => {
    const address = await serve(fine, { connections: 1 })
    const first = connect(Number(address.port), address.hostname)
    await new Promise((resolve) => first.once('connect', resolve))
    expect(await exchange(address, get('127.0.0.1'))).toBe('')
    first.destroy()
    await expect.poll(() => exchange(address, get('127.0.0.1'))).toMatch(/^HTTP\/1.1 200 /)
  })

  it('gets 429 above the limit of open watches, until one has ended', async () => {
    let canceled = 0
    const body: BodyStream = { start: () => () => void canceled++ }
    const address = await serve(async () => ({ status: 200, headers: {}, body }), { streams: 1 })
    const watch = async () => {
      const socket = connect(Number(address.port), address.hostname, () =>
        socket.write(get('127.0.0.1')),
      )
      const head = await new Promise<string>((resolve) =>
        socket.once('data', (chunk) => resolve(String(chunk))),
      )
      return { socket, head }
    }
    const first = await watch()
    expect(first.head).toMatch(/^HTTP\/1.1 200 /)
    const rejected = await exchange(address, get('127.0.0.1'))
    expect(rejected).toMatch(/^HTTP\/1.1 429 [\s\S]*retry-after: 1\r\n/)
    expect(JSON.parse(rejected.slice(rejected.indexOf('{')))).toMatchObject({
      reason: 'TooManyRequests',
      details: { retryAfterSeconds: 1 },
    })
    expect(canceled).toBe(1)
    first.socket.destroy()
    const again = async () => {
      const { socket, head } = await watch()
      socket.destroy()
      return head
    }
    await expect.poll(again).toMatch(/^HTTP\/1.1 200 /)
  })
})

describe('on other addresses than loopback', () => {
  const start = (...args: string[]) => checkExposure(parseFlags(args))

  it('the server listens only with authentication', () => {
    expect(() => start('--bind-address=0.0.0.0', '--secure-port=6443')).toThrow(FlagError)
    expect(() => start('--bind-address=0.0.0.0', '--secure-port=6443')).toThrow(
      'set one of --token-auth-file, --client-ca-file',
    )
    for (const proof of [
      '--token-auth-file=t.csv',
      '--client-ca-file=ca.pem',
      '--oidc-issuer-url=https://a',
    ])
      expect(() => start('--bind-address=0.0.0.0', '--secure-port=6443', proof)).not.toThrow()
  })

  it('the server accepts HTTPS only', () => {
    expect(() => start('--bind-address=192.168.1.7', '--token-auth-file=t.csv')).toThrow(
      'Plain HTTP stays on this machine',
    )
    expect(() => start('--bind-address=example.com', '--secure-port=1')).toThrow('no IP address')
  })

  it('a loopback address needs none of this', () => {
    for (const address of ['127.0.0.1', '127.0.0.2', '::1', 'localhost'])
      expect(() => start(`--bind-address=${address}`)).not.toThrow()
  })

  it('the default token is invalid', () => {
    expect(tokensOf(parseFlags([]))).toContain('admin-token')
    const flags = parseFlags([
      '--bind-address=0.0.0.0',
      '--secure-port=6443',
      '--oidc-issuer-url=https://a',
      '--oidc-client-id=b',
    ])
    expect([tokensOf(flags), authenticationOf(flags).tokens]).toEqual(['', ''])
  })
})
