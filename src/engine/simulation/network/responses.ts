// cspell:ignore clientip
/**
 * Responses of the programs whose ports the simulation knows (documentation of the images, and the
 * README of agnhost).
 */
import { entryOf } from '../../core/object'
import { convertedBy } from '../agnhost/conversion-webhook'
import { flagIn } from '../agnhost/flags'
import { guestbook } from '../agnhost/guestbook'
import { nettest } from '../agnhost/nettest'
import { reviewedBy } from '../agnhost/webhook'
import type { FileSystem } from '../script/files'
import { listenersOf, type Served } from '../servers'
import type { HttpRequest, HttpResponse, LiveClient } from './client'
import type { NetworkContainer } from './cluster'
import { FILE_SERVERS, filesBelow } from './served-files'

export interface Around {
  container: NetworkContainer
  port: number
  hostname: string
  /** Address and port of the client. */
  client: string
  /** Milliseconds since the epoch. */
  now: number
  /** Seconds since the start of the container. */
  seconds: number
  /** The files of the container; undefined if they are unknown. */
  files(): FileSystem | undefined
  /** What the program keeps in memory. */
  memory: Map<string, unknown>
  /** Logs a line. */
  log(text: string): void
}

interface Request extends Around {
  access: LiveClient
  method: string
  body: string
  /** The name of the client program. */
  agent: string
}

type Handler = (url: URL, around: Request) => HttpResponse | undefined

const HTML = { 'content-type': 'text/html' }
const TEXT = { 'content-type': 'text/plain; charset=utf-8' }
const ok = (body: string, headers: HttpResponse['headers'] = TEXT): HttpResponse => ({
  status: 200,
  headers,
  body,
})

const notFound: HttpResponse = { status: 404, headers: TEXT, body: '404 page not found\n' }

/** Logs each request in the combined log format. */
const logged =
  (handler: Handler, last: string): Handler =>
  (url, around) => {
    const response = handler(url, around)
    const { client, now, method, agent, log } = around
    const [day, time] = new Date(now).toISOString().split(/T|\./)
    const [year, month = '', date] = (day ?? '').split('-')
    const when = `${date}/${MONTHS[Number(month) - 1]}/${year}:${time} +0000`
    const path = `${url.pathname}${url.search}`
    const sent = response && `${response.status} ${response.body.length}`
    const ip = client.replace(/:\d+$/, '')
    if (sent) log(`${ip} - - [${when}] "${method} ${path} HTTP/1.1" ${sent} "-" "${agent}"${last}`)
    return response
  }

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

