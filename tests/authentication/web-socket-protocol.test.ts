/** Browsers authenticate WebSockets by a subprotocol, because pages cannot set other headers. */
import { expect, it } from 'vitest'
import { sendRequest, testServer } from '../support/server'

const encoded = (token: string) =>
  `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`
const WEB_SOCKET = { upgrade: 'websocket', connection: 'Upgrade' }

async function whoIs(
  protocols: string,
  headers: Record<string, string> = WEB_SOCKET,
): Promise<string | number> {
  const server = testServer()
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const response = await server.handle({
    method: 'POST',
    target: path,
    header: (name) =>
      ({ ...headers, 'sec-websocket-protocol': protocols, 'content-type': 'application/json' })[
        name
      ],
    headerNames: () => ['sec-websocket-protocol', ...Object.keys(headers)],
    body: async () => new TextEncoder().encode(JSON.stringify(body)),
  })
  if (response.status !== 201) return response.status
  const shown = response.body
  return JSON.parse(
    typeof shown === 'string' ? shown : new TextDecoder().decode(shown as Uint8Array),
  ).status.userInfo.username
}

it.each([
  ['a token next to another protocol', `v5.channel.k8s.io, ${encoded('alice')}`, 'alice'],
  ['a token alone', encoded('alice'), 401],
  ['two tokens', `v5.channel.k8s.io, ${encoded('alice')}, ${encoded('admin')}`, 401],
  ['an unknown token', `v5.channel.k8s.io,${encoded('unknown')}`, 401],
  [
    'a token that is not base64url',
    'v5.channel.k8s.io,base64url.bearer.authorization.k8s.io.a+b=',
    401,
  ],
  [
    'bytes that are not UTF-8',
    `v5.channel.k8s.io,base64url.bearer.authorization.k8s.io.${Buffer.from([0xff]).toString('base64url')}`,
    401,
  ],
  // Unauthenticated users may not create a SelfSubjectReview.
  ['no token', 'v5.channel.k8s.io', 403],
])('%s', async (_, protocols, who) => {
  expect(await whoIs(protocols)).toBe(who)
})

it('applies to WebSockets only', async () => {
  expect(await whoIs(`v5.channel.k8s.io, ${encoded('alice')}`, {})).toBe(403)
  expect(
    (
      await sendRequest(testServer(), {
        path: '/version',
        token: '',
        headers: { 'sec-websocket-protocol': encoded('unknown') },
      })
    ).status,
  ).toBe(200)
})
