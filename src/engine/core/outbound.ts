/** The server's own requests, sent by the host. */
import type { BodyStream, Passage } from '../http/messages'

export interface ServiceAddress {
  namespace: string
  name: string
  port: number
}

export interface OutboundRequest {
  url: string
  /** Host and port, if they differ from the URL's. */
  connectTo?: string
  /** A host may have a better address for it than `connectTo`. */
  service?: ServiceAddress
  headers: Readonly<Record<string, string>>
  body: string
  /** PEM; absent: those of the host. */
  certificates?: string
  /** PEM. */
  identity?: { certificate: string; key: string }
  /** If it differs from the URL's host. */
  serverName?: string
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
   * @param onCancel calls back when the response is no longer needed
   * @throws OutboundError
   */
  post(request: OutboundRequest, onCancel: (run: () => void) => void): Promise<OutboundResponse>
  /** @throws OutboundError */
  get?(
    request: Omit<OutboundRequest, 'body'>,
    onCancel: (run: () => void) => void,
  ): Promise<OutboundResponse>
  /** @throws OutboundError */
  pass?(request: PassedRequest, onCancel: (run: () => void) => void): Promise<PassedResponse>
  /** Uses a separate connection. @throws OutboundError */
  upgrade?(
    request: PassedRequest,
    onCancel: (run: () => void) => void,
  ): Promise<PassedResponse | UpgradedResponse>
}

/** No response. As Go's client: `dial tcp 127.0.0.1:1: connect: connection refused`. */
export class OutboundError extends Error {}
