/** The engine's own requests from a browser: what its security allows, that is servers which allow this page and have a certificate that it trusts. */
import { type Outbound, OutboundError } from '../../engine/outbound'

export const browserOutbound: Outbound = {
  async post({ url, connectTo, headers, body }, onCancel) {
    if (connectTo !== undefined) throw new OutboundError(`dial tcp ${connectTo}: connect: connection refused`)
    const controller = new AbortController()
    onCancel(() => controller.abort())
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: sendable(headers),
        body,
        signal: controller.signal,
        credentials: 'omit',
      })
      return { status: response.status, contentType: response.headers.get('content-type') ?? '', body: await response.text() }
    } catch (error) {
      throw new OutboundError(error instanceof Error ? error.message : String(error))
    }
  },
}

/** The browser names itself. */
function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'user-agent'))
}
