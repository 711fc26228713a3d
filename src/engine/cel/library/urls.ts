/** `url('https://example.com:80/path')` */
import { goQuote } from '../../schema/go-text'
import { escapeProblem, hasControl, hostProblem } from '../../schema/go-url'
import { traversesFirst } from '../cost/factors'
import {
  ArrayList,
  EntriesMap,
  EvaluationError,
  OpaqueValue,
  unconvertible,
  type Value,
} from '../values/value'
import type { Library } from './library'

class UrlValue extends OpaqueValue {
  readonly typeName = 'kubernetes.URL'
  readonly goType = 'cel.URL'

  constructor(
    readonly scheme: string,
    readonly host: string,
    readonly path: string,
    readonly query: string,
    private readonly text: string,
  ) {
    super()
  }

  override equals(other: Value): boolean | undefined {
    return other instanceof UrlValue ? other.text === this.text : undefined
  }

  override get opened(): Value {
    return unconvertible('*url.URL', this)
  }

  override get goText(): string {
    return this.text
  }

  /** Without port and IPv6 brackets. */
  get hostname(): string {
    const { host } = this
    const bracket = /^\[([^\]]*)\]/.exec(host)
    return bracket === null ? host.replace(/:\d*$/, '') : (bracket[1] as string)
  }

  get port(): string {
    return /:(\d*)$/.exec(this.host.replace(/^\[[^\]]*\]/, ''))?.[1] ?? ''
  }
}

/** Go's `url.ParseRequestURI` (RFC 3986). */
function read(text: string): UrlValue | { problem: string } {
  const invalid = { problem: 'invalid URI for request' }
  if (text === '') return { problem: 'empty url' }
  if (hasControl(text)) return { problem: 'net/url: invalid control character in URL' }
  const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(.*)$/s.exec(text)
  const scheme = match?.[1] ?? ''
  const rest = match?.[2] ?? ''
  if (scheme === '' && text.startsWith(':')) return { problem: 'missing protocol scheme' }
  if (text === '*') return new UrlValue('', '', '*', '', text)
  // An opaque URL has neither host nor path.
  if (scheme !== '' && !rest.startsWith('/'))
    return new UrlValue(scheme.toLowerCase(), '', '', queryIn(rest), text)
  if (!rest.startsWith('/')) return invalid
  let path = rest.replace(/\?.*$/s, '')
  let authority = ''
  if (path.startsWith('//') && (scheme !== '' || !path.startsWith('///'))) {
    const slash = path.indexOf('/', 2)
    authority = slash < 0 ? path.slice(2) : path.slice(2, slash)
    path = slash < 0 ? '' : path.slice(slash)
  }
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  const problem =
    userProblem(authority.slice(0, Math.max(at, 0))) ?? hostProblem(host) ?? escapeProblem(path)
  if (problem !== undefined) return { problem }
  // `ParseRequestURI` knows no fragments.
  return new UrlValue(
    scheme.toLowerCase(),
    withZone(host),
    path.replace(/#.*$/s, ''),
    queryIn(rest),
    text,
  )
}

const userProblem = (user: string): string | undefined =>
  /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) ? escapeProblem(user) : 'net/url: invalid userinfo'

/** Zone of an IPv6 address. */
const withZone = (host: string): string => host.replace(/^(\[[^\]]*?)%25/, '$1%')

function queryIn(text: string): string {
  const beforeFragment = text.replace(/#.*$/s, '')
  const question = beforeFragment.indexOf('?')
  return question < 0 ? '' : beforeFragment.slice(question + 1)
}

function url(text: string): Value {
  const parsed = read(text)
  if (!('problem' in parsed)) return parsed
  return new EvaluationError(
    `URL parse error during conversion from string: parse ${goQuote(text)}: ${parsed.problem}`,
  )
}

function queryOf({ query }: UrlValue): Value {
  const lists = new Map<string, string[]>()
  for (const part of query.split('&')) {
    if (part === '' || part.includes(';')) continue
    const equals = part.indexOf('=')
    const name = unescaped(equals < 0 ? part : part.slice(0, equals))
    const value = unescaped(equals < 0 ? '' : part.slice(equals + 1))
    if (name === undefined || value === undefined) continue
    const list = lists.get(name)
    if (list === undefined) lists.set(name, [value])
    else list.push(value)
  }
  const map = new EntriesMap()
  for (const [name, values] of lists) map.add(name, new ArrayList(values))
  return map
}

function unescaped(text: string): string | undefined {
  if (escapeProblem(text) !== undefined) return undefined
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** Keeps a valid path, escapes any other. */
function escapedPath(path: string): string {
  if (/^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]]|%[0-9a-fA-F]{2})*$/.test(path)) return path
  return encodeURIComponent(decodeURIComponent(path)).replace(
    /%(?:24|26|2B|2C|2F|3A|3B|3D|40)/g,
    decodeURIComponent,
  )
}

const parses = {
  strictCost: true as const,
  cost: traversesFirst.cost,
  estimate: traversesFirst.estimate,
}

export const URLS: Library = {
  get functions() {
    return [
      { signature: 'url(string) -> kubernetes.URL', call: url, ...parses },
      {
        signature: 'isURL(string) -> bool',
        call: (text: string) => read(text) instanceof UrlValue,
      },
      { signature: 'kubernetes.URL.getScheme() -> string', call: ({ scheme }: UrlValue) => scheme },
      { signature: 'kubernetes.URL.getHost() -> string', call: ({ host }: UrlValue) => host },
      {
        signature: 'kubernetes.URL.getHostname() -> string',
        call: ({ hostname }: UrlValue) => hostname,
      },
      { signature: 'kubernetes.URL.getPort() -> string', call: ({ port }: UrlValue) => port },
      {
        signature: 'kubernetes.URL.getEscapedPath() -> string',
        call: ({ path }: UrlValue) => escapedPath(path),
      },
      { signature: 'kubernetes.URL.getQuery() -> map(string, list(string))', call: queryOf },
    ]
  },
}
