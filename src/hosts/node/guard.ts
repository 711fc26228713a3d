/**
 * Protects the server from browser pages: by Origin and fetch metadata, and by Host against DNS
 * rebinding.
 */
import { isIP } from 'node:net'
import type { ApiRequest, ApiResponse } from '../../engine/http/messages'
import { rejectionOf } from '../bridge/guard'
import type { Handle } from './adapter'
import type { OriginTest } from './pages'

/**
 * @param allowed host names in addition to `localhost` and IP addresses, which DNS rebinding cannot
 * use; `*` allows any
 * @param isAllowed origins whose pages may send requests; none by default
 */
export function guarded(
  handle: Handle,
  allowed: readonly string[],
  isAllowed: OriginTest = () => false,
): Handle {
  const names = new Set(['localhost', ...allowed.map((name) => name.toLowerCase())])
  const isOwnName = (name: string) =>
    names.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || names.has('*')
  /** The last allowed Host: most clients repeat it, without an Origin. */
  let known: string | null | undefined = null
  return (request) => {
    const origin = originOf(request)
    if (
      origin.host === known &&
      origin.origin === undefined &&
      origin['sec-fetch-site'] === undefined
    )
      return handle(request)
    const isTrusted =
      sendsToken(request) || (origin.origin !== undefined && isAllowed(origin.origin))
    const rejection = rejectionOf(isTrusted ? { host: origin.host } : origin, isOwnName)
    if (rejection !== undefined) return Promise.resolve(forbidden(rejection))
    known = origin.host
    return handle(request)
  }
}

/**
 * Browsers send a bearer token cross-origin only after a CORS preflight, which only
 * `--cors-allowed-origins` permits. So its sender is a program, whatever the Origin. Host is still
 * checked.
 */
const sendsToken = (request: ApiRequest): boolean =>
  /^bearer /i.test(request.header('authorization') ?? '')

const originOf = (request: ApiRequest) => ({
  host: request.header('host'),
  origin: request.header('origin'),
  'sec-fetch-site': request.header('sec-fetch-site'),
})

function forbidden(why: string): ApiResponse {
  const message = `${why} (--allowed-hosts names others)`
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'Forbidden',
    code: 403,
  }
  return {
    status: 403,
    headers: { 'content-type': 'application/json' },
    body: `${JSON.stringify(status)}\n`,
  }
}
