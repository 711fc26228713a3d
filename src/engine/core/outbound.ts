/**
 * Requests of the server itself: to webhooks, identity providers and aggregated servers. The host
 * sends them.
 */
import type { BodyStream, Passage } from '../http/messages'

/** A service of the cluster. */
export interface ServiceAddress {
  namespace: string
  name: string
  port: number
}

export interface OutboundRequest {
  /** Absolute, with its query. */
  url: string
  /** The host and port of a service, if they differ from those in the URL. */
  connectTo?: string
  /** The target service. A host may have a better address for it than `connectTo`. */
  service?: ServiceAddress
  headers: Readonly<Record<string, string>>
  body: string
  /** CA certificates in PEM that verify the server; absent: those of the host. */
  certificates?: string
  /** The server's client certificate and key, in PEM. */
  identity?: { certificate: string; key: string }
  /** The required name in the server's certificate, if it differs from the URL's host. */
  serverName?: string
  /** Skips verification of the server's certificate. */
  insecure?: boolean
  /** Does not offer HTTP/2. */
  http1Only?: boolean
}

export interface OutboundResponse {
  status: number
  contentType: string
  body: string
}

/** A proxied request of a client. */
export interface PassedRequest extends Omit<OutboundRequest, 'body' | 'headers'> {
  method: string
  headers: Readonly<Record<string, string | string[]>>
  /** Absent for a request without body. */
  body?: Uint8Array
}

export interface PassedResponse {
  status: number
  /** Lower-case names, without connection headers. */
  headers: Record<string, string | string[]>
  /** Streamed, not buffered. */
  body: BodyStream
}

/** The other server has switched protocols. */
export interface UpgradedResponse extends Omit<PassedResponse, 'body'> {
  passage: Passage
}

export interface Outbound {
  /**
   * Posts once.
   * @param onCancel calls back when the response is no longer needed
   * @throws OutboundError without a response
   */
  post(request: OutboundRequest, onCancel: (run: () => void) => void): Promise<OutboundResponse>
  /** Gets once. Absent if the host only posts. @throws OutboundError without a response */
  get?(
    request: Omit<OutboundRequest, 'body'>,
    onCancel: (run: () => void) => void,
  ): Promise<OutboundResponse>
  /**
   * Proxies a request and its response. Absent if the host does not support it.
   * @throws OutboundError without a response
   */
  pass?(request: PassedRequest, onCancel: (run: () => void) => void): Promise<PassedResponse>
  /**
   * Proxies an upgrade request over a connection of its own. Absent if the host does not support
   * it.
   * @throws OutboundError without a response
   */
  upgrade?(
    request: PassedRequest,
    onCancel: (run: () => void) => void,
  ): Promise<PassedResponse | UpgradedResponse>
}

/**
 * There was no response; the message is that of Go's client: `dial tcp 127.0.0.1:1: connect:
 * connection refused`.
 */
export class OutboundError extends Error {}
