/** Errors of Go's net/url (RFC 3986). */
import { goQuote } from './go-text'

const CONTROL = 'net/url: invalid control character in URL'
const USER_INFORMATION = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/

/**
 * @returns `parse "https://a:b": invalid port ":b" after host`; undefined for a valid URL or
 * reference
 */
export function urlProblem(text: string): string | undefined {
  const hash = text.indexOf('#')
  const [whole, fragment] = hash < 0 ? [text, ''] : [text.slice(0, hash), text.slice(hash + 1)]
  const problem = partsProblem(whole)
  if (problem !== undefined) return `parse ${goQuote(whole)}: ${problem}`
  const broken = escapeProblem(fragment)
  return broken && `parse ${goQuote(text)}: ${broken}`
}

function partsProblem(text: string): string | undefined {
  if (hasControl(text)) return CONTROL
  if (text.startsWith(':')) return 'missing protocol scheme'
  const [, scheme, rest = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(.*)$/s.exec(text) ?? []
  const beforeQuery = rest.split('?', 1)[0] ?? ''
  if (!beforeQuery.startsWith('/')) {
    if (scheme !== undefined) return undefined
    const colon = beforeQuery.split('/', 1)[0]?.includes(':')
    return colon ? 'first path segment in URL cannot contain colon' : escapeProblem(beforeQuery)
  }
  const hasAuthority =
    beforeQuery.startsWith('//') && (scheme !== undefined || !beforeQuery.startsWith('///'))
  if (!hasAuthority) return escapeProblem(beforeQuery)
  const slash = beforeQuery.indexOf('/', 2)
  const authority = slash < 0 ? beforeQuery.slice(2) : beforeQuery.slice(2, slash)
  return (
    authorityProblem(authority) ?? (slash < 0 ? undefined : escapeProblem(beforeQuery.slice(slash)))
  )
}

/** @param authority between `//` and the path, with user information */
export function authorityProblem(authority: string): string | undefined {
  const at = authority.lastIndexOf('@')
  const problem = hostProblem(authority.slice(at + 1))
  if (problem !== undefined || at < 0) return problem
  const user = authority.slice(0, at)
  return USER_INFORMATION.test(user) ? escapeProblem(user) : 'net/url: invalid userinfo'
}

export function hasControl(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f')
}

export function hostProblem(host: string): string | undefined {
  const bracketed = host.startsWith('[')
  if (bracketed && !host.includes(']')) return "missing ']' in host"
  const port = bracketed
    ? host.slice(host.lastIndexOf(']') + 1)
    : host.includes(':')
      ? host.slice(host.lastIndexOf(':'))
      : ''
  if (port !== '' && !/^:\d*$/.test(port)) return `invalid port ${goQuote(port)} after host`
  // A host must not escape ASCII, except `%`.
  const escaped = /%(?!25)[0-7][0-9a-fA-F]/.exec(bracketed ? '' : host)?.[0]
  if (escaped !== undefined) return `invalid URL escape ${goQuote(escaped)}`
  const odd = /[ \\^`{|}]/.exec(host)?.[0]
  return odd === undefined ? escapeProblem(host) : `invalid character ${goQuote(odd)} in host name`
}

export function escapeProblem(text: string): string | undefined {
  const broken = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text)?.[0]
  return broken === undefined ? undefined : `invalid URL escape ${goQuote(broken)}`
}
