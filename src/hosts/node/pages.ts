/** CORS (the Fetch Standard) and strict transport security (RFC 6797). */
import type { ApiRequest, ApiResponse } from '../../engine/http/messages'
import { Pattern } from '../../engine/schema/patterns/matcher'
import { PatternError } from '../../engine/schema/patterns/pattern-node'
import type { Handle } from './adapter'
import { FlagError, type Flags } from './flags'

/** Whether pages of an origin may send requests. */
export type OriginTest = (origin: string) => boolean

/**
 * Parses `--cors-allowed-origins`. Patterns must be anchored at both ends of the host, so that no
 * longer name matches.
 * @returns undefined if no other origins are allowed
 * @throws FlagError
 */
export function allowedOrigins(flags: Flags): OriginTest | undefined {
  const patterns = flags['cors-allowed-origins'].map((text) => {
    const pattern = readPattern(text)
    const isPinned = /\^|\/\//.test(text) && /[$:]/.test(text)
    if (!isPinned)
      throw unusable('regular expression does not pin to start/end of host in the origin header')
    return pattern
  })
  return patterns.length === 0
    ? undefined
    : (origin) => patterns.some((pattern) => pattern.test(origin))
}

function readPattern(text: string): Pattern {
  if (text === '') throw new FlagError('empty value in --cors-allowed-origins')
  try {
    return new Pattern(text)
  } catch (error) {
    throw error instanceof PatternError ? unusable(error.message) : error
  }
}

const unusable = (why: string) =>
  new FlagError(`--cors-allowed-origins has an invalid regular expression: ${why}`)

/** Recorded from kube-apiserver 1.31. */
const PERMISSIONS = {
  'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers': 'Date',
  'access-control-allow-credentials': 'true',
}

/** Lets pages of allowed origins read responses, and responds to preflight requests. */
export function readableBy(handle: Handle, isAllowed: OriginTest | undefined): Handle {
  if (isAllowed === undefined) return handle
  return async (request) => {
    const origin = request.header('origin')
    if (!origin || !isAllowed(origin)) return handle(request)
    const headers = { 'access-control-allow-origin': origin, ...PERMISSIONS }
    return request.method === 'OPTIONS'
      ? { status: 204, headers, body: '' }
      : withHeaders(await handle(request), headers)
  }
}

const withHeaders = (response: ApiResponse, headers: Record<string, string>): ApiResponse => ({
  ...response,
  headers: { ...response.headers, ...headers },
})

export function transportSecurity(flags: Flags): string | undefined {
  const directives = flags['strict-transport-security-directives']
  for (const directive of directives) {
    if (directive.trim() === '')
      throw new FlagError('empty value in strict-transport-security-directives')
    if (!/^(includeSubDomains|preload|max-age=[^=]*)$/.test(directive))
      throw new FlagError(
        '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see RFC 6797, section 6.1',
      )
  }
  return directives.length === 0 ? undefined : directives.join('; ')
}

/** Adds Strict-Transport-Security to every response. */
export function strictly(handle: Handle, directives: string | undefined): Handle {
  if (directives === undefined) return handle
  return async (request: ApiRequest) =>
    withHeaders(await handle(request), { 'strict-transport-security': directives })
}
