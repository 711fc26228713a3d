/**
 * Requests and responses inside the engine. They are smaller than classes of the Fetch API, which a
 * host with raw HTTP need not build.
 */

import type { JsonObject, ObjectMeta } from '../core/object'

/** The client has proved that it holds the key. */
export interface ClientCertificate {
  commonName: string
  organizations: readonly string[]
  /** Milliseconds since the epoch; absent if unknown. */
  notAfter?: number
  /** The CAs that verify it: for clients, or for front proxies. */
  authorities: readonly ('clients' | 'proxies')[]
  /** Why no CA verifies it. */
  problem?: string
  /** In PEM, the client's own first, if the cluster's CA may verify them. */
  pem?: string
}

/** The client disconnected or timed out before its body was complete: no one receives an error. */
export class IncompleteBodyError extends Error {}

export interface ApiRequest {
  method: string
  /** Path and query exactly as sent: `/api/v1/pods?limit=1`. */
  target: string
  /** Repeated headers are joined with `, `. */
  header(name: string): string | undefined
  /** In lower case. Some headers carry data in their names. */
  headerNames(): readonly string[]
  /** Values of a repeated header; absent if the host has only the joined form. */
  headerValues?(name: string): string[]
  /** Empty without a body. @throws IncompleteBodyError */
  body(): Promise<Uint8Array>
  /** Reports the decoded body to observers: its metadata, and the whole object with defaults. */
  understood?(metadata: ObjectMeta, whole: (() => JsonObject) | undefined): void
  /** Absent if the host requests no certificate; undefined if the client sent none. */
  clientCertificate?(): ClientCertificate | undefined
  /** If the host knows it. */
  remoteAddress?(): string | undefined
  onClose?(run: () => void): void
}

/** A stream of chunks that the engine writes and the host forwards. */
export interface BodyStream {
  /**
   * Called once. Chunks follow until `end`. @returns cancels the stream when the client disconnects
   */
  start(sink: StreamSink): () => void
}

export interface StreamSink {
  /** @returns false while the host wants backpressure */
  write(chunk: Uint8Array | string): boolean
  /** Buffered chunks still reach the reader. */
  end(): void
  /** Aborts the stream and drops buffered chunks. */
  abort(): void
  /**
   * Joins streams that receive the same chunks from now on. Absent if the host gains nothing from
   * it. Chunks of the stream's own `write` keep their order.
   * @param what streams that join with the same object receive the same chunks
   */
  join?(what: object): Membership
}

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
 * A connection after an upgrade (RFC 9110, section 7.8), as numbered channels of bytes in both
 * directions.
 */
export interface Tunnel {
  /** WebSocket subprotocols, in order of preference. */
  protocols: readonly string[]
  /** Protocols whose streams have types instead of numbers (SPDY/3.1). */
  streams: { protocols: readonly string[]; requested: readonly StreamType[] }
  /** Called once, when the connection is open. @param protocol the negotiated one */
  open(sink: TunnelSink, protocol: string): TunnelEnd
}

/** Streams of a remote command, apart from that of its exit status. */
export type StreamType = 'stdin' | 'stdout' | 'stderr' | 'resize'

export interface TunnelSink {
  send(channel: number, content: string | Uint8Array): void
  end(): void
}

export interface TunnelEnd {
  receive(channel: number, bytes: Uint8Array): void
  closed(): void
}

/** Any number of connections to ports of a pod, over one connection of the client. */
export interface PortForwarding {
  ports: readonly number[]
  connect(port: number, sink: PortSink): PortEnd
}

export interface PortSink {
  send(content: Uint8Array): void
  /** Reports why the port cannot be reached. */
  fail(message: string): void
  /** The port has closed its side. */
  end(): void
}

export interface PortEnd {
  receive(bytes: Uint8Array): void
  /** The client has closed its side, or has disconnected. */
  ended(): void
}

/** A connection to another server, which the host pipes to the client's. */
export interface Passage {
  /**
   * Called once, after the head is sent.
   * @param client its connection, of the host's own type
   */
  join(client: unknown): void
}

export interface ApiResponse {
  status: number
  /** Lower-case names; an array is sent as repeated headers (Warning). */
  headers: Record<string, string | string[]>
  body?: string | Uint8Array | BodyStream
  /** The upgraded connection. Hosts without upgrades send the rest of the response. */
  tunnel?: Tunnel
  /** Like `tunnel`, for ports. */
  forwarding?: PortForwarding
  /** What the connection becomes, with status 101. */
  passage?: Passage
  /** How to send the body over a requested WebSocket. */
  messages?: 'events' | 'bytes'
}

export function isStream(body: ApiResponse['body']): body is BodyStream {
  return typeof body === 'object' && 'start' in body
}
