/**
 * Who may come over the bridge: programs of this machine, and the page itself. Not other sites that a browser has open, whether they
 * ask directly (Origin, fetch metadata) or through a name of their own that leads here (Host).
 */
import type { IncomingHttpHeaders } from 'node:http'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** @returns why a request is refused; undefined: it is not */
export function refusalOf(headers: IncomingHttpHeaders): string | undefined {
  const { host = '', origin } = headers
  if (!LOOPBACK.includes(nameIn(host))) return `this server answers on this machine's own names alone, not as ${host || 'nobody'}`
  if (origin !== undefined && !isOwn(origin, host)) return `pages of ${origin} may not reach this server`
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'pages of other sites may not reach this server'
  return undefined
}

/** For the tab's own connection: programs are not refused by the above, but only the page has a reason to offer its engine. */
export function isFromPage({ origin, host = '' }: IncomingHttpHeaders): boolean {
  return origin !== undefined && isOwn(origin, host)
}

/** `localhost:5173` without its port. */
function nameIn(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

function isOwn(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}
