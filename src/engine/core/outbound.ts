/**
 * Requests of the server itself, which the host sends: to webhooks, identity providers and
 * aggregated servers.
 */
import type { BodyStream, Passage } from '../http/messages'

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
  /** The target service, for which a host may have a better address than `connectTo`. */
  service?: ServiceAddress
  headers: Readonly<Record<string, string>>
  body: string
  /** CA certificates in PEM; absent: those of the host. */
  certificates?: string
  /** The client certificate and key of this server, in PEM. */
  identity?: { certificate: string; key: string }
  /** The expected name in the certificate, if it differs from the URL's host. */
  serverName?: string
  /** Skips verification of the certificate. */
  insecure?: boolean
  http1Only?: boolean
}

export interface OutboundResponse {
  status: number
  contentType: string
  body: string
}

export interface PassedRequest extends Omit<OutboundRequest, 'body' | 'headers'> {
  method: string
  headers: Readonly<Record<string, string | string[]>>
  body?: Uint8Array
}

export interface PassedResponse {
  status: number
  /** Lower-case names, without connection headers. */
  headers: Record<string, string | string[]>
  body: BodyStream
}

export interface UpgradedResponse extends Omit<PassedResponse, 'body'> {
  passage: Passage
}

export interface Outbound {
  /**
   * Posts once. @param onCancel calls back when the response is no longer needed @throws
   * OutboundError without a response
   */
  post(request: OutboundRequest, onCancel: (run: () => void) => void): Promise<OutboundResponse>
  /** Absent if the host only posts. @throws OutboundError without a response */
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
   * Proxies an upgrade over a separate connection. Absent if the host does not support it.
   * @throws OutboundError without a response
   */
  upgrade?(
    request: PassedRequest,
    onCancel: (run: () => void) => void,
  ): Promise<PassedResponse | UpgradedResponse>
}

/**
 * There was no response. The message is that of Go's client: `dial tcp 127.0.0.1:1: connect:
 * connection refused`.
 */
export class OutboundError extends Error {}
