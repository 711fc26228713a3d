/**
 * Who may come over the bridge: programs of this machine, and the page itself. Not other sites that a browser has open, whether they
 * ask directly (Origin, fetch metadata) or through a name of their own that leads here (Host).
 */

/** What a request says of where it comes from and where it was sent. */
export interface RequestOrigin {
  host?: string | undefined
  origin?: string | undefined
  'sec-fetch-site'?: string | string[] | undefined
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
const isLoopbackName = (name: string): boolean => LOOPBACK.includes(name)

/**
 * @param isOwnName which names and addresses this server is known by
 * @returns why a request is refused; undefined: it is not
 */
export function rejectionOf(
  headers: RequestOrigin,
  isOwnName = isLoopbackName,
): string | undefined {
  const { host = '', origin } = headers
  if (!isOwnName(nameIn(host)))
    return `this server answers on this machine's own names alone, not as ${host || 'nobody'}`
  if (origin !== undefined && !isOwn(origin, host))
    return `pages of ${origin} may not reach this server`
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return 'pages of other sites may not reach this server'
  return undefined
}

/** Names can be given by anybody; who listens beyond this machine is asked by others too. @returns why not; undefined: it is this machine */
export function rejectRemoteAddress(remoteAddress: string | undefined): string | undefined {
  const address = (remoteAddress ?? '').replace(/^::ffff:/, '')
  return /^127\./.test(address) || address === '::1'
    ? undefined
    : 'programs of this machine alone may reach the tab'
}

/** For the tab's own connection: programs are not refused by the above, but only the page has a reason to offer its engine. */
export function isFromPage({ origin, host = '' }: RequestOrigin): boolean {
  return origin !== undefined && isOwn(origin, host)
}

/** `localhost:5173` without its port. */
function nameIn(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

function isOwn(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`
}
