/** The engine's own requests from a browser: what its security allows, that is servers which allow this page and have a certificate that it trusts. */
import { type Outbound, OutboundError, type OutboundRequest, type OutboundResponse } from '../../engine/outbound'

export const browserOutbound: Outbound = {
  post: (asked, onCancel) => send('POST', asked, onCancel),
  get: (asked, onCancel) => send('GET', asked, onCancel),
}

type Sent = Omit<OutboundRequest, 'body'> & { body?: string }

async function send(
  method: 'GET' | 'POST',
  { url, connectTo, headers, body }: Sent,
  onCancel: (run: () => void) => void,
): Promise<OutboundResponse> {
  if (connectTo !== undefined) throw new OutboundError(`dial tcp ${connectTo}: connect: connection refused`)
  const controller = new AbortController()
  onCancel(() => controller.abort())
  try {
    const response = await fetch(url, {
      method,
      headers: sendable(headers),
      ...(body === undefined ? {} : { body }),
      signal: controller.signal,
      credentials: 'omit',
    })
    return { status: response.status, contentType: response.headers.get('content-type') ?? '', body: await response.text() }
  } catch (error) {
    throw new OutboundError(error instanceof Error ? error.message : String(error))
  }
}

/** The browser names itself. */
function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'user-agent'))
}
