/**
 * Requests and responses inside the engine. They are smaller than the Fetch API's classes, so a
 * host with raw HTTP need not build those. `fetch` in server.ts adapts.
 */

import type { JsonObject, ObjectMeta } from '../core/object'

/** The identity in the client certificate whose key the client has proved to hold. */
export interface ClientCertificate {
  commonName: string
  organizations: readonly string[]
  /** Expiry in milliseconds since the epoch; absent if unknown. */
  notAfter?: number
  /** The authorities that verify it: those of clients, those of front proxies. */
  authorities: readonly ('clients' | 'proxies')[]
  /** Why no authority verifies it. */
  problem?: string
  /**
   * The certificates in PEM, the client's own first, where the cluster's own authority may verify
   * them.
   */
  pem?: string
}

/**
 * The client disconnected or timed out before its body was complete. This is not a server error,
 * and no client is left to receive one.
 */
export class IncompleteBodyError extends Error {}

export interface ApiRequest {
  method: string
  /** Path and query exactly as sent: `/api/v1/pods?limit=1`. */
  target: string
  /** Value of a header by lower-case name; repeated headers joined with `, `. */
  header(name: string): string | undefined
  /** Lower-case names of all headers: some carry data in their names. */
  headerNames(): readonly string[]
  /** Values of a repeated header, one by one; absent where the host has only the joined form. */
  headerValues?(name: string): string[]
  /** The body's bytes; empty if there is none. @throws IncompleteBodyError */
  body(): Promise<Uint8Array>
  /** Reports the decoded body to observers: its metadata, and the whole object with defaults. */
  understood?(metadata: ObjectMeta, whole: (() => JsonObject) | undefined): void
  /** Absent if the host requests no certificate; undefined if the client sent none. */
  clientCertificate?(): ClientCertificate | undefined
  /** The client's address, if the host knows it. */
  remoteAddress?(): string | undefined
  /** Runs the callback when the client disconnects. */
  onClose?(run: () => void): void
}

/** A stream of chunks that the engine writes and the host forwards. */
export interface BodyStream {
  /**
   * The host calls this once and gets chunks until `end`. Returns how to cancel (client gone).
   */
  start(sink: StreamSink): () => void
}

export interface StreamSink {
  /** @returns false while the host buffers more than it wants to */
  write(chunk: Uint8Array | string): boolean
  /** Buffered chunks still reach the reader. */
  end(): void
  /** Aborts the stream and drops buffered chunks. */
  abort(): void
  /**
   * Joins other streams of this host that receive the same chunks from now on. Absent where the
   * host gains nothing from it. Chunks of this stream's own `write` keep their place in the order.
   * @param what streams that join with the same object receive the same chunks
   */
  join?(what: object): Membership
}

/** Writes once for all streams that have joined. */
export interface SharedSink {
  write(chunk: Uint8Array): void
}

export interface Membership {
  /** The same object for every member of one host. */
  readonly shared: SharedSink
  /** Chunks written before still reach the member. */
  leave(): void
}

/**
 * Both directions of a connection that has become another protocol's (RFC 9110, section 7.8), as
 * numbered channels of bytes.
 */
export interface Tunnel {
  /** WebSocket subprotocols, in order of preference. */
  protocols: readonly string[]
  /** Protocols over streams that have types instead of numbers (SPDY/3.1). */
  streams: { protocols: readonly string[]; requested: readonly StreamType[] }
  /** The host calls this once, when the connection is open. @param protocol the negotiated one */
  open(sink: TunnelSink, protocol: string): TunnelEnd
}

/** Streams of a remote command, apart from the one for its exit status. */
export type StreamType = 'stdin' | 'stdout' | 'stderr' | 'resize'

export interface TunnelSink {
  send(channel: number, content: string | Uint8Array): void
  /** Everything has been sent. */
  end(): void
}

export interface TunnelEnd {
  receive(channel: number, bytes: Uint8Array): void
  /** The client has disconnected. */
  closed(): void
}

/** Any number of connections to ports of a pod, over one connection of the client. */
export interface PortForwarding {
  /** The ports that the request names. */
  ports: readonly number[]
  connect(port: number, sink: PortSink): PortEnd
}

export interface PortSink {
  send(content: Uint8Array): void
  /** Reports why the port cannot be connected to. */
  fail(message: string): void
  /** The port has closed its side. */
  end(): void
}

export interface PortEnd {
  receive(bytes: Uint8Array): void
  /** The client has closed its side, or has disconnected. */
  ended(): void
}

/** A connection to another server that is piped to the client's. The host makes it and uses it. */
export interface Passage {
  /**
   * The host calls this once, after sending the head.
   * @param client its connection, of the host's own type
   */
  join(client: unknown): void
}

export interface ApiResponse {
  status: number
  /** Lower-case names; an array is sent as repeated headers (Warning). */
  headers: Record<string, string | string[]>
  body?: string | Uint8Array | BodyStream
  /**
   * What the connection becomes on a host that supports it; other hosts send the rest of the
   * response.
   */
  tunnel?: Tunnel
  /** Like `tunnel`, for ports. */
  forwarding?: PortForwarding
  /** What the connection becomes, with status 101. */
  passage?: Passage
  /** The body may be sent over a requested WebSocket: as events, or as bytes. */
  messages?: 'events' | 'bytes'
}

export function isStream(body: ApiResponse['body']): body is BodyStream {
  return typeof body === 'object' && 'start' in body
}
