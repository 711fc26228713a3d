import { describe, expect, test } from 'vitest'
import { askedServer } from './asking'

const ask = askedServer()
const AGGREGATED = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }

async function tagOf(target: string, headers: Record<string, string> = {}): Promise<string> {
  return (await ask(target, { headers })).headers.get('etag') ?? ''
}

describe('a client that has the document already is told so', () => {
  test('of aggregated discovery', async () => {
    for (const target of ['/api', '/apis']) {
      const tag = await tagOf(target, AGGREGATED)
      expect(tag).toMatch(/^"[0-9A-F]{64}"$/)
      const again = await ask(target, { headers: { ...AGGREGATED, 'if-none-match': tag } })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
      expect((await ask(target, { headers: { ...AGGREGATED, 'if-none-match': '"other"' } })).status).toBe(200)
    }
  })

  test('of OpenAPI, also where it knows several or any', async () => {
    for (const target of ['/openapi/v2', '/openapi/v3', '/openapi/v3/apis/apps/v1']) {
      const tag = await tagOf(target)
      for (const known of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
        expect((await ask(target, { headers: { 'if-none-match': known } })).status).toBe(304)
      }
      expect((await ask(target, { headers: { 'if-none-match': '"x", "y"' } })).status).toBe(200)
    }
  })

  test('not of other documents: they have no tag', async () => {
    for (const target of ['/api/v1', '/apis', '/version', '/api/v1/namespaces']) {
      expect((await ask(target, { headers: { 'if-none-match': '*' } })).status).toBe(200)
    }
  })
})
