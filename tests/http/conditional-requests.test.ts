import { describe, expect, test } from 'vitest'
import { testClient } from './test-client'

const sendRequest = testClient()
const AGGREGATED = {
  accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
}

async function tagOf(target: string, headers: Record<string, string> = {}): Promise<string> {
  return (await sendRequest(target, { headers })).headers.get('etag') ?? ''
}

describe('conditional requests return 304', () => {
  test('for aggregated discovery', async () => {
    for (const target of ['/api', '/apis']) {
      const tag = await tagOf(target, AGGREGATED)
      expect(tag).toMatch(/^"[0-9A-F]{64}"$/)
      const again = await sendRequest(target, { headers: { ...AGGREGATED, 'if-none-match': tag } })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
      expect(
        (await sendRequest(target, { headers: { ...AGGREGATED, 'if-none-match': '"other"' } }))
          .status,
      ).toBe(200)
    }
  })

  test('for OpenAPI, also with several ETags or *', async () => {
    for (const target of ['/openapi/v2', '/openapi/v3/apis/apps/v1']) {
      const tag = await tagOf(target)
      for (const known of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
        expect((await sendRequest(target, { headers: { 'if-none-match': known } })).status).toBe(
          304,
        )
      }
      expect((await sendRequest(target, { headers: { 'if-none-match': '"x", "y"' } })).status).toBe(
        200,
      )
    }
  })

  test('for the OpenAPI index by its date only: it has no ETag', async () => {
    const { headers } = await sendRequest('/openapi/v3')
    expect([headers.get('etag'), headers.get('vary')]).toEqual([null, null])
    const again = await sendRequest('/openapi/v3', {
      headers: { 'if-modified-since': headers.get('last-modified') ?? '' },
    })
    expect([again.status, again.headers.get('last-modified')]).toEqual([
      304,
      headers.get('last-modified'),
    ])
    expect((await sendRequest('/openapi/v3', { headers: { 'if-none-match': '*' } })).status).toBe(
      304,
    )
    expect((await sendRequest('/openapi/v3/')).status).toBe(404)
  })

  test('not for other documents, which have no ETag', async () => {
    for (const target of ['/api/v1', '/apis', '/version', '/api/v1/namespaces']) {
      expect((await sendRequest(target, { headers: { 'if-none-match': '*' } })).status).toBe(200)
    }
  })
})

describe('OpenAPI documents support ranges and dates', () => {
  const VERSION = '/openapi/v3/version'
  const requested = (headers: Record<string, string>) => sendRequest(VERSION, { headers })

  test('return Last-Modified and check it', async () => {
    const { headers } = await requested({})
    const modified = headers.get('last-modified') ?? ''
    expect(headers.get('accept-ranges')).toBe('bytes')
    expect((await requested({ 'if-modified-since': modified })).status).toBe(304)
    expect((await requested({ 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).status).toBe(
      200,
    )
    expect(
      (await requested({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).status,
    ).toBe(412)
    expect((await requested({ 'if-match': '"other"' })).status).toBe(412)
    // If-None-Match has precedence over If-Modified-Since (RFC 9110, section 13.2.2).
    expect(
      (await requested({ 'if-none-match': '"other"', 'if-modified-since': modified })).status,
    ).toBe(200)
  })

  test('return one range, several, or 416 for an invalid one', async () => {
    const { text, headers } = await requested({})
    const part = await requested({ range: 'bytes=2-9' })
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
      206,
      text.slice(2, 10),
      `bytes 2-9/${text.length}`,
    ])
    expect((await requested({ range: 'bytes=-5' })).text).toBe(text.slice(-5))
    const several = await requested({ range: 'bytes=0-1,4-5' })
    expect(several.headers.get('content-type')).toMatch(/^multipart\/byteranges; boundary=/)
    expect(several.text).toContain(
      `Content-Range: bytes 4-5/${text.length}\r\nContent-Type: application/json\r\n\r\n${text.slice(4, 6)}\r\n`,
    )
    const beyond = await requested({ range: `bytes=${text.length}-` })
    expect([beyond.status, beyond.text, beyond.headers.get('content-range')]).toEqual([
      416,
      'invalid range: failed to overlap\n',
      `bytes */${text.length}`,
    ])
    const other = await requested({ range: 'lines=1-2' })
    expect([other.status, other.headers.get('etag'), other.headers.get('vary')]).toEqual([
      416,
      headers.get('etag'),
      'Accept',
    ])
    expect(
      (await sendRequest(VERSION, { method: 'DELETE', headers: { range: 'bytes=2-9' } })).text,
    ).toBe(text.slice(2, 10))
    expect((await requested({ range: 'bytes=1-2', 'if-range': '"other"' })).status).toBe(200)
    expect(
      (await requested({ range: 'bytes=1-2', 'if-range': headers.get('etag') ?? '' })).status,
    ).toBe(206)
  })
})

describe('Cache-Control', () => {
  const keeping = async (target: string, headers: Record<string, string> = {}) =>
    (await sendRequest(target, { headers })).headers.get('cache-control')

  test('is no-cache, private for most documents', async () => {
    for (const target of [
      '/api/v1/namespaces',
      '/api/v1/namespaces/nowhere',
      '/healthz',
      '/nowhere',
      '/openapi/v2',
    ])
      expect(await keeping(target)).toBe('no-cache, private')
    expect(await keeping('/api/v1/namespaces', { authorization: 'Bearer of nothing' })).toBe(
      'no-cache, private',
    )
  })

  test('is immutable for OpenAPI documents with a hash in their URL', async () => {
    const paths = (await sendRequest('/openapi/v3')).json.paths as Record<
      string,
      { serverRelativeURL: string }
    >
    expect(await keeping(paths['api/v1']?.serverRelativeURL ?? '')).toBe('public, immutable')
  })
})

describe('content negotiation of OpenAPI', () => {
  const statusOf = async (target: string, accept: string) =>
    (await sendRequest(target, { headers: { accept } })).status

  test('returns 406 for other media types, and ignores malformed ones in version 3', async () => {
    const found = async (accept: string) => [
      await statusOf('/openapi/v2', accept),
      await statusOf('/openapi/v3/api/v1', accept),
    ]
    expect(await found('*;q=0.5')).toEqual([200, 200])
    expect(await found('text/plain, application/json;q=0.1')).toEqual([200, 200])
    expect(await found('text/plain')).toEqual([406, 406])
    expect(await found('a/b/c, a/, x')).toEqual([406, 200])
    expect((await sendRequest('/openapi/v3/api/v1', { headers: { accept: 'x' } })).text).toBe('')
  })

  test('varies by Accept-Encoding too in version 2', async () => {
    const varyOf = async (target: string, accept: string) =>
      (await sendRequest(target, { headers: { accept } })).headers.get('vary')
    expect(await varyOf('/openapi/v2', '*/*')).toBe('Accept-Encoding, Accept')
    expect(await varyOf('/openapi/v2', 'text/plain')).toBe('Accept-Encoding, Accept')
    expect(await varyOf('/openapi/v3/api/v1', '*/*')).toBe('Accept')
  })
})
