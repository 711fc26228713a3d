/** Headers for browsers, and TLS settings: `--cors-allowed-origins`, HSTS, cipher suites. */
import { connect } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import type { ApiRequest, ApiResponse } from '../../src/engine/http/messages'
import { servingCertificate } from '../../src/hosts/node/certificate'
import { FlagError, parseFlags } from '../../src/hosts/node/flags'
import { guarded } from '../../src/hosts/node/guard'
import { type Listener, listen } from '../../src/hosts/node/listener'
import { allowedOrigins, readableBy, strictly, transportSecurity } from '../../src/hosts/node/pages'
import { tlsOf } from '../../src/hosts/node/tls'

const handle = async (): Promise<ApiResponse> => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: 'fine',
})

function requested(method: string, headers: Record<string, string>): ApiRequest {
  const all: Record<string, string> = { host: 'localhost:8080', ...headers }
  return {
    method,
    target: '/api',
    header: (name) => all[name],
    headerNames: () => Object.keys(all),
    body: async () => new Uint8Array(),
  }
}

describe('allowed CORS origins', () => {
  const origins = allowedOrigins(
    parseFlags(['--cors-allowed-origins=^https://console\\.example\\.com$,//localhost(:|$)']),
  )
  const serve = readableBy(guarded(handle, [], origins), origins)
  const CONSOLE = { origin: 'https://console.example.com', 'sec-fetch-site': 'cross-site' }

  it('may send requests and read the responses', async () => {
    const { status, headers } = await serve(requested('GET', CONSOLE))
    expect([status, headers]).toEqual([
      200,
      {
        'content-type': 'text/plain',
        'access-control-allow-origin': 'https://console.example.com',
        'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
        'access-control-allow-headers':
          'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
        'access-control-expose-headers': 'Date',
        'access-control-allow-credentials': 'true',
      },
    ])
    expect(
      (
        await serve(
          requested('GET', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }),
        )
      ).status,
    ).toBe(200)
  })

  it('pass preflight requests', async () => {
    const { status, headers } = await serve(
      requested('OPTIONS', { ...CONSOLE, 'access-control-request-method': 'PATCH' }),
    )
    expect([status, headers['access-control-allow-origin']]).toEqual([
      204,
      'https://console.example.com',
    ])
  })

  it('match exactly, and only under an allowed Host', async () => {
    const other = await serve(
      requested('GET', {
        origin: 'https://console.example.com.evil.org',
        'sec-fetch-site': 'cross-site',
      }),
    )
    expect([other.status, other.headers['access-control-allow-origin']]).toEqual([403, undefined])
    expect((await serve(requested('GET', { ...CONSOLE, host: 'evil.org' }))).status).toBe(403)
    expect(
      (await serve(requested('GET', {}))).headers['access-control-allow-origin'],
    ).toBeUndefined()
  })

  it.each([
    [
      'console.example.com',
      'regular expression does not pin to start/end of host in the origin header',
    ],
    ['^https://(', 'error parsing regexp: missing closing ): `^https://(`'],
  ])('reject the pattern %j', (pattern, why) => {
    expect(() => allowedOrigins(parseFlags([`--cors-allowed-origins=${pattern}`]))).toThrow(
      new FlagError(`--cors-allowed-origins has an invalid regular expression: ${why}`),
    )
  })
})

describe('Strict-Transport-Security', () => {
  const directives = (text: string) =>
    transportSecurity(parseFlags([`--strict-transport-security-directives=${text}`]))

  it('is in every response when configured', async () => {
    const { headers } = await strictly(
      handle,
      directives('max-age=31536000,includeSubDomains,preload'),
    )(requested('GET', {}))
    expect(headers['strict-transport-security']).toBe(
      'max-age=31536000; includeSubDomains; preload',
    )
    expect(strictly(handle, transportSecurity(parseFlags([])))).toBe(handle)
  })

  it('accepts three directives only', () => {
    expect(() => directives('max-age')).toThrow(FlagError)
    expect(() => directives('preload,, ')).toThrow(
      new FlagError('empty value in strict-transport-security-directives'),
    )
  })
})

describe('the HTTPS port', () => {
  let listener: Listener
  afterEach(() => listener?.close())

  /** Returns the negotiated TLS version and cipher suite, or the error. */
  async function spoken(flags: string[], client: { maxVersion?: 'TLSv1.2' } = {}): Promise<string> {
    const identity = servingCertificate('kubetab', Date.now())
    listener = await listen(handle, {
      port: 0,
      identity,
      tls: tlsOf(parseFlags(flags)),
      report: () => {},
    })
    const { hostname, port } = new URL(listener.address)
    return new Promise((resolve) => {
      const socket = connect(
        { host: hostname, port: Number(port), ca: identity.authority, ...client },
        () => {
          resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`)
          socket.end()
        },
      )
      socket.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? ''))
    })
  }

  it('accepts TLS 1.2 and 1.3', async () => {
    expect(await spoken([])).toMatch(/^TLSv1\.3 /)
    await listener.close()
    expect(await spoken([], { maxVersion: 'TLSv1.2' })).toMatch(/^TLSv1\.2 /)
  })

  it('rejects versions below --tls-min-version', async () => {
    expect(await spoken(['--tls-min-version=VersionTLS13'], { maxVersion: 'TLSv1.2' })).toBe(
      'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    )
    expect(() => tlsOf(parseFlags(['--tls-min-version=VersionTLS10']))).toThrow(FlagError)
  })

  it('accepts only --tls-cipher-suites, which do not limit TLS 1.3', async () => {
    const suites = '--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'
    expect(await spoken([suites], { maxVersion: 'TLSv1.2' })).toBe(
      'TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
    )
    await listener.close()
    expect(await spoken([suites])).toMatch(/^TLSv1\.3 /)
    expect(
      tlsOf(
        parseFlags([
          '--tls-cipher-suites=TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,TLS_RSA_WITH_AES_128_CBC_SHA',
        ]),
      ).ciphers,
    ).toMatch(/:ECDHE-RSA-CHACHA20-POLY1305:AES128-SHA$/)
    expect(() => tlsOf(parseFlags(['--tls-cipher-suites=TLS_RSA_WITH_RC4_128_SHA']))).toThrow(
      'TLS_RSA_WITH_RC4_128_SHA',
    )
  })
})
