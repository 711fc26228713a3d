/**
 * Requests and responses inside the engine. Smaller than the Fetch API's classes, because a host that speaks raw HTTP should
 * not pay for building them; `fetch` in server.ts adapts.
 */

import type { JsonObject, ObjectMeta } from '../object'

/** Whose certificate the client has proved to hold. */
export interface ClientCertificate {
  commonName: string
  organizations: readonly string[]
  /** When it expires, in milliseconds since the epoch; absent where that is not known. */
  notAfter?: number
  /** Which of the server's authorities vouch for it: of its clients, of proxies in front of it. */
  authorities: readonly ('clients' | 'proxies')[]
  /** Why none does. */
  problem?: string
  /** The certificates themselves, where the cluster's own authority may vouch for them: the client's own first. */
  pem?: string
}

/** The client has gone, or has taken too long, before all of its body came: no failure of the server, and nobody to tell. */
export class IncompleteBodyError extends Error {}

export interface ApiRequest {
  method: string
  /** Path and query exactly as sent: `/api/v1/pods?limit=1`. */
  target: string
  /** Value of a header by lower-case name; repeated headers joined with `, `. */
  header(name: string): string | undefined
  /** Lower-case names of all headers: some carry data in their names. */
  headerNames(): readonly string[]
  /** Values of a header that may be repeated, each by itself; absent where the host has only their joined form. */
  headerValues?(name: string): string[]
  /** The body's bytes; empty if there is none. @throws IncompleteBodyError */
  body(): Promise<Uint8Array>
  /** Who looks on is told what the body turned out to be: its metadata, and the whole, with defaults, as the client would write it. */
  understood?(metadata: ObjectMeta, whole: (() => JsonObject) | undefined): void
  /** Absent where the host asks for none; undefined if the client brought none. */
  clientCertificate?(): ClientCertificate | undefined
  /** The address that it came from, where the host sees it. */
  remoteAddress?(): string | undefined
  /** Calls back when the client goes away. */
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
  /** @returns whether the reader keeps up: false when the host holds more than it wants to */
  write(chunk: Uint8Array | string): boolean
  /** What is held still reaches the reader. */
  end(): void
  /** Gives the stream up: what is held is let go. */
  abort(): void
  /**
   * Joins the streams of this host that are told the same from now on; absent where a host has nothing to gain by that. What one of them
   * is told besides, by `write`, comes in its place between.
   * @param what who joins under the same object is told the same
   */
  join?(what: object): Membership
}

/** Told once for all streams that have joined. */
export interface SharedSink {
  write(chunk: Uint8Array): void
}

export interface Membership {
  /** The same for every member of one host. */
  readonly shared: SharedSink
  /** What was told until now still reaches the member. */
  leave(): void
}

/** Both directions of a connection that has become another protocol's (RFC 9110, section 7.8), as numbered channels of bytes. */
export interface Tunnel {
  /** What may be spoken over WebSockets, the best first. */
  protocols: readonly string[]
  /** What may be spoken over streams that have types instead of numbers (SPDY/3.1). */
  streams: { protocols: readonly string[]; asked: readonly StreamType[] }
  /** The host calls this once, when the connection is open. @param protocol the one that is spoken */
  open(sink: TunnelSink, protocol: string): TunnelEnd
}

/** What a remote command has streams for, beside the one that tells how it ended. */
export type StreamType = 'stdin' | 'stdout' | 'stderr' | 'resize'

export interface TunnelSink {
  send(channel: number, content: string | Uint8Array): void
  /** Everything has been sent. */
  end(): void
}

export interface TunnelEnd {
  receive(channel: number, bytes: Uint8Array): void
  /** The client is gone. */
  closed(): void
}

/** Connections to ports of a pod, any number of them over the client's one. */
export interface PortForwarding {
  /** Those that the request names. */
  ports: readonly number[]
  connect(port: number, sink: PortSink): PortEnd
}

export interface PortSink {
  send(content: Uint8Array): void
  /** Says why there is no connection to the port. */
  fail(message: string): void
  /** The port says no more. */
  end(): void
}

export interface PortEnd {
  receive(bytes: Uint8Array): void
  /** The client says no more, or is gone. */
  ended(): void
}

/** A connection to another server that the client's becomes one with; made by a host, and used by the same. */
export interface Passage {
  /** The host calls this once, when the head is sent. @param client its connection, of the host's own kind */
  join(client: unknown): void
}

export interface ApiResponse {
  status: number
  /** Lower-case names; an array is sent as repeated headers (Warning). */
  headers: Record<string, string | string[]>
  body?: string | Uint8Array | BodyStream
  /** What the connection becomes on a host that can; the rest answers where it cannot. */
  tunnel?: Tunnel
  /** As `tunnel`, to ports. */
  forwarding?: PortForwarding
  /** What the connection becomes, with the status 101. */
  passage?: Passage
  /** The body may go over a WebSocket instead, if that was asked for: event by event, or as bytes. */
  messages?: 'events' | 'bytes'
}

export function isStream(body: ApiResponse['body']): body is BodyStream {
  return typeof body === 'object' && 'start' in body
}
