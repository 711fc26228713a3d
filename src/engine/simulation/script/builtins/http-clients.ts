/** What the HTTP clients of containers have in common. */
import type { Client, HttpRequest, HttpResponse } from '../../network/client'
import type { ScriptState } from '../command'
import { OutsideSubset } from '../words'

/** @throws OutsideSubset where the program cannot reach the simulated network */
export function networkOf({ around }: ScriptState, name: string): Client {
  const network = around.network?.()
  if (network === undefined) throw new OutsideSubset(name)
  return network
}

export interface Target {
  scheme: string
  host: string
  port: number
  path: string
}

export function targetIn(url: string): Target | undefined {
  const found =
    /^(?:(https?):\/\/)?(?:[^/@]*@)?(\[[^\]]+\]|[^/:?#]+)(?::(\d{1,5}))?([/?][^#]*)?/.exec(url)
  if (found === null) return undefined
  const [, scheme = 'http', host = '', port, path = '/'] = found
  return {
    scheme,
    host,
    port: Number(port ?? (scheme === 'https' ? 443 : 80)),
    path: path.startsWith('/') ? path : `/${path}`,
  }
}

/** Where a response redirects its client. */
export const redirected = (target: Target, location: string): Target => {
  const { scheme, host, port, path } = target
  const { href } = new URL(location, `${scheme}://${host}:${port}${path}`)
  return { ...target, ...targetIn(href) }
}

export type Fetched =
  | { ip: string; response: HttpResponse }
  | { ip?: string; failure: 'name' | 'closed' | 'timeout' | 'plain' | 'untrusted' }

/** Seconds after which Linux gives up to connect (tcp(7), `tcp_syn_retries`). */
export const CONNECT_SECONDS = 127

const PLAIN_TO_TLS_TEXT = 'Client sent an HTTP request to an HTTPS server.\n'
/** What a Go server sends to a client without TLS. */
export const PLAIN_TO_TLS = `HTTP/1.0 400 Bad Request\r\n\r\n${PLAIN_TO_TLS_TEXT}`

export interface Attempt {
  state: ScriptState
  request: Omit<HttpRequest, 'path'>
  /** Seconds to connect. */
  limit?: number | undefined
  /** The certificates that the client accepts: any, those of the cluster, or public ones. */
  trust: 'any' | 'cluster' | 'public'
}

/** @throws OutsideSubset if the response is not simulated */
export function fetched(
  network: Client,
  target: Target,
  { state, request, limit = CONNECT_SECONDS, trust }: Attempt,
): Fetched {
  const ip = network.addressOf(target.host)
  if (ip === undefined || ip === 'timeout') return { failure: 'name' }
  const connection = network.connect(ip, target.port)
  if (connection.result !== 'open' && connection.result !== 'api') {
    if (connection.result === 'unknown') throw new OutsideSubset('an unknown port')
    if (connection.result === 'timeout') state.sleep(limit)
    return { ip, failure: connection.result }
  }
  const usesTls = target.scheme === 'https'
  const expectsTls = connection.result === 'api' || connection.encrypted
  if (usesTls && !expectsTls) return { ip, failure: 'plain' }
  if (!usesTls && expectsTls)
    return { ip, response: { status: 400, headers: {}, body: PLAIN_TO_TLS_TEXT } }
  const isTrusted = trust === 'any' || (trust === 'cluster' && connection.result === 'api')
  if (usesTls && !isTrusted) return { ip, failure: 'untrusted' }
  const whole = { ...request, path: target.path }
  const response =
    connection.result === 'api' ? network.callApi(whole) : network.request(connection, whole)
  if (response === undefined) throw new OutsideSubset('an unknown response')
  return { ip, response }
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [302, 'Found'],
  [307, 'Temporary Redirect'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [409, 'Conflict'],
  [412, 'Precondition Failed'],
  [415, 'Unsupported Media Type'],
  [422, 'Unprocessable Entity'],
  [500, 'Internal Server Error'],
  [503, 'Service Unavailable'],
])

export const reasonOf = (status: number): string => REASONS.get(status) ?? ''

export const headOf = ({ status, headers }: HttpResponse): string =>
  [
    `HTTP/1.1 ${status} ${reasonOf(status)}`,
    ...Object.entries(headers).map(([name, text]) => `${name}: ${text}`),
    '',
    '',
  ].join('\r\n')

/** A duration of an option; undefined without one. */
export const secondsIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,6}(?:\.\d+)?s?$/.test(text) ? Number.parseFloat(text) : undefined

/** `Accept: text/plain` as a member of the headers of a request. */
export function headerIn(line: string): [string, string] {
  const at = line.indexOf(':')
  return at < 0
    ? [line.toLowerCase(), '']
    : [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]
}

export const MOST_REDIRECTS = 5
