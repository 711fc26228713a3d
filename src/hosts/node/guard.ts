/**
 * Who may ask the headless server: programs, and no page that a browser has open. A page can be kept from asking by what the browser
 * says of it (Origin, fetch metadata); one that leads a name of its own here (DNS rebinding) by that name.
 */
import { isIP } from 'node:net'
import type { ApiRequest, ApiResponse } from '../../engine/http/messages'
import { rejectionOf } from '../bridge/guard'
import type { Handle } from './adapter'
import type { OriginTest } from './pages'

/**
 * Answers for the server where a request may not come in; what may goes on to it.
 * @param allowed names under which clients reach the server next to `localhost` and addresses, which no name of a stranger can become;
 *   `*` for any
 * @param isAllowed pages that may ask all the same; none if absent
 */
export function guarded(
  handle: Handle,
  allowed: readonly string[],
  isAllowed: OriginTest = () => false,
): Handle {
  const names = new Set(['localhost', ...allowed.map((name) => name.toLowerCase())])
  const isOwnName = (name: string) =>
    names.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || names.has('*')
  /** By what name the server was reached last: programs, which say nothing of pages, come by the same again and again. */
  let known: string | null | undefined = null
  return (request) => {
    const said = originOf(request)
    if (said.host === known && said.origin === undefined && said['sec-fetch-site'] === undefined)
      return handle(request)
    const mayAsk = sendsToken(request) || (said.origin !== undefined && isAllowed(said.origin))
    const refusal = rejectionOf(mayAsk ? { host: said.host } : said, isOwnName)
    if (refusal !== undefined) return Promise.resolve(forbidden(refusal))
    known = said.host
    return handle(request)
  }
}

/**
 * A browser sends a token for a page of another site only when it has asked beforehand and been permitted (CORS), which nothing here
 * does: who sends one is a program, whatever it says of its origin. A name of a stranger is none the less rejected.
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
