/** Requests that the server itself makes: to webhooks and identity providers. How they travel is the host's business. */

export interface OutboundRequest {
  /** Absolute, with its query. */
  url: string
  /** Another host and port to connect to than the URL names: a service's address. */
  connectTo?: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Certificates in PEM, one of which must have signed the other side's; absent: those that the host trusts. */
  certificates?: string
  /** What the server shows of itself, in PEM. */
  identity?: { certificate: string; key: string }
  /** The name that the other side's certificate must bear, where it is not the URL's. */
  serverName?: string
  /** Whoever answers is taken for the right one. */
  insecure?: boolean
}

export interface OutboundResponse {
  status: number
  contentType: string
  body: string
}

export interface Outbound {
  /** Where a service of the cluster really listens, as `host:port`; absent or undefined: at the address that it has in the cluster. */
  serviceAddress?(namespace: string, name: string, port: number): string | undefined
  /**
   * Posts once.
   * @param onCancel calls back when nobody waits for the answer any more
   * @throws OutboundError if there is no answer
   */
  post(request: OutboundRequest, onCancel: (run: () => void) => void): Promise<OutboundResponse>
  /** Gets once. Absent where the host only posts. @throws OutboundError if there is no answer */
  get?(request: Omit<OutboundRequest, 'body'>, onCancel: (run: () => void) => void): Promise<OutboundResponse>
}

/** Nobody answered; the message is what Go's client says of the cause: `dial tcp 127.0.0.1:1: connect: connection refused`. */
export class OutboundError extends Error {}
