/** A server that signs tokens, with helpers to request and to use one. */
import { generateKeyPairSync } from 'node:crypto'
import { type Signatures, SimulatedClock } from '../../src/engine/core/environment'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { jwkOf } from '../../src/hosts/node/keys'
import { nodeSignatures } from '../../src/hosts/node/signatures'
import { type SendRequest, testClient } from '../http/test-client'

export interface TokenServer {
  sendRequest: SendRequest
  clock: SimulatedClock
  /** Creates an object. @returns the stored object */
  make(path: string, object: object): Promise<{ metadata: { name: string; uid: string } }>
  /** Returns a token of the existing account `default/builder`. */
  request(spec?: object, query?: string): ReturnType<SendRequest>
  token(spec?: object): Promise<string>
  /** Authenticates with the token. Returns the status of the response and the user. */
  whoIs(token: string): Promise<{ status: number; user: Record<string, unknown> }>
  /** Returns the status of a TokenReview of the token. */
  review(token: string, audiences?: string[]): Promise<Record<string, unknown>>
}

/** Elliptic curve keys are generated fast; an RSA key takes seconds on a busy machine. */
export const quickSignatures: Signatures = {
  ...nodeSignatures,
  generateKey: async () => jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
}

export async function tokenServer(options: Partial<ApiServerOptions> = {}): Promise<TokenServer> {
  const clock = new SimulatedClock()
  const sendRequest = testClient({ clock, signatures: quickSignatures, ...options })
  const make: TokenServer['make'] = async (path, object) => {
    const { status, json, text } = await sendRequest(path, { method: 'POST', body: object })
    if (status !== 201) throw new Error(text)
    return json as unknown as { metadata: { name: string; uid: string } }
  }
  await make('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'builder' } })
  const request: TokenServer['request'] = (spec = {}, query = '') =>
    sendRequest(`/api/v1/namespaces/default/serviceaccounts/builder/token${query}`, {
      method: 'POST',
      body: { spec },
    })
  return {
    sendRequest,
    clock,
    make,
    request,
    async token(spec) {
      const { json, text } = await request(spec)
      if (json.kind !== 'TokenRequest') throw new Error(text)
      return (json.status as { token: string }).token
    },
    async whoIs(token) {
      const headers = { authorization: `Bearer ${token}` }
      const { status, json } = await sendRequest(
        '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        {
          method: 'POST',
          body: {},
          headers,
        },
      )
      return {
        status,
        user: (json.status as { userInfo?: Record<string, unknown> }).userInfo ?? {},
      }
    },
    async review(token, audiences) {
      const body = { spec: { token, audiences } }
      const { json } = await sendRequest('/apis/authentication.k8s.io/v1/tokenreviews', {
        method: 'POST',
        body,
      })
      return json.status as Record<string, unknown>
    },
  }
}

/** Decodes the claims of a token. */
export function claimsIn(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
