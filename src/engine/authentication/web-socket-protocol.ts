/**
 * A token in `base64url.bearer.authorization.k8s.io.TOKEN`: browsers cannot set headers there
 * (k8s.io/apiserver, package pkg/authentication/request/websocket).
 */

import type { ApiRequest } from '../http/messages'
import { bytesOfBase64 } from '../schema/base64'
import type { Authenticator } from './authenticator'
import { authenticateToken, type TokenAuthenticator } from './bearer-token'

const PREFIX = 'base64url.bearer.authorization.k8s.io.'

export function webSocketTokens(methods: readonly TokenAuthenticator[]): Authenticator {
  return {
    authenticate(request, circumstances) {
      if (!isWebSocket(request)) return undefined
      const offered = protocolsIn(request.header('sec-websocket-protocol'))
      const [encoded, another] = offered.filter((protocol) => protocol.startsWith(PREFIX))
      if (encoded === undefined) return undefined
      if (another !== undefined)
        return { errors: ['multiple base64.bearer.authorization tokens specified'] }
      const token = decoded(encoded.slice(PREFIX.length))
      if (token === undefined)
        return { errors: ['invalid base64.bearer.authorization token encoding'] }
      // Another protocol must be offered for the negotiation.
      if (token !== '' && offered.length === 1)
        return { errors: ['missing additional subprotocol'] }
      return token === '' ? undefined : authenticateToken(methods, token, circumstances)
    },
  }
}

const protocolsIn = (header = ''): string[] =>
  header
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '')

/** Without the protocol that carries a token. */
export const spokenProtocols = (header: string | undefined): string[] =>
  protocolsIn(header).filter((protocol) => !protocol.startsWith(PREFIX))

const isWebSocket = (request: ApiRequest): boolean =>
  request.header('upgrade')?.toLowerCase() === 'websocket' &&
  /\bupgrade\b/i.test(request.header('connection') ?? '')

function decoded(text: string): string | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined
  try {
    const bytes = bytesOfBase64(
      text
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .padEnd(Math.ceil(text.length / 4) * 4, '='),
    )
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
