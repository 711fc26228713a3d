/**
 * Negotiates SPDY/3.1: an HTTP/1.1 upgrade with the protocol in a header (package
 * k8s.io/apimachinery/pkg/util/httpstream).
 */
import type { IncomingMessage } from 'node:http'
import { entryOf } from '../../../engine/core/object'
import type { ApiResponse } from '../../../engine/http/messages'

const SPDY = 'SPDY/3.1'
const VERSION_HEADER = 'X-Stream-Protocol-Version'

export const offersSpdy = ({
  headers: { upgrade = '' },
}: Pick<IncomingMessage, 'headers'>): boolean => upgrade.toLowerCase().includes(SPDY.toLowerCase())

/** @returns the client's first supported protocol, or the response that rejects it */
export function negotiated(
  message: IncomingMessage,
  spoken: readonly string[],
): string | ApiResponse {
  const offered = (entryOf(message.headersDistinct, VERSION_HEADER.toLowerCase()) ?? [])
    .flatMap((value) => value.split(','))
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '')
  if (offered.length === 0)
    return rejection(400, `unable to upgrade: ${VERSION_HEADER} is required`)
  const agreed = offered.find((protocol) => spoken.includes(protocol))
  if (agreed !== undefined) return agreed
  const problem = `client supports [${offered.join(' ')}], server accepts [${spoken.join(' ')}]`
  const response = rejection(403, `unable to upgrade: unable to negotiate protocol: ${problem}`)
  return {
    ...response,
    headers: { ...response.headers, 'x-accepted-stream-protocol-versions': [...spoken] },
  }
}

/** The response that accepts the upgrade. */
export const switchingHead = (protocol: string): string =>
  `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${SPDY}\r\n${VERSION_HEADER}: ${protocol}\r\n\r\n`

export const rejection = (status: number, text: string): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  body: `${text}\n`,
})
