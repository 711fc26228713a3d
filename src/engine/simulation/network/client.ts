/** What a program does in the network. */
import type { NetworkContainer, NetworkPod } from './cluster'

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'SRV' | 'PTR'

export interface DnsResponse {
  /** The name that exists, after the search path. */
  name: string
  records: readonly string[]
}

/** What a program of a pod reads to resolve names. */
export interface HostFiles {
  resolver: string
  hosts: string
}

/** The network of one moment. */
export interface LiveClient extends Network {
  callApi(request: HttpRequest): Promise<HttpResponse | undefined>
}

/** How a program reaches the network. */
export interface Client extends Network {
  /** @returns the response of the API server; undefined if it is not simulated */
  callApi(request: HttpRequest): HttpResponse | undefined
}

interface Network {
  /** The servers that `/etc/resolv.conf` names. */
  readonly servers: readonly string[]
  /**
   * Resolves a name with the search path of the container.
   * @returns undefined if no name of the search path exists; `timeout` without a server
   */
  lookUp(name: string, type?: RecordType): DnsResponse | 'timeout' | undefined
  addressOf(host: string): string | 'timeout' | undefined
  connect(ip: string, port: number, protocol?: 'TCP' | 'UDP'): Connected
  request(target: OpenConnection, request: HttpRequest): HttpResponse | undefined
  datagram(target: OpenConnection, text: string): string | undefined
}

export interface OpenConnection {
  result: 'open'
  pod: NetworkPod
  container: NetworkContainer
  /** Whether the program expects TLS. */
  encrypted: boolean
  ip: string
  port: number
  /** The steps that explain where the connection leads. */
  hops: string[]
}

export type Connected =
  | OpenConnection
  | { result: 'api'; ip: string; port: number; hops: string[] }
  | { result: 'closed' | 'timeout' | 'unknown'; ip: string; port: number; hops: string[] }

export interface HttpRequest {
  method: string
  /** With its query. */
  path: string
  /** In lower case. */
  headers?: Readonly<Record<string, string>>
  body?: string
}

export interface HttpResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
  /** How long the client waits for it; infinite if it never comes. */
  seconds?: number
}
