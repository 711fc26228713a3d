/**
 * Service account tokens of the engine in a browser survive a restart of the engine, but not a
 * wipe.
 */
import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { BrowserEngine } from '../../src/hosts/shared/browser-engine'
import { quickSignatures } from '../authentication/tokens-server'

const ACCOUNT = '/api/v1/namespaces/default/serviceaccounts/default'

async function requested(engine: BrowserEngine, target: string, token: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const method = body ? 'POST' : 'GET'
  const response = await engine.fetch(
    new Request('http://localhost/', {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
    target,
  )
  return { status: response.status, json: await response.json() }
}

async function tokenFrom(engine: BrowserEngine): Promise<string> {
  await requested(engine, ACCOUNT.replace(/\/default$/, ''), 'admin-token', {
    metadata: { name: 'default' },
  })
  const { json } = await requested(engine, `${ACCOUNT}/token`, 'admin-token', { spec: {} })
  return json.status.token
}

describe('a service account token in the browser', () => {
  it('stays valid after the engine restarts', async () => {
    const options = { databaseName: 'tokens-wake', signatures: quickSignatures }
    const token = await tokenFrom(new BrowserEngine(options))
    expect((await requested(new BrowserEngine(options), '/api', token)).status).toBe(200)
  })

  it('is invalid after a wipe', async () => {
    const engine = new BrowserEngine({ databaseName: 'tokens-reset', signatures: quickSignatures })
    const token = await tokenFrom(engine)
    await engine.respond({ kind: 'reset', request: undefined })
    expect((await requested(engine, '/api', token)).status).toBe(401)
    expect((await requested(engine, '/api', await tokenFrom(engine))).status).toBe(200)
  })

  it('is exported without its signing key', async () => {
    const engine = new BrowserEngine({ databaseName: 'tokens-export', signatures: quickSignatures })
    await tokenFrom(engine)
    const exported = await engine.respond({ kind: 'export', request: undefined })
    expect(exported).toMatchObject({ ok: true })
    expect(JSON.stringify(exported)).not.toContain('SigningKey')
  })
})