const goTime = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`

const goLogTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, 19).replace(/-/g, '/').replace('T', ' ')

const MOST_TRIES = 100
/** The port of `agnhost guestbook` without a flag. */
const BACKEND_PORT = 6379

/** `netexec /dial`: requests from this container to another one. */
function dial({ searchParams }: URL, { access }: { access: LiveClient }): HttpResponse | undefined {
  const get = (name: string) => searchParams.get(name) ?? ''
  const [host, port, request] = [get('host'), Number(get('port')), get('request')]
  const tries = Math.min(MOST_TRIES, Number(get('tries') || 1))
  if (request === '')
    return { status: 400, headers: TEXT, body: 'request parameter not specified. <nil>\n' }
  const isDatagram = get('protocol') === 'udp'
  if (!['', 'http', 'udp'].includes(get('protocol'))) return undefined
  const ip = access.addressOf(host)
  if (ip === undefined || ip === 'timeout') {
    const body = `host and/or port param are invalid. lookup ${host}: no such host\n`
    return { status: 400, headers: TEXT, body }
  }
  const responses: string[] = []
  const errors: string[] = []
  for (let index = 0; index < tries; index++) {
    const target = access.connect(ip, port, isDatagram ? 'UDP' : 'TCP')
    if (target.result === 'unknown' || target.result === 'api') return undefined
    if (target.result === 'open' && target.encrypted) return undefined
    if (target.result === 'open') {
      const response = isDatagram
        ? access.datagram(target, request)
        : access.request(target, { method: 'GET', path: `/${request}` })?.body
      if (response === undefined && !isDatagram) return undefined
      if (response !== undefined) {
        responses.push(response)
        continue
      }
    }
    errors.push(
      isDatagram
        ? "reading from udp connection failed. err:'i/o timeout'"
        : `Get "http://${ip}:${port}/${request}": dial tcp ${ip}:${port}: ${target.result === 'closed' ? 'connect: connection refused' : 'i/o timeout'}`,
    )
  }
  return ok(
    JSON.stringify({
      ...(errors.length > 0 && { errors }),
      ...(responses.length > 0 && { responses }),
    }),
  )
}

const NETEXEC: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['/', (_, { now, seconds }) => ok(`NOW: ${goTime(now)} m=+${seconds.toFixed(9)}`)],
  ['/clientip', (_, { client }) => ok(client)],
  ['/hostname', (_, { hostname }) => ok(hostname)],
  ['/hostName', (_, { hostname }) => ok(hostname)],
  ['/healthz', () => ok('')],
  [
    '/echo',
    ({ searchParams }) => ({
      ...ok(searchParams.get('msg') ?? ''),
      status: Number(searchParams.get('code') || 200),
    }),
  ],
  [
    '/redirect',
    ({ searchParams }) => {
      const location = searchParams.get('location') ?? ''
      const status = Number(searchParams.get('code') || 302)
      return { status, headers: { ...HTML, location }, body: '' }
    },
  ],
  ['/dial', dial],
  // These change the container.
  ...['/shell', '/exit', '/shutdown', '/upload'].map((path): [string, Handler] => [
    path,
    () => undefined,
  ]),
])

/** The parameters that `netexec` logs. */
const LOGGED: ReadonlyMap<string, readonly string[]> = new Map([
  ['/echo', ['msg', 'code']],
  ['/dial', ['host', 'protocol', 'port', 'request', 'tries']],
  ['/redirect', ['location', 'code']],
])

function netexec(url: URL, around: Request): HttpResponse | undefined {
  const path = NETEXEC.has(url.pathname) ? url.pathname : '/'
  const query = (LOGGED.get(path) ?? []).map(
    (name) => `${name}=${url.searchParams.get(name) ?? ''}`,
  )
  const time = goLogTime(around.now)
  const response = NETEXEC.get(path)?.(url, around)
  if (response) around.log(`${time} GET ${path}${query.length > 0 ? `?${query.join('&')}` : ''}`)
  return response
}

/** `porter` serves the value of `SERVE_PORT_80` on port 80. */
const portEnvironment = (
  { env = [] }: NetworkContainer,
  port: number,
  kinds: readonly string[] = ['', 'TCP_', 'TLS_'],
): string | undefined =>
  env.find(({ name }) => kinds.some((kind) => name === `SERVE_${kind}PORT_${port}`))?.value

/** The end of a line of the access log. */
const LOG_ENDS: ReadonlyMap<string, string> = new Map([
  ['nginx', ' "-"'],
  ['httpd', ''],
])

const PAGES: [string, Handler][] = [...FILE_SERVERS].map(([program, served]) => {
  const end = LOG_ENDS.get(program)
  const handler = filesBelow(served)
  return [program, end === undefined ? handler : logged(handler, end)]
})

const HANDLERS: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(PAGES),
  netexec,
  'serve-hostname': (_, { hostname }) => ok(hostname),
  webhook: ({ pathname }, { body, container }) =>
    reviewedBy(pathname, body, {
      'sidecar-image': flagIn(container.args ?? [], '--sidecar-image') ?? '',
    }),
  'crd-conversion-webhook': ({ pathname }, { body }) => convertedBy(pathname, body),
  nettest,
  guestbook: (url, around) => {
    const { now, container, log } = around
    const backendPort = Number(flagIn(container.args ?? [], '--backend-port') ?? BACKEND_PORT)
    return guestbook(url, {
      ...around,
      backendPort,
      log: (text) => log(`${goLogTime(now)} ${text}`),
    })
  },
  porter: (_, { container, port, method }) => {
    const value = portEnvironment(container, port) ?? ''
    return (container.args ?? []).includes('--json-response')
      ? ok(JSON.stringify({ Method: method, Body: value }), { 'content-type': 'application/json' })
      : ok(value, HTML)
  },
  liveness: ({ pathname }, { seconds, now }) => {
    if (pathname === '/started') return ok(goTime(now - seconds * 1000))
    if (pathname !== '/healthz') return notFound
    return seconds > 10
      ? { status: 500, headers: TEXT, body: `error: ${seconds.toFixed(0)}` }
      : ok('ok')
  },
}

/** @returns undefined if the response is not simulated */
export function serve(
  { path, method, headers, body = '' }: HttpRequest,
  around: Around & { access: LiveClient },
): HttpResponse | undefined {
  const listener = listenersOf(around.container as Served)?.find(
    ({ port, protocol = 'TCP' }) => port === around.port && protocol === 'TCP',
  )
  const handler = listener?.program && entryOf(HANDLERS, listener.program)
  if (!handler) return undefined
  const agent = headers?.['user-agent'] ?? '-'
  return handler(new URL(path, 'http://host'), { ...around, method, agent, body })
}

/** Responses over UDP: `porter`, and `netexec` to `hostname`, `clientip` and `echo TEXT`. */
export function serveDatagram(text: string, around: Around): string | undefined {
  const { hostname, client, container, port } = around
  const own = portEnvironment(container, port, ['UDP_'])
  if (own !== undefined) return own
  const start = text.trimStart()
  const [word = ''] = start.split(/\s/, 1)
  const rest = start.slice(word.length).trimStart()
  if (word.toLowerCase() === 'hostname') return hostname
  if (word === 'clientip') return client
  return word === 'echo' ? rest : undefined
}
