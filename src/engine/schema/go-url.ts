/** What is wrong with the parts of a URL, in the words of Go's net/url, in which the real server tells it. */
import { goQuote } from './go-text'

export const NO_SCHEME = 'missing protocol scheme'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/

export function controlProblem(url: string): string | undefined {
  return CONTROL.test(url) ? 'net/url: invalid control character in URL' : undefined
}

/** A host with its port, if it has one. */
export function hostProblem(host: string): string | undefined {
  const bracketed = host.startsWith('[')
  if (bracketed && !host.includes(']')) return "missing ']' in host"
  const port = bracketed ? host.slice(host.lastIndexOf(']') + 1) : host.includes(':') ? host.slice(host.lastIndexOf(':')) : ''
  if (port !== '' && !/^:\d*$/.test(port)) return `invalid port ${goQuote(port)} after host`
  const odd = /[ \\^`{|}]/.exec(host)?.[0]
  return odd === undefined ? undefined : `invalid character ${goQuote(odd)} in host name`
}

export function escapeProblem(text: string): string | undefined {
  const broken = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(text)?.[0]
  return broken === undefined ? undefined : `invalid URL escape ${goQuote(broken)}`
}

/** What stands between `//` and the path: a host, behind an `@` if there is somebody. */
export function authorityProblem(authority: string): string | undefined {
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  const problem = hostProblem(host) ?? escapeProblem(host)
  if (problem !== undefined || at < 0) return problem
  return /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at)) ? undefined : 'net/url: invalid userinfo'
}

/** A URL or a reference relative to one. @returns what is wrong, in the form of an error of parsing it */
export function urlProblem(url: string): string | undefined {
  const [text = ''] = url.split('#', 1)
  const fragment = url.slice(text.length + 1)
  const problem = partsProblem(text)
  if (problem !== undefined) return `parse ${goQuote(text)}: ${problem}`
  const broken = escapeProblem(fragment)
  return broken === undefined ? undefined : `parse ${goQuote(url)}: ${broken}`
}

function partsProblem(text: string): string | undefined {
  if (text.startsWith(':')) return controlProblem(text) ?? NO_SCHEME
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(text)?.[0] ?? ''
  const [rest = ''] = text.slice(scheme.length).split('?', 1)
  const control = controlProblem(text)
  if (control !== undefined) return control
  if (!rest.startsWith('/')) {
    if (scheme !== '') return undefined
    return rest.split('/', 1)[0]?.includes(':') ? 'first path segment in URL cannot contain colon' : escapeProblem(rest)
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))
  const slash = hasAuthority ? rest.indexOf('/', 2) : 0
  const authority = hasAuthority ? rest.slice(2, slash < 0 ? undefined : slash) : ''
  return authorityProblem(authority) ?? escapeProblem(slash < 0 ? '' : rest.slice(slash))
}
