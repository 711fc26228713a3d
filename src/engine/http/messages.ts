/** Requests and responses inside the engine, cheaper than those of the Fetch API. */

import type { JsonObject, ObjectMeta } from '../core/object'

/** The client has proved that it holds the key. */
export interface ClientCertificate {
  commonName: string
  organizations: readonly string[]
  /** Milliseconds since the epoch, if known. */
  notAfter?: number
  /** The CAs that verify it. */
  authorities: readonly ('clients' | 'proxies')[]
  /** Why no CA could verify the certificate. */
  problem?: string
  /** In PEM, the client's own first; absent if the cluster's CA cannot verify them. */
  pem?: string
}

/** The client disconnected or timed out. */
export class IncompleteBodyError extends Error {}

export interface ApiRequest {
  method: string
  /** `/api/v1/pods?limit=1` */
  target: string
  /** Joins repeated headers with `, `. */
  header(name: string): string | undefined
  /** In lower case. */
  headerNames(): readonly string[]
  /** Absent if the host has only joined headers. */
  headerValues?(name: string): string[]
  /** Empty without a body. @throws IncompleteBodyError */
  body(): Promise<Uint8Array>
  /** Reports the decoded body to observers. */
  understood?(metadata: ObjectMeta, whole: (() => JsonObject) | undefined): void
  /** Absent if the host requests no certificate. */
  clientCertificate?(): ClientCertificate | undefined
  remoteAddress?(): string | undefined
  onClose?(run: () => void): void
}

export interface BodyStream {
  /** Called once. @returns cancels the stream */
  start(sink: StreamSink): () => void
}

export interface StreamSink {
  /** @returns false for backpressure */
  write(chunk: Uint8Array | string): boolean
  /** After buffered chunks. */
  end(): void
  /** Drops buffered chunks. */
  abort(): void
  /**
   * Streams with the same `what` receive the same chunks from now on. Chunks of the stream's own
   * `write` keep their order. Absent if the host gains nothing from it.
   */
  join?(what: object): Membership
}

export interface SharedSink {
  write(chunk: Uint8Array): void
}

export interface Membership {
  /** One object for a host. */
  readonly shared: SharedSink
  /** Earlier chunks still reach the member. */
  leave(): void
}

/** RFC 9110, section 7.8: numbered channels of bytes. */
export interface Tunnel {
  /** WebSocket subprotocols, the preferred one first. */
  protocols: readonly string[]
  /** Streams have types, not numbers (SPDY/3.1). */
  streams: { protocols: readonly string[]; requested: readonly StreamType[] }
  /** Called once, when the connection is open. */
  open(sink: TunnelSink, protocol: string): TunnelEnd
}

/** Except the exit status. */
export type StreamType = 'stdin' | 'stdout' | 'stderr' | 'resize'

export interface TunnelSink {
  send(channel: number, content: string | Uint8Array): void
  end(): void
}

export interface TunnelEnd {
  receive(channel: number, bytes: Uint8Array): void
  closed(): void
}

/** To ports of a pod, over one client connection. */
export interface PortForwarding {
  ports: readonly number[]
  connect(port: number, sink: PortSink): PortEnd
}

export interface PortSink {
  send(content: Uint8Array): void
  fail(message: string): void
  /** The port has closed its side. */
  end(): void
}

export interface PortEnd {
  receive(bytes: Uint8Array): void
  /** The client has closed its side, or disconnected. */
  ended(): void
}

/** A connection to another server, piped to the client's. */
export interface Passage {
  /** Called once, after the head is sent. @param client of the host's own type */
  join(client: unknown): void
}

export interface ApiResponse {
  status: number
  /** Lower-case names; an array becomes repeated headers. */
  headers: Record<string, string | string[]>
  body?: string | Uint8Array | BodyStream
  /** Hosts without upgrades send the rest of the response. */
  tunnel?: Tunnel
  forwarding?: PortForwarding
  /** For status 101. */
  passage?: Passage
  /** A host with gzip compresses each chunk of the stream, if the client accepts that. */
  compressible?: true
  /** How to send the body over a requested WebSocket. */
  messages?: 'events' | 'bytes'
}

export function isStream(body: ApiResponse['body']): body is BodyStream {
  return typeof body === 'object' && 'start' in body
}
