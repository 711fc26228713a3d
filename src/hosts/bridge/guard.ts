/**
 * Limits the bridge to programs of this machine and the page itself. Origin and fetch metadata
 * reveal other sites; Host reveals DNS rebinding.
 */

export interface RequestOrigin {
  host?: string | undefined
  origin?: string | undefined
  'sec-fetch-site'?: string | string[] | undefined
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
const isLoopbackName = (name: string): boolean => LOOPBACK.includes(name)

/**
 * @param isOwnName whether the server has this name or address
 * @returns the reason to reject; undefined to accept
 */
export function rejectionOf(
  headers: RequestOrigin,
  isOwnName = isLoopbackName,
): string | undefined {
  const { host = '', origin } = headers
  if (!isOwnName(nameIn(host)))
    return `this server accepts only names of this machine as Host, not ${JSON.stringify(host)}`
  if (origin !== undefined && !isOwn(origin, host))
    return `pages of ${origin} may not reach this server`
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return 'pages of other sites may not reach this server'
  return undefined
}

/**
 * Rejects other machines: Host can be forged, and the server may listen on other interfaces.
 * @returns the reason to reject; undefined for this machine
 */
export function rejectRemoteAddress(remoteAddress: string | undefined): string | undefined {
  const address = (remoteAddress ?? '').replace(/^::ffff:/, '')
  return /^127\./.test(address) || address === '::1'
    ? undefined
    : 'only programs of this machine may reach the tab'
}

/** Any local program may send requests, but only the page may register as their server. */
export function isFromPage({ origin, host = '' }: RequestOrigin): boolean {
  return origin !== undefined && isOwn(origin, host)
}

/** Returns `localhost` for `localhost:5173`. */
function nameIn(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

function isOwn(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}
