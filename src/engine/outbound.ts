/** Requests that the server itself makes: to webhooks, identity providers and aggregated servers. How they travel is the host's business. */
import type { BodyStream, Passage } from './http/messages'

/** A service of the cluster. */
export interface ServiceAddress {
  namespace: string
  name: string
  port: number
}

export interface OutboundRequest {
  /** Absolute, with its query. */
  url: string
  /** Another host and port to connect to than the URL names: a service's address. */
  connectTo?: string
  /** The service that is meant. A host may know better where it listens than at `connectTo`. */
  service?: ServiceAddress
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
  /** HTTP/2 is not offered. */
  http1Only?: boolean
}

export interface OutboundResponse {
  status: number
  contentType: string
  body: string
}

/** A request of somebody that is passed on. */
export interface PassedRequest extends Omit<OutboundRequest, 'body' | 'headers'> {
  method: string
  headers: Readonly<Record<string, string | string[]>>
  /** Absent: there is none. */
  body?: Uint8Array
}

export interface PassedResponse {
  status: number
  /** Lower-case names, those of the connection itself left out. */
  headers: Record<string, string | string[]>
  /** As it comes. */
  body: BodyStream
}

/** The other server speaks another protocol from now on. */
export interface UpgradedResponse extends Omit<PassedResponse, 'body'> {
  passage: Passage
}

export interface Outbound {
  /**
   * Posts once.
   * @param onCancel calls back when nobody waits for the answer any more
   * @throws OutboundError if there is no answer
   */
  post(request: OutboundRequest, onCancel: (run: () => void) => void): Promise<OutboundResponse>
  /** Gets once. Absent where the host only posts. @throws OutboundError if there is no answer */
  get?(
    request: Omit<OutboundRequest, 'body'>,
    onCancel: (run: () => void) => void,
  ): Promise<OutboundResponse>
  /** Passes a request on and its answer back. Absent where the host cannot. @throws OutboundError if there is no answer */
  pass?(request: PassedRequest, onCancel: (run: () => void) => void): Promise<PassedResponse>
  /**
   * Passes a request on that asks for another protocol, over a connection of its own. Absent where the host cannot.
   * @throws OutboundError if there is no answer
   */
  upgrade?(
    request: PassedRequest,
    onCancel: (run: () => void) => void,
  ): Promise<PassedResponse | UpgradedResponse>
}

/** Nobody answered; the message is what Go's client says of the cause: `dial tcp 127.0.0.1:1: connect: connection refused`. */
export class OutboundError extends Error {}
